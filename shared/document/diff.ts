import {
  type DocumentNode,
  type DocumentPath,
  isSame,
  keysOf,
  type MaybeNode,
  nodeAt,
  withNode,
} from "./document-node.ts";

/** One part that differs between two versions; undefined where a version does not have it. */
export interface Difference {
  path: DocumentPath;
  from: MaybeNode;
  to: MaybeNode;
}

/** Every difference, each as small as possible. A part that is added or removed as a whole is one difference. */
export function diff(from: MaybeNode, to: MaybeNode, path: DocumentPath = []): Difference[] {
  if (isSame(from, to)) return [];
  if (from?.kind !== "branch" || to?.kind !== "branch") return [{ path, from, to }];
  return keysOf(from, to).flatMap((key) =>
    diff(nodeAt(from, [key]), nodeAt(to, [key]), [...path, key]),
  );
}

/** The document with differences applied: `patch(a, diff(a, b))` equals `b`. */
export function patch(node: DocumentNode, differences: readonly Difference[]): DocumentNode {
  const patched = differences.reduce<MaybeNode>(
    (all, { path, to }) => withNode(all, path, to),
    node,
  );
  return patched ?? node;
}
