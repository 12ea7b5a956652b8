import { type MaybeNode, toJson, valueAt } from "../../../../shared/document/document-node.ts";
import type { Conflict } from "../../../../shared/document/merge.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { type AdministrativeRight, type Grant, grantKey } from "../../../../shared/policy/role.ts";
import { rightNames } from "../../access/right-names.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import type { ConflictText } from "../../ui/conflicts/conflicts.tsx";
import { columnLabels } from "./columns.ts";
import { describeGrant } from "./describe-role.ts";

/** Describes a conflict: a part of a role that two users changed. */
export function describeConflict(conflict: Conflict, tables: readonly Table[]): ConflictText {
  const { path, base, mine, theirs } = conflict;
  const describe = (node: MaybeNode) => describeNode(path, node, tables);
  return {
    title: titleOf(path, tables),
    before: describe(base),
    mine: describe(mine),
    theirs: describe(theirs),
  };
}

function tableOf(key: string, tables: readonly Table[]): Table | undefined {
  return tables.find((table) => grantKey({ [key]: {} }, table) === key);
}

function titleOf([part, key = "", right]: Conflict["path"], tables: readonly Table[]): string {
  if (part === "name") return messages.roleName();
  if (part === "rights") return messages.rightTo({ right: rightNames[key as AdministrativeRight] });
  const label = key === "*" ? messages.otherTables() : (tableOf(key, tables)?.label ?? key);
  return right === undefined
    ? label
    : messages.right({ table: label, right: columnLabels[right as keyof Grant]() });
}

function describeNode(
  [part, key = "", right]: Conflict["path"],
  node: MaybeNode,
  tables: readonly Table[],
): string {
  const value = valueAt(node);
  const describe = (grant: Grant) =>
    describeGrant(grant, tableOf(key, tables) ?? null, () => undefined);
  if (part === "name") return String(value);
  if (part === "grants" && right === undefined) {
    if (!node) return messages.sameAsAllOthers();
    return describe(toJson(node) as Grant).join(" ") || messages.noTableAccess();
  }
  if (node === undefined || value === false) return messages.notAllowed();
  if (right === undefined) return messages.allowed();
  const sentences = describe({ read: true, [right]: value } as Grant);
  const described = right === "read" ? sentences : sentences.slice(1);
  return described.join(" ") || messages.allowed();
}
