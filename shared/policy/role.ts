import type { z } from "zod";
import type { Filter } from "../filter/filter.ts";
import { resolveTable } from "../model/former-names.ts";
import type { Model, Table } from "../model/model.ts";
import { grantByCurrentNames } from "./current-names.ts";
import { intersectGrants } from "./intersect-grants.ts";
import type { grantSchema } from "./role-schema.ts";

/** The parts of a table that resolve its grants. */
export type GrantTable = Pick<Table, "name" | "formerly" | "fields">;

/** What a role may do to the records of one table. Nothing granted is nothing allowed. */
export type Grant = z.infer<typeof grantSchema>;

export const administrativeRights = [
  "users",
  "roles",
  "model",
  "sharedViews",
  "wallboards",
  "displays",
  "tokens",
  "webhooks",
  "activity",
  "system",
] as const;
export type AdministrativeRight = (typeof administrativeRights)[number];

/** A role: administrative rights, and grants by table; `"*"` grants on every table not named. */
export interface Role {
  id: string;
  name: string;
  rights: AdministrativeRight[];
  grants: Record<string, Grant>;
  /** Only of an API token with a role of its own: the role of its creator, which bounds every grant. */
  within?: Role;
}

/** What both roles allow: the role of an API token, bounded by that of its creator. */
export function narrowRole(role: Role, within: Role): Role {
  return { ...role, rights: role.rights.filter((right) => within.rights.includes(right)), within };
}

/** Whether rights depend on the role: it is the role, or the one that bounds it. */
export function dependsOnRole({ id, within }: Role, role: string): boolean {
  return id === role || within?.id === role;
}

const work: Grant = {
  read: true,
  create: true,
  update: true,
  delete: true,
  transitions: true,
  export: true,
  history: true,
  comment: true,
};
const everything: Grant = { ...work, createInAnyState: true };

/** The built-in roles. Owner differs from Admin in that only an owner may create owners. */
export const builtInRoles: readonly Role[] = [
  { id: "owner", name: "Owner", rights: [...administrativeRights], grants: { "*": everything } },
  { id: "admin", name: "Admin", rights: [...administrativeRights], grants: { "*": everything } },
  { id: "editor", name: "Editor", rights: [], grants: { "*": work } },
  { id: "viewer", name: "Viewer", rights: [], grants: { "*": { read: true, history: true } } },
  { id: "display", name: "Display", rights: [], grants: {} },
];

/**
 * The grant of a role on a table, under the current names; empty if nothing is granted. A renamed table
 * preserves what was granted under its old name: it must not fall back to the grant on all others. Every
 * reader and every comparison of grants resolves names here and nowhere else.
 */
export function grantOn(role: Role, table: GrantTable): Grant {
  const key = grantKey(role.grants, table);
  const own =
    (key === null ? undefined : grantByCurrentNames(role.grants[key], table)) ??
    role.grants["*"] ??
    {};
  return role.within ? intersectGrants(own, grantOn(role.within, table)) : own;
}

/** What a role grants on every table that it does not name, including future ones. */
export function others({ grants, within }: Pick<Role, "grants" | "within">): Grant {
  const own = grants["*"] ?? {};
  return within ? intersectGrants(own, others(within)) : own;
}

/** The name under which a table's own grant is stored; null if it has none. */
export function grantKey(
  grants: Role["grants"],
  { name, formerly = [] }: Pick<Table, "name" | "formerly">,
): string | null {
  return [name, ...formerly].find((one) => Object.hasOwn(grants, one)) ?? null;
}

/**
 * Whether a role may have personal views of a table that it reads: users who write there may, others use the
 * shared views.
 */
export function mayOwnViews(role: Role, table: GrantTable): boolean {
  return worksIn(role, table) || canRead(role, table, "sharedViews");
}

/**
 * Whether a role may acknowledge alerts of a table's tiles, which silences them on every screen: not one from which records are hidden,
 * which may be those that others are alerted of.
 */
export function mayAcknowledge(role: Role, table: GrantTable): boolean {
  const { read } = grantOn(role, table);
  if (typeof read === "object" && read.filter) return false;
  return worksIn(role, table) || canRead(role, table, "wallboards");
}

/** Whether a role may change records of a table in any way. */
function worksIn(role: Role, table: GrantTable): boolean {
  const { read, create, update, delete: remove, transitions } = grantOn(role, table);
  return Boolean(read) && [create, update, remove, transitions].some(isGranted);
}

function canRead(role: Role, table: GrantTable, right: AdministrativeRight): boolean {
  return Boolean(grantOn(role, table).read) && role.rights.includes(right);
}

function isGranted(right: unknown): boolean {
  return Array.isArray(right) ? right.length > 0 : Boolean(right);
}

/** Every row filter of a role. */
export function filtersOf({ grants }: Pick<Role, "grants">): Filter[] {
  const rows = Object.values(grants).flatMap((grant) => [grant.read, grant.update, grant.delete]);
  return rows.flatMap((one) => (typeof one === "object" && one.filter ? [one.filter] : []));
}

/**
 * A change of grants under the keys of the stored grants, so that a right given or revoked under a table's
 * new name applies to what was granted under its old one. If a change names a table twice, the current name
 * counts.
 */
export function byStoredKeys<Part>(
  change: Readonly<Record<string, Part>>,
  stored: Readonly<Record<string, Grant>>,
  model: Model,
): Record<string, Part> {
  const named = Object.entries(change).map(([name, part]) => {
    const table = resolveTable(model, name);
    const key = table ? (grantKey(stored, table) ?? table.name) : name;
    return { key, part, isCurrent: table?.name === name };
  });
  const inOrder = [
    ...named.filter((one) => !one.isCurrent),
    ...named.filter((one) => one.isCurrent),
  ];
  return Object.fromEntries(inOrder.map(({ key, part }) => [key, part]));
}
