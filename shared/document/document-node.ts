import type { Json } from "../filter/filter.ts";
import { deepEqual } from "./deep-equal.ts";

/**
 * A document as a tree, so that two versions can be compared and three merged. A part is addressed by a path
 * of identifying keys, never by its index in a list. Each kind of document has a function that makes its tree
 * and one that reads it back; everything else in this folder works on any tree.
 */
export type DocumentNode = BranchNode | ListNode | LeafNode;

interface BranchNode {
  kind: "branch";
  children: ReadonlyMap<string, DocumentNode>;
}

/** Keys in a significant order, each at most once. Additions and removals of two users merge. */
interface ListNode {
  kind: "list";
  items: readonly string[];
}

/** A value that is replaced as a whole. */
interface LeafNode {
  kind: "leaf";
  value: Json;
  /** The value means the same as no value, such as a right that is `false`. */
  isUnset?: boolean;
}

export type MaybeNode = DocumentNode | undefined;
export type DocumentPath = readonly string[];

/** A branch of the existing children. */
export function branch(children: Iterable<readonly [string, MaybeNode]>): DocumentNode {
  const present = [...children].filter((child): child is [string, DocumentNode] => !!child[1]);
  return { kind: "branch", children: new Map(present) };
}

export function leaf(value: Json): DocumentNode {
  return { kind: "leaf", value };
}

export function unset(value: Json): DocumentNode {
  return { kind: "leaf", value, isUnset: true };
}

export function list(items: readonly string[]): DocumentNode {
  return { kind: "list", items };
}

export function childrenOf(node: MaybeNode): ReadonlyMap<string, DocumentNode> {
  return node?.kind === "branch" ? node.children : new Map();
}

export function nodeAt(node: MaybeNode, path: DocumentPath): MaybeNode {
  return path.reduce((found: MaybeNode, key) => childrenOf(found).get(key), node);
}

/** The value at a path; undefined if there is none, or the node is not a value. */
export function valueAt<T = Json>(node: MaybeNode, ...path: DocumentPath): T | undefined {
  const found = nodeAt(node, path);
  return found?.kind === "leaf" ? (found.value as T) : undefined;
}

/** The tree with another node at a path, or without one. Does nothing below a missing node. */
export function withNode(node: MaybeNode, path: DocumentPath, next: MaybeNode): MaybeNode {
  const [key, ...below] = path;
  if (key === undefined) return next;
  if (node?.kind !== "branch") return node;
  return branch(new Map([...node.children, [key, withNode(node.children.get(key), below, next)]]));
}

/**
 * JSON Merge Patch (RFC 7396) for trees: the patch's nodes replace existing ones, and what it unsets is
 * removed.
 */
export function applyMergePatch(node: MaybeNode, change: DocumentNode): MaybeNode {
  if (isUnset(change)) return undefined;
  if (change.kind !== "branch") return change;
  const below = keysOf(node, change).map((key) => {
    const [was, over] = [nodeAt(node, [key]), nodeAt(change, [key])];
    return [key, over ? applyMergePatch(was, over) : was] as const;
  });
  return branch(below);
}

/** The values of a tree as plain JSON. */
export function toJson(node: DocumentNode): Json;
export function toJson(node: MaybeNode): Json | undefined;
export function toJson(node: MaybeNode): Json | undefined {
  if (node === undefined || node.kind === "leaf") return node?.value;
  if (node.kind === "list") return [...node.items];
  return Object.fromEntries([...node.children].map(([key, child]) => [key, toJson(child)]));
}

/** All keys of some branches, in order of first occurrence. */
export function keysOf(...nodes: readonly MaybeNode[]): string[] {
  return [...new Set(nodes.flatMap((node) => [...childrenOf(node).keys()]))];
}

export function isSame(a: MaybeNode, b: MaybeNode): boolean {
  if (a === b) return true;
  if (isUnset(a) || isUnset(b)) return isUnset(a) && isUnset(b);
  if (a?.kind !== b?.kind) return false;
  if (a?.kind === "leaf") return deepEqual(a.value, (b as LeafNode).value);
  if (a?.kind === "list") return deepEqual(a.items, (b as ListNode).items);
  return keysOf(a, b).every((key) => isSame(nodeAt(a, [key]), nodeAt(b, [key])));
}

function isUnset(node: MaybeNode): boolean {
  return node === undefined || (node.kind === "leaf" && node.isUnset === true);
}
