import { z } from "zod";
import { diff } from "../../../../shared/document/diff.ts";
import { isSame } from "../../../../shared/document/document-node.ts";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import { type RoleForm, roleToTree, treeToRole } from "../../../../shared/policy/role-tree.ts";
import type { PatchRoleCall, RoleInfo } from "../../../../shared/protocol/roles.ts";
import type { DocumentKind, SharedDocument } from "../../sync/documents/shared-document.ts";

/** A role as one user edits it. */
export type RoleDraft = SharedDocument<RoleForm, RoleInfo>;

/** How the names of roles' drafts begin among those that the browser stores. */
export const ROLE = "role.";

const isSameRole = (a: RoleForm, b: RoleForm) => isSame(roleToTree(a), roleToTree(b));

/** What others save joins the draft: rights on different tables have nothing to do with each other. */
export const roleKind: DocumentKind<RoleForm, RoleInfo> = {
  read: ({ name, rights = [], grants = {} }) => ({
    name,
    rights,
    grants: grants as RoleForm["grants"],
  }),
  toTree: roleToTree,
  fromTree: treeToRole,
  isSame: isSameRole,
  isSaved: isSameRole,
  isKnown: isSameRole,
  isAhead: () => false,
  joins: true,
  pack: (base, draft) => ({ base, draft }),
  unpack(packed) {
    const { data } = storedSchema.safeParse(packed);
    return data ? (data as unknown as { base: RoleForm; draft: RoleForm }) : null;
  },
};

/** Checks only the outer structure: the server validates a role. */
const formSchema = z.object({
  name: z.string(),
  rights: z.array(z.string()),
  grants: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const storedSchema = z.object({ base: formSchema, draft: formSchema });

/** The changed parts and their previous values; null if nothing changed. */
export function patchOf(role: { base: RoleForm; draft: RoleForm }): PatchRoleCall | null {
  // As a tree has them: a right that is `false` is none.
  const [base, mine] = [roleToTree(role.base), roleToTree(role.draft)];
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
