import { type DocumentNode, withNode } from "./document-node.ts";
import { type Conflict, merge, type Side } from "./merge.ts";

/** A document while one user edits it: the version it is based on, and the edited one. */
export interface Draft {
  base: DocumentNode;
  mine: DocumentNode;
}

interface Rebased extends Draft {
  /** Parts that do not change in the draft until the user chooses. */
  conflicts: Conflict[];
}

/** The sides that a user chose, by `keyOfConflict`. */
export type Choices = Readonly<Record<string, Side>>;

export function keyOfConflict({ path }: Pick<Conflict, "path">): string {
  return path.join("\u0000");
}

/** Rebases the draft on the stored version. */
export function rebase(draft: Draft, theirs: DocumentNode): Rebased {
  const { merged, conflicts } = merge(draft.base, draft.mine, theirs);
  const base = conflicts.reduce<DocumentNode>(
    (all, { path, base: was }) => withNode(all, path, was) ?? all,
    theirs,
  );
  return { base, mine: merged, conflicts };
}

/** Resolves a conflict: mine will replace theirs, or theirs is taken. */
export function resolve(draft: Draft, { path, theirs }: Conflict, side: Side): Draft {
  const base = withNode(draft.base, path, theirs) ?? draft.base;
  const mine = side === "mine" ? draft.mine : (withNode(draft.mine, path, theirs) ?? draft.mine);
  return { base, mine };
}
