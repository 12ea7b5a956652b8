import { expressionOf, namesIn } from "./expression/expression-of.ts";
import { type Field, findField, type Table } from "./model.ts";

/**
 * Every field that a field's value may be derived from, directly or indirectly: those that its expression
 * reads and those that its derivation looks up. The value may reveal something of each of them.
 */
export function inputsOf(field: Field, table: Table): Set<Field> {
  const inputs = new Set<Field>();
  const visit = (one: Field): void => {
    for (const name of namesOf(one)) {
      const input = findField(table, name);
      if (!input || inputs.has(input)) continue;
      inputs.add(input);
      visit(input);
    }
  };
  visit(field);
  return inputs;
}

function namesOf(field: Field): string[] {
  const parsed = expressionOf(field);
  return [...(parsed ? namesIn(parsed) : []), ...(field.derive?.fields ?? [])];
}
