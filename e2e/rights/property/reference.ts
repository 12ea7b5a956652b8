/**
 * Who may read and write what, written down naively from chapter 6 of the specification. Tables, fields and
 * options are objects of their own here: their names are only looked up to make a call.
 */

export interface RefField {
  name: string;
  former: string[];
  type: "text" | "longText" | "select" | "person";
  /** The fields that its value is made from. */
  inputs: RefField[];
  /** How the value is derived from them; users fill the field if there is none. */
  made: "expression" | "derive" | "state" | null;
  options: RefOption[];
  id: string | null;
}

export interface RefOption {
  value: string;
  former: string[];
}

export type RefRow = Map<RefField, string>;

/** A change of a record: before and after, null if there was no record. */
export interface RefChange {
  before: RefRow | null;
  after: RefRow | null;
}

export interface RefTable {
  name: string;
  former: string[];
  fields: RefField[];
  records: Map<string, RefRow>;
  history: Map<string, RefChange[]>;
  id: string | null;
}

/** A row filter of one comparison. */
export interface RefRows {
  field: RefField;
  op: "eq" | "ne";
  value: RefOption | "$me" | "$me.team";
}

export interface RefGrant {
  read: boolean;
  rows: RefRows | null;
  hide: RefField[];
  /** The names by which fields are hidden: a hidden one stays hidden, also for a field that takes its name. */
  hiddenNames: string[];
  create: boolean;
  update: boolean;
  updateRows: RefRows | null;
  /** Null for every field that is seen. */
  writable: RefField[] | null;
  delete: boolean;
  history: boolean;
  transitions: boolean | string[];
}

/** The only transitions, the same in every table; a record begins in the first state. */
export const transitions = [
  { name: "finish", from: "open", to: "done" },
  { name: "reopen", from: "done", to: "open" },
] as const;
export type RefTransition = (typeof transitions)[number];
export const firstState = "open";

export interface RefRole {
  id: string;
  rights: string[];
  grants: Map<RefTable, RefGrant>;
  others: RefGrant | null;
}

export interface RefUser {
  id: string;
  role: RefRole;
  team: string | null;
}

/** Means every future table. */
export const future: RefTable = {
  name: "",
  former: [],
  fields: [],
  records: new Map(),
  history: new Map(),
  id: null,
};

const nothing: RefGrant = {
  read: false,
  rows: null,
  hide: [],
  hiddenNames: [],
  create: false,
  update: false,
  updateRows: null,
  writable: null,
  delete: false,
  history: false,
  transitions: false,
};

function grantOn({ role }: RefUser, table: RefTable): RefGrant {
  return role.grants.get(table) ?? role.others ?? nothing;
}

function matches(rows: RefRows | null, row: RefRow, user: RefUser, table: RefTable): boolean {
  if (!rows) return true;
  // What a right compares with is removed or unknown: nothing matches.
  if (!table.fields.includes(rows.field)) return false;
  const value =
    rows.value === "$me" ? user.id : rows.value === "$me.team" ? user.team : rows.value.value;
  if (value === null) return false;
  return (row.get(rows.field) === value) === (rows.op === "eq");
}

function isHidden(field: RefField, grant: RefGrant): boolean {
  return isNamed(field, grant) || field.inputs.some((input) => isHidden(input, grant));
}

function isNamed({ name, former }: RefField, { hiddenNames }: RefGrant): boolean {
  return [name, ...former].some((one) => hiddenNames.includes(one));
}

/** A renamed hidden field is hidden by its new name too. */
export function followNames(grant: RefGrant): void {
  for (const field of grant.hide) if (!isNamed(field, grant)) grant.hiddenNames.push(field.name);
}

/** A field that was computed from a hidden one is hidden by its own name when it is not any more: it holds what was computed. */
export function hideFreed(grant: RefGrant, field: RefField, inputs: readonly RefField[]): void {
  if (!inputs.some((input) => isHidden(input, grant)) || isHidden(field, grant)) return;
  grant.hide.push(field);
  grant.hiddenNames.push(field.name);
}

export function visibleFields(user: RefUser, table: RefTable): RefField[] {
  const grant = grantOn(user, table);
  return grant.read ? table.fields.filter((field) => !isHidden(field, grant)) : [];
}

export function mayReadTable(user: RefUser, table: RefTable): boolean {
  return grantOn(user, table).read;
}

export function mayRead(user: RefUser, table: RefTable, row: RefRow): boolean {
  const { read, rows } = grantOn(user, table);
  return read && matches(rows, row, user, table);
}

export function mayReadHistory(user: RefUser, table: RefTable): boolean {
  return mayReadTable(user, table) && grantOn(user, table).history;
}

export function mayUpdate(
  user: RefUser,
  table: RefTable,
  images: readonly [RefRow, RefRow],
  fields: readonly RefField[],
): boolean {
  const { update, updateRows, writable } = grantOn(user, table);
  const visible = visibleFields(user, table);
  return (
    update &&
    mayRead(user, table, images[0]) &&
    images.every((row) => matches(updateRows, row, user, table)) &&
    fields.every((one) => visible.includes(one) && (writable?.includes(one) ?? true)) &&
    fields.every((one) => one.made !== "expression" && one.made !== "state")
  );
}

export function mayCreate(
  user: RefUser,
  table: RefTable,
  row: RefRow,
  given: readonly RefField[],
): boolean {
  const visible = visibleFields(user, table);
  return (
    grantOn(user, table).create &&
    mayRead(user, table, row) &&
    given.every((one) => visible.includes(one) && one.made !== "expression") &&
    row.get(stateOf(table)) === firstState
  );
}

/** A record is restored complete, by users who could read it as it was deleted and may create records. */
export function mayRestore(user: RefUser, table: RefTable, deleted: RefRow): boolean {
  return grantOn(user, table).create && mayRead(user, table, deleted);
}

export function mayRun(user: RefUser, table: RefTable, { name }: RefTransition): boolean {
  const { transitions: granted } = grantOn(user, table);
  const isGranted = typeof granted === "boolean" ? granted : granted.includes(name);
  return isGranted && visibleFields(user, table).includes(stateOf(table));
}

export function stateOf(table: RefTable): RefField {
  const field = table.fields.find(({ made }) => made === "state");
  if (!field) throw new Error(`${table.name} has no states.`);
  return field;
}

export function mayDelete(user: RefUser, table: RefTable, row: RefRow): boolean {
  return grantOn(user, table).delete && mayRead(user, table, row);
}

/** Every row that differs in what row filters can compare, for these users and all options. */
function sampleRows(table: RefTable, users: readonly string[]): RefRow[] {
  const choices = table.fields
    .filter(({ type }) => type === "select" || type === "person")
    .map((field): [RefField, string[]] => [
      field,
      field.type === "person" ? [...users] : field.options.map(({ value }) => value),
    ]);
  let rows: RefRow[] = [new Map()];
  for (const [field, values] of choices) {
    rows = rows.flatMap((row) => [row, ...values.map((value) => new Map(row).set(field, value))]);
  }
  return rows;
}

/** Everything that a user may do, over all rows that a filter can distinguish. */
export function accessOf(
  user: RefUser,
  tables: readonly RefTable[],
  users: readonly string[],
): Set<string> {
  const access = new Set(user.role.rights.map((right) => `right ${right}`));
  for (const [at, table] of [future, ...tables].entries()) {
    if (!mayReadTable(user, table)) continue;
    access.add(`${at} read`);
    if (mayReadHistory(user, table)) access.add(`${at} history`);
    if (grantOn(user, table).create) access.add(`${at} create`);
    if (grantOn(user, table).delete) access.add(`${at} delete`);
    if (grantOn(user, table).update) access.add(`${at} update`);
    for (const one of table === future ? [] : transitions) {
      if (mayRun(user, table, one)) access.add(`${at} run ${one.name}`);
    }
    const fields = visibleFields(user, table);
    for (const field of fields) access.add(`${at} field ${table.fields.indexOf(field)}`);
    for (const [number, row] of sampleRows(table, users).entries()) {
      if (!mayRead(user, table, row)) continue;
      access.add(`${at} row ${number}`);
      for (const field of fields) {
        const writes = mayUpdate(user, table, [row, row], [field]);
        if (writes) access.add(`${at} row ${number} write ${table.fields.indexOf(field)}`);
      }
    }
  }
  return access;
}

/** What the first may do and the second may not. */
export function beyond(theirs: Set<string>, mine: Set<string>): string[] {
  return [...theirs].filter((one) => !mine.has(one));
}
