import { diff } from "../../../../shared/document/diff.ts";
import type { Draft } from "../../../../shared/document/draft.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import { type RoleForm, roleToTree, treeToRole } from "../../../../shared/policy/role-tree.ts";
import type { PatchRoleCall, RoleInfo } from "../../../../shared/protocol/roles.ts";

export const formOfInfo = ({ name, rights = [], grants = {} }: RoleInfo): RoleForm => ({
  name,
  rights,
  grants: grants as RoleForm["grants"],
});

export function draftOf(role: RoleInfo): Draft {
  const tree = roleToTree(formOfInfo(role));
  return { base: tree, mine: tree };
}

/** The draft with a changed role. */
export function withForm(draft: Draft, form: RoleForm): Draft {
  return { ...draft, mine: roleToTree(form) };
}

/**
 * The draft after `sent` was saved, if it was changed meanwhile; without a draft, its changes were taken back. Null if
 * nothing differs from what was saved.
 */
export function draftAfterSaving(sent: Draft, now: Draft | null): Draft | null {
  const draft = { base: sent.mine, mine: now ? now.mine : sent.base };
  return diff(draft.base, draft.mine).length > 0 ? draft : null;
}

/** The changed parts and their previous values; null if nothing changed. */
export function patchOf({ base, mine }: Draft): PatchRoleCall | null {
  const changes = diff(base, mine);
  if (changes.length === 0) return null;
  const [before, after] = [treeToRole(base), treeToRole(mine)];
  const patch: PatchRoleCall = { base: {} };
  for (const [part, table = "", right] of changes.map(({ path }) => path)) {
    if (part === "name") {
      patch.name = after.name;
      patch.base = { ...patch.base, name: before.name };
    } else if (part === "rights") {
      patch.rights = after.rights;
      patch.base = { ...patch.base, rights: before.rights };
    } else {
      const grants = { ...patch.base?.grants, [table]: before.grants[table] ?? null };
      patch.base = { ...patch.base, grants } as NonNullable<PatchRoleCall["base"]>;
      const grant = after.grants[table] ?? null;
      const value = (grant?.[right as keyof Grant] as Json | undefined) ?? null;
      const change = right === undefined ? grant : { ...patch.grants?.[table], [right]: value };
      patch.grants = { ...patch.grants, [table]: change as Record<string, Json> | null };
    }
  }
  return patch;
}
