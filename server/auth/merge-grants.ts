import type { Json } from "../../shared/filter/filter.ts";
import type { Grant } from "../../shared/policy/role.ts";
import type { PatchRoleCall } from "../../shared/protocol/roles.ts";

type Patch = NonNullable<PatchRoleCall["grants"]>;

/**
 * Merges a change into grants: table by table, and right by right within a table, where a right is replaced
 * as a whole (half of a row filter means nothing). `null` removes. An empty object, which would merge into
 * nothing new, removes all.
 */
export function mergeGrants(
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
