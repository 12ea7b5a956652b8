import type { Json } from "../filter/filter.ts";
import { sameValue } from "../model/same-value.ts";
import type { AdministrativeRight, Grant, Role } from "./role.ts";

/**
 * A role taken apart into what can be changed by itself: its name, each administrative right, and each
 * right on each table. Two who edit a role at once are compared part by part: the screen shows a clash
 * and the server refuses it by this same function.
 */
export type RoleParts = Readonly<Record<string, Json>>;

export type RoleForm = Pick<Role, "name" | "rights" | "grants">;

const NAME = "name";
const RIGHTS = "rights/";
const GRANTS = "grants/";

/** The part of an administrative right. */
const rightPart = (right: AdministrativeRight): string => `${RIGHTS}${right}`;

/** The part of a right on a table; without a right, whether the table has a grant of its own. */
export const grantPart = (table: string, right: keyof Grant | "" = ""): string =>
  `${GRANTS}${table}/${right}`;

/** What a part is about, for saying so. */
export type PartSubject =
  | { kind: "name" }
  | { kind: "right"; right: AdministrativeRight }
  | { kind: "grant"; table: string; right: keyof Grant | "" };

export function subjectOf(part: string): PartSubject {
  if (part === NAME) return { kind: "name" };
  if (part.startsWith(RIGHTS)) {
    return { kind: "right", right: part.slice(RIGHTS.length) as AdministrativeRight };
  }
  const end = part.lastIndexOf("/");
  const right = part.slice(end + 1) as keyof Grant | "";
  return { kind: "grant", table: part.slice(GRANTS.length, end), right };
}

export function partsOf({ name, rights, grants }: RoleForm): RoleParts {
  const own = Object.entries(grants).flatMap(([table, grant]): [string, Json][] => [
    [grantPart(table), true],
    ...Object.entries(grant).map(([right, value]): [string, Json] => [
      grantPart(table, right as keyof Grant),
      value as Json,
    ]),
  ]);
  const held = rights.map((right): [string, Json] => [rightPart(right), true]);
  return Object.fromEntries([[NAME, name], ...held, ...own]);
}

/** The role that parts make; what is not granted may be there as `false`, and is kept so. */
export function formOf(parts: RoleParts): RoleForm {
  const form: RoleForm = { name: "", rights: [], grants: {} };
  for (const [part, value] of Object.entries(parts)) {
    const subject = subjectOf(part);
    if (subject.kind === "name") form.name = String(value);
    else if (subject.kind === "right") form.rights.push(subject.right);
    else {
      const grant = { ...form.grants[subject.table] } as Record<string, Json>;
      if (subject.right !== "") grant[subject.right] = value;
      form.grants[subject.table] = grant as Grant;
    }
  }
  return form;
}

/** Whether a part is the same in both; what is absent is not granted, as if it said `false`. */
function samePart(part: string, a: RoleParts, b: RoleParts): boolean {
  const [one, other] = [a, b].map((of) => of[part] || undefined);
  if (one === undefined || other === undefined) return one === other;
  return sameValue("json", one, other);
}

/** The parts that differ. */
export function partsChanged(from: RoleParts, to: RoleParts): string[] {
  const all = new Set([...Object.keys(from), ...Object.keys(to)]);
  return [...all].filter((part) => !samePart(part, from, to));
}

/**
 * My changes on top of theirs, both made of `base`. A clash is a part that both changed, and not to
 * the same, or a right on a table whose own grant the other one gave or took away: there, the merged
 * role has theirs.
 */
export function mergeParts(
  base: RoleParts,
  mine: RoleParts,
  theirs: RoleParts,
): { merged: RoleParts; clashes: string[] } {
  const clashes: string[] = [];
  const merged: Record<string, Json> = { ...theirs };
  const changed = partsChanged(base, theirs);
  for (const part of partsChanged(base, mine)) {
    const touched = changed.some((other) => other === part || concerns(other, part));
    if (touched && !samePart(part, mine, theirs)) clashes.push(part);
    else setPart(merged, part, mine[part]);
  }
  return { merged, clashes };
}

/** Whether one part says that a table has a grant of its own, and the other is a right of that grant. */
function concerns(one: string, other: string): boolean {
  const [a, b] = [subjectOf(one), subjectOf(other)];
  if (a.kind !== "grant" || b.kind !== "grant" || a.table !== b.table) return false;
  return (a.right === "") !== (b.right === "");
}

/** Puts a part in place; `undefined` takes it away. */
export function setPart(parts: Record<string, Json>, part: string, value: Json | undefined): void {
  if (value === undefined) delete parts[part];
  else parts[part] = value;
}
