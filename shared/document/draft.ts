import { type DocumentNode, withNode } from "./document-node.ts";
import { type Conflict, merge, type Side } from "./merge.ts";

/** A document while one person edits it: the version that they began with, and what they made of it. */
export interface Draft {
  base: DocumentNode;
  mine: DocumentNode;
}

export interface Rebased extends Draft {
  /** Parts that stay as they are in the draft until the person chooses. */
  conflicts: Conflict[];
}

/** The draft on top of the version that is stored by now. */
export function rebase({ base, mine }: Draft, theirs: DocumentNode): Rebased {
  const { merged, conflicts } = merge(base, mine, theirs);
  const kept = conflicts.reduce<DocumentNode>(
    (all, { path, base: was }) => withNode(all, path, was) ?? all,
    theirs,
  );
  return { base: kept, mine: merged, conflicts };
}

/** Ends a conflict: mine is going to replace theirs, or theirs is taken. */
export function resolve(draft: Draft, { path, theirs }: Conflict, side: Side): Draft {
  const base = withNode(draft.base, path, theirs) ?? draft.base;
  const mine = side === "mine" ? draft.mine : (withNode(draft.mine, path, theirs) ?? draft.mine);
  return { base, mine };
}
