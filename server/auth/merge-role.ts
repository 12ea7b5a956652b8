import { merge } from "../../shared/document/merge.ts";
import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import type { Grant } from "../../shared/policy/role.ts";
import { roleSchema } from "../../shared/policy/role-schema.ts";
import {
  type RoleForm,
  rightsInConflict,
  roleToTree,
  treeToRole,
} from "../../shared/policy/role-tree.ts";
import { type FieldConflict, Refusal } from "../../shared/protocol/errors.ts";
import type { PatchRoleCall } from "../../shared/protocol/roles.ts";

/**
 * Merges a change into a stored role. With a base, others' changes are preserved. If both changed the same
 * right, it is refused as a `conflict` with the three values of each, and nothing is applied.
 */
export function mergeRole(stored: RoleForm, { base, ...change }: PatchRoleCall): RoleForm {
  const baseForm = base ? formSeenBy(stored, base) : stored;
  const requested = parseForm({
    name: change.name ?? baseForm.name,
    rights: change.rights ?? baseForm.rights,
    grants: mergeGrants(baseForm.grants, change.grants ?? null),
  });
  if (!base) return requested;
  // Joining two grants on one table would create one that nobody has reviewed.
  const options = { choose: () => "theirs" as const, joinsAdded: false };
  const trees = [roleToTree(baseForm), roleToTree(requested), roleToTree(stored)] as const;
  const { merged, conflicts } = merge(...trees, options);
  const rights = conflicts.flatMap(rightsInConflict);
  if (rights.length === 0) return parseForm(treeToRole(merged));
  const fields = rights.map(({ key, ...values }): [string, FieldConflict] => [
    key,
    { ...values, by: null, at: null },
  ]);
  throw new Refusal("conflict", { fields: Object.fromEntries(fields) }, explain("role.conflict"));
}

/** The role as the author of the change saw it, as far as they say; otherwise the stored one. */
function formSeenBy(stored: RoleForm, base: NonNullable<PatchRoleCall["base"]>): RoleForm {
  const grants = { ...stored.grants };
  for (const [table, grant] of Object.entries(base.grants ?? {})) {
    if (grant === null) delete grants[table];
    else grants[table] = grant;
  }
  return { name: base.name ?? stored.name, rights: base.rights ?? stored.rights, grants };
}

function parseForm(requested: unknown): RoleForm {
  const parsed = roleSchema.safeParse(requested);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal("invalid_request", { in: "body", path: issue?.path.map(String) });
}

type Patch = NonNullable<PatchRoleCall["grants"]>;

/**
 * Merges a change into grants: table by table, and right by right within a table, where a right is replaced
 * as a whole (half of a row filter means nothing). `null` removes. An empty object, which would merge into
 * nothing new, removes all.
 */
function mergeGrants(
  before: Readonly<Record<string, Grant>>,
  patch: Patch | null,
): Record<string, unknown> {
  if (!patch) return { ...before };
  if (Object.keys(patch).length === 0) return {};
  const merged: Record<string, unknown> = { ...before };
  for (const [table, change] of Object.entries(patch)) {
    if (change === null) delete merged[table];
    else merged[table] = mergeGrant(before[table] ?? {}, change);
  }
  return merged;
}

function mergeGrant(before: Grant, change: Record<string, Json>): Record<string, unknown> {
  if (Object.keys(change).length === 0) return {};
  const merged = { ...before, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
