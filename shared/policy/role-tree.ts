import {
  branch,
  childrenOf,
  type DocumentNode,
  isSame,
  keysOf,
  leaf,
  type MaybeNode,
  nodeAt,
  unset,
  valueAt,
} from "../document/document-node.ts";
import type { Conflict } from "../document/merge.ts";
import type { Json } from "../filter/filter.ts";
import type { AdministrativeRight, Grant, Role } from "./role.ts";

export type RoleForm = Pick<Role, "name" | "rights" | "grants">;

/**
 * A role as a document tree: its name, each administrative right, and each right on each table. Browser and
 * server merge it by this same tree. A right that is `false` equals an absent one.
 */
export function roleToTree({ name, rights, grants }: RoleForm): DocumentNode {
  const grantToTree = (grant: Grant) =>
    branch(
      Object.entries(grant).map(([right, value]) => [
        right,
        value ? leaf(value as Json) : unset(false),
      ]),
    );
  return branch([
    ["name", leaf(name)],
    ["rights", branch(rights.map((right) => [right, leaf(true)]))],
    ["grants", branch(Object.entries(grants).map(([table, one]) => [table, grantToTree(one)]))],
  ]);
}

export function treeToRole(tree: DocumentNode): RoleForm {
  const grants = [...childrenOf(nodeAt(tree, ["grants"]))].map(([table, node]) => {
    const rights = [...childrenOf(node)].map(([right, value]) => [right, valueAt(value)]);
    return [table, Object.fromEntries(rights) as Grant];
  });
  return {
    name: valueAt<string>(tree, "name") ?? "",
    rights: keysOf(nodeAt(tree, ["rights"])) as AdministrativeRight[],
    grants: Object.fromEntries(grants) as Role["grants"],
  };
}

/** A right that two users changed, as a conflict reports it. Null means no such right. */
interface RightConflict {
  key: string;
  base: Json;
  mine: Json;
  theirs: Json;
}

/** The rights of a conflict. One about a whole grant is reported for each right that its author changed. */
export function rightsInConflict({ path, base, mine, theirs }: Conflict): RightConflict[] {
  const isGrant = path.length === 2 && path[0] === "grants";
  const report = (key: string, ...nodes: [MaybeNode, MaybeNode, MaybeNode]) => {
    const [was, own, other] = nodes.map((node) => (node ? (valueAt(node) ?? true) : null));
    return { key, base: was ?? null, mine: own ?? null, theirs: other ?? null };
  };
  const rights = keysOf(mine).flatMap((right) => {
    const [was, own, other] = [base, mine, theirs].map((grant) => nodeAt(grant, [right]));
    if (isSame(was, own) || isSame(own, other)) return [];
    return [report([...path, right].join("/"), was, own, other)];
  });
  if (isGrant && mine) return rights;
  return [report(path.join("/") + (isGrant ? "/" : ""), base, mine, theirs)];
}
