import type { SeededRandom } from "../../convergence/seeded-random.ts";
import {
  type RefField,
  type RefGrant,
  type RefRole,
  type RefRows,
  type RefTable,
  transitions,
} from "./reference.ts";

/** Grants at random, and how a call writes them. */

export function randomGrant(random: SeededRandom, table: RefTable | null): RefGrant {
  const likely = (chance: number) => random.next() < chance;
  const read = likely(0.85);
  const update = likely(0.6);
  const named = transitions.map(({ name }) => name);
  const some = (fields: readonly RefField[]) => fields.filter(() => likely(0.35));
  return {
    read,
    rows: table && likely(0.4) ? randomRows(random, table) : null,
    hide: table && likely(0.5) ? some(table.fields) : [],
    hiddenNames: [],
    create: likely(0.4),
    update,
    updateRows: table && likely(0.3) ? randomRows(random, table) : null,
    writable: table && likely(0.3) ? some(table.fields) : null,
    delete: likely(0.3),
    history: likely(0.4),
    // A grant on all other tables is a plain yes or no.
    transitions: likely(0.4) || (table ? named.filter(() => likely(0.5)) : false),
  };
}

function randomRows(random: SeededRandom, table: RefTable): RefRows | null {
  const field = random.pick(
    table.fields.filter(({ type }) => type === "select" || type === "person"),
  );
  const op = random.draw([
    [3, "eq"],
    [1, "ne"],
  ] as const);
  if (!field) return null;
  if (field.type === "person") return { field, op, value: "$me" };
  return { field, op, value: random.next() < 0.5 ? "$me.team" : random.pick(field.options) };
}

/** A grant under which a user may do no more than under another one, or the same. */
export function narrower(random: SeededRandom, grant: RefGrant): RefGrant {
  const retain = (held: boolean) => held && random.next() < 0.7;
  return {
    ...grant,
    create: retain(grant.create),
    update: retain(grant.update),
    delete: retain(grant.delete),
    history: retain(grant.history),
    transitions: random.next() < 0.7 && grant.transitions,
  };
}

export type NameOf = (item: { name: string; former: string[] }) => string;

/**
 * The grant as a call writes it, which preserves the names that hide its fields; `whole` includes what is not
 * granted, as a change must.
 */
export function writeGrant(
  grant: RefGrant,
  nameOf: NameOf,
  whole: boolean,
): Record<string, unknown> {
  const rows = (of: RefRows | null) =>
    of && {
      filter: {
        field: nameOf(of.field),
        op: of.op,
        value: typeof of.value === "string" ? of.value : of.value.value,
      },
    };
  const part = (granted: boolean, limits: object) =>
    granted ? (Object.keys(limits).length > 0 ? limits : true) : null;
  grant.hiddenNames = grant.hide.map(nameOf);
  const hide = grant.hide.length > 0 ? { hide: grant.hiddenNames } : {};
  const fields = grant.writable ? { fields: grant.writable.map(nameOf) } : {};
  const all = {
    read: part(grant.read, { ...rows(grant.rows), ...hide }),
    update: part(grant.update, { ...rows(grant.updateRows), ...fields }),
    create: grant.create || null,
    delete: grant.delete || null,
    history: grant.history || null,
    transitions: grant.transitions || null,
  };
  return whole
    ? all
    : Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

export function writeGrants(role: Pick<RefRole, "grants" | "others">, nameOf: NameOf) {
  const own = [...role.grants].map(([table, grant]) => [
    nameOf(table),
    writeGrant(grant, nameOf, false),
  ]);
  const others = role.others ? [["*", writeGrant(role.others, nameOf, false)]] : [];
  return Object.fromEntries([...own, ...others]);
}

const plain = { rows: null, hide: [], hiddenNames: [], updateRows: null, writable: null };
const work = {
  ...plain,
  read: true,
  create: true,
  update: true,
  delete: true,
  history: true,
  transitions: true,
};

export const viewer: RefRole = {
  id: "viewer",
  rights: [],
  grants: new Map(),
  others: { ...work, create: false, update: false, delete: false, transitions: false },
};
export const editor: RefRole = { id: "editor", rights: [], grants: new Map(), others: work };
