import { formOf, mergeParts, partsOf, type RoleForm } from "../../shared/policy/role-parts.ts";
import { roleSchema } from "../../shared/policy/role-schema.ts";
import { type FieldConflict, Refusal } from "../../shared/protocol/errors.ts";
import type { PatchRoleCall } from "../../shared/protocol/roles.ts";
import { mergeGrants } from "./merge-grants.ts";

/**
 * A stored role with a change merged in. A change that says what it is based on leaves standing what
 * somebody else changed meanwhile; where both changed the same part, it is refused as a `conflict`
 * with the three values of each such part, and nothing of it is applied.
 */
export function mergeRole(stored: RoleForm, { base, ...change }: PatchRoleCall): RoleForm {
  const seen = base ? asSeen(stored, base) : stored;
  const wanted = parseForm({
    name: change.name ?? seen.name,
    rights: change.rights ?? seen.rights,
    grants: mergeGrants(seen.grants, change.grants ?? null),
  });
  if (!base) return wanted;
  const [before, mine, theirs] = [partsOf(seen), partsOf(wanted), partsOf(stored)];
  const { merged, clashes } = mergeParts(before, mine, theirs);
  if (clashes.length === 0) return parseForm(formOf(merged));
  const fields = clashes.map((part): [string, FieldConflict] => {
    const values = { base: before[part], mine: mine[part], theirs: theirs[part] };
    const told = Object.entries(values).map(([whose, value]) => [whose, value ?? null]);
    return [part, { ...Object.fromEntries(told), by: null, at: null }];
  });
  const message = "Somebody else changed the same part of this role meanwhile.";
  throw new Refusal("conflict", { fields: Object.fromEntries(fields) }, message);
}

/** The role as the author of the change saw it, as far as they say; otherwise as it stands. */
function asSeen(stored: RoleForm, base: NonNullable<PatchRoleCall["base"]>): RoleForm {
  const grants = { ...stored.grants };
  for (const [table, grant] of Object.entries(base.grants ?? {})) {
    if (grant === null) delete grants[table];
    else grants[table] = grant;
  }
  return { name: base.name ?? stored.name, rights: base.rights ?? stored.rights, grants };
}

function parseForm(wanted: unknown): RoleForm {
  const parsed = roleSchema.safeParse(wanted);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Refusal("invalid_request", { in: "body", path: issue?.path.map(String) });
}
