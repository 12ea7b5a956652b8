import { OperationNodeTransformer, type RawBuilder, sql, ValueNode } from "kysely";

/** DDL statements take no parameters: every value becomes a quoted SQL literal. */
class Literals extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    const { value } = node;
    if (!Array.isArray(value)) return ValueNode.createImmediate(value);
    const items = value.map((item) => sql.lit(item));
    return sql`array[${sql.join(items)}]`.toOperationNode() as unknown as ValueNode;
  }
}

/**
 * The same SQL without parameters. The driver's own quoting makes the literals, from the tree of the
 * statement: its text is never searched or concatenated.
 */
export function withLiterals<Type>(statement: RawBuilder<Type>): RawBuilder<Type> {
  const node = new Literals().transformNode(statement.toOperationNode());
  return sql<Type>`${{ toOperationNode: () => node }}`;
}
