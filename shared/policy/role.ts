import type { Filter } from "../filter/filter.ts";
import type { Table } from "../model/model.ts";

/** What a role may do to the records of one table. Nothing granted is nothing allowed. */
export interface Grant {
  read?: boolean | { filter?: Filter; hide?: string[] };
  create?: boolean;
  /** Also in states where records do not begin: an import that brings history needs it. */
  createInAnyState?: boolean;
  update?: boolean | { filter?: Filter; fields?: string[] };
  delete?: boolean | { filter?: Filter };
  transitions?: boolean | string[];
  export?: boolean;
  history?: boolean;
  comment?: boolean;
}

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

/** The roles that are always there. Owner differs from Admin in that only an owner may make owners. */
export const builtInRoles: readonly Role[] = [
  { id: "owner", name: "Owner", rights: [...administrativeRights], grants: { "*": everything } },
  { id: "admin", name: "Admin", rights: [...administrativeRights], grants: { "*": everything } },
  { id: "editor", name: "Editor", rights: [], grants: { "*": work } },
  { id: "viewer", name: "Viewer", rights: [], grants: { "*": { read: true, history: true } } },
  { id: "display", name: "Display", rights: [], grants: {} },
];

/**
 * The grant of a role on a table; an empty one where nothing is granted. A table that was renamed
 * keeps what was granted under its old name: it must not fall to the grant on all others.
 */
export function grantOn(role: Role, table: Pick<Table, "name" | "formerly">): Grant {
  return grantNamed(role, grantKey(role.grants, table) ?? table.name);
}

/** The name under which a table's own grant is kept; null where it has none. */
export function grantKey(
  grants: Role["grants"],
  { name, formerly = [] }: Pick<Table, "name" | "formerly">,
): string | null {
  return [name, ...formerly].find((one) => Object.hasOwn(grants, one)) ?? null;
}

/**
 * Whether a role may keep views of its own on a table that it reads: who works in the table may, who only
 * looks uses those that are shared.
 */
export function mayKeepViews(role: Role, table: Pick<Table, "name" | "formerly">): boolean {
  const grant = grantOn(role, table);
  const works = [grant.create, grant.update, grant.delete, grant.transitions].some(isGranted);
  return Boolean(grant.read) && (works || role.rights.includes("sharedViews"));
}

function isGranted(right: unknown): boolean {
  return Array.isArray(right) ? right.length > 0 : Boolean(right);
}

/** Every row filter of a role. */
export function filtersOf({ grants }: Pick<Role, "grants">): Filter[] {
  const rows = Object.values(grants).flatMap((grant) => [grant.read, grant.update, grant.delete]);
  return rows.flatMap((one) => (typeof one === "object" && one.filter ? [one.filter] : []));
}

/** The grant by the name it is kept under. */
export function grantNamed(role: Role, name: string): Grant {
  if (Object.hasOwn(role.grants, name)) return role.grants[name] ?? {};
  return role.grants["*"] ?? {};
}
