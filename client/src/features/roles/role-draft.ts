import type { Json } from "../../../../shared/filter/filter.ts";
import {
  formOf,
  mergeParts,
  partsChanged,
  partsOf,
  type RoleForm,
  type RoleParts,
  setPart,
  subjectOf,
} from "../../../../shared/policy/role-parts.ts";
import type { PatchRoleCall, RoleInfo } from "../../../../shared/protocol/roles.ts";

/** A role under somebody's hands: what they began with, and what they made of it so far. */
export interface RoleDraft {
  base: RoleParts;
  mine: RoleParts;
}

export const formOfInfo = ({ name, rights = [], grants = {} }: RoleInfo): RoleForm => ({
  name,
  rights,
  grants: grants as RoleForm["grants"],
});

export function draftOf(role: RoleInfo): RoleDraft {
  const parts = partsOf(formOfInfo(role));
  return { base: parts, mine: parts };
}

/** The draft with another role in it. */
export function withForm(draft: RoleDraft, form: RoleForm): RoleDraft {
  return { ...draft, mine: partsOf(form) };
}

/** How many parts differ from what the draft began with. */
export function changesIn({ base, mine }: RoleDraft): number {
  return partsChanged(base, mine).length;
}

/** The parts that I changed and somebody else changed too, to something else. */
export function clashesOf({ base, mine }: RoleDraft, role: RoleInfo): string[] {
  return mergeParts(base, mine, partsOf(formOfInfo(role))).clashes;
}

/** My changes on top of what is stored by now; parts that clash stay as they are until I choose. */
export function rebase(draft: RoleDraft, role: RoleInfo): RoleDraft {
  const theirs = partsOf(formOfInfo(role));
  const { merged, clashes } = mergeParts(draft.base, draft.mine, theirs);
  const next = { base: { ...theirs }, mine: { ...merged } };
  for (const part of clashes) {
    setPart(next.base, part, draft.base[part]);
    setPart(next.mine, part, draft.mine[part]);
  }
  return next;
}

/** Ends a clash: mine is meant to replace theirs, or theirs stays. */
export function settle(
  { base, mine }: RoleDraft,
  part: string,
  keep: "mine" | "theirs",
  role: RoleInfo,
): RoleDraft {
  const theirs = partsOf(formOfInfo(role))[part];
  const next = { base: { ...base }, mine: { ...mine } };
  setPart(next.base, part, theirs);
  if (keep === "theirs") setPart(next.mine, part, theirs);
  return next;
}

/** What is sent: the parts that I changed, and what I saw of them. Null where there is nothing. */
export function patchOf({ base, mine }: RoleDraft): PatchRoleCall | null {
  const changed = partsChanged(base, mine);
  if (changed.length === 0) return null;
  const [before, after] = [formOf(base), formOf(mine)];
  const patch: PatchRoleCall = { base: {} };
  for (const part of changed) {
    const subject = subjectOf(part);
    if (subject.kind === "name") {
      patch.name = after.name;
      patch.base = { ...patch.base, name: before.name };
    } else if (subject.kind === "right") {
      patch.rights = after.rights;
      patch.base = { ...patch.base, rights: before.rights };
    } else {
      const { table } = subject;
      const grants = { ...patch.base?.grants, [table]: before.grants[table] ?? null };
      patch.base = { ...patch.base, grants } as NonNullable<PatchRoleCall["base"]>;
      patch.grants = { ...patch.grants, [table]: grantPatch({ base, mine }, table, after) };
    }
  }
  return patch;
}

type GrantPatch = NonNullable<PatchRoleCall["grants"]>[string];

function grantPatch({ base, mine }: RoleDraft, table: string, after: RoleForm): GrantPatch {
  const grant = after.grants[table];
  if (!grant) return null;
  const rights = partsChanged(base, mine)
    .map(subjectOf)
    .flatMap((one) => (one.kind === "grant" && one.table === table && one.right ? one.right : []));
  return Object.fromEntries(
    rights.map((right) => [right, (grant[right] as Json | undefined) ?? null]),
  );
}
