import {
  branch,
  type DocumentNode,
  type DocumentPath,
  isSame,
  keysOf,
  list,
  type MaybeNode,
  nodeAt,
} from "./document-node.ts";

/** One part that two users changed differently. */
export interface Conflict {
  path: DocumentPath;
  base: MaybeNode;
  mine: MaybeNode;
  theirs: MaybeNode;
}

export type Side = "mine" | "theirs";

export interface Merged {
  merged: DocumentNode;
  conflicts: Conflict[];
}

/**
 * Three-way merge. A part that only one user changed is taken from that user. If both changed the same part
 * differently, or one removed what the other changed, it is a conflict.
 */
export function merge(
  base: DocumentNode,
  mine: DocumentNode,
  theirs: DocumentNode,
  {
    choose = () => "mine",
    joinsAdded = true,
  }: {
    /** The side that the result takes for a conflict; mine by default. */
    choose?: (conflict: Conflict) => Side;
    /** Whether parts that both added are joined where they do not differ; otherwise they conflict as a whole. */
    joinsAdded?: boolean;
  } = {},
): Merged {
  const conflicts: Conflict[] = [];
  const mergeNode = (conflict: Conflict): MaybeNode => {
    const { path, base, mine, theirs } = conflict;
    if (isSame(mine, base) || isSame(mine, theirs)) return theirs;
    if (isSame(theirs, base)) return mine;
    const has = (kind: DocumentNode["kind"]) => (base ? base.kind === kind : joinsAdded);
    if (has("branch") && mine?.kind === "branch" && theirs?.kind === "branch") {
      const below = keysOf(theirs, mine, base).map((key) => {
        const [was, own, other] = [base, mine, theirs].map((node) => nodeAt(node, [key]));
        const child = { path: [...path, key], base: was, mine: own, theirs: other };
        return [key, mergeNode(child)] as const;
      });
      return branch(below);
    }
    if (has("list") && mine?.kind === "list" && theirs?.kind === "list") {
      const items = mergeLists(base?.kind === "list" ? base.items : [], mine.items, theirs.items);
      if (items) return list(items);
    }
    conflicts.push(conflict);
    return conflict[choose(conflict)];
  };
  const merged = mergeNode({ path: [], base, mine, theirs });
  return { merged: merged ?? theirs, conflicts };
}

type Items = readonly string[];

/** Both users' additions and removals; null if they order the remaining items differently. */
function mergeLists(base: Items, mine: Items, theirs: Items): Items | null {
  const isRetained = (item: string) => mine.includes(item) && theirs.includes(item);
  const retained = (items: Items) =>
    items.filter((item) => isRetained(item) && base.includes(item));
  const isReordered = (items: Items) => !isSame(list(retained(items)), list(retained(base)));
  if (
    isReordered(mine) &&
    isReordered(theirs) &&
    !isSame(list(retained(mine)), list(retained(theirs)))
  ) {
    return null;
  }
  const [leading, following] = isReordered(mine) ? [mine, theirs] : [theirs, mine];
  const isRemoved = (item: string) => base.includes(item) && !isRetained(item);
  const result = leading.filter((item) => !isRemoved(item));
  for (const [index, item] of following.entries()) {
    if (result.includes(item) || isRemoved(item)) continue;
    const before = following.slice(0, index).findLast((one) => result.includes(one));
    result.splice(before === undefined ? 0 : result.indexOf(before) + 1, 0, item);
  }
  return result;
}

/**
 * The conflicts of a change whose author names what they saw: the stored value is neither that nor the wanted
 * one. `base` names only the parts that they saw; nothing else is compared.
 */
export function findConflicts(
  base: MaybeNode,
  mine: MaybeNode,
  stored: MaybeNode,
  path: DocumentPath = [],
): Conflict[] {
  if (base?.kind === "branch" && stored?.kind === "branch") {
    return keysOf(base).flatMap((key) => {
      const [was, own, other] = [base, mine, stored].map((node) => nodeAt(node, [key]));
      return findConflicts(was, own, other, [...path, key]);
    });
  }
  if (isSame(base, stored) || (mine && isSame(mine, stored))) return [];
  return [{ path, base, mine, theirs: stored }];
}
