import type { Filter } from "../../../../shared/filter/filter.ts";
import { readOperand } from "../../../../shared/filter/operand.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";

/** The user attributes that a role's row filters refer to, sorted by name. */
export function attributesIn({ grants }: Pick<RoleForm, "grants">): string[] {
  const filters = Object.values(grants).flatMap(({ read, update, delete: remove }) =>
    [read, update, remove].flatMap((right) =>
      typeof right === "object" && right.filter ? [right.filter] : [],
    ),
  );
  return [...new Set(filters.flatMap(attributesOfFilter))].sort();
}

function attributesOfFilter(filter: Filter): string[] {
  if ("not" in filter) return attributesOfFilter(filter.not);
  if ("and" in filter) return filter.and.flatMap(attributesOfFilter);
  if ("or" in filter) return filter.or.flatMap(attributesOfFilter);
  const { value = null } = filter;
  const operands = Array.isArray(value) ? value : [value];
  return operands.flatMap((each) => {
    const operand = readOperand(each);
    return operand.type === "me" && operand.attribute !== null ? [operand.attribute] : [];
  });
}
