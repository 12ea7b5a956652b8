import { type RawBuilder, sql } from "kysely";
import type pg from "pg";
import type { Json } from "../../shared/filter/filter.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import { runBatch } from "./batch.ts";
import { documentExpression, documentOf, fromText, valueColumns } from "./columns.ts";
import type { Database, Db } from "./database.ts";
import { columnRef, idRef, tableRef } from "./identifiers.ts";
import {
  holdersOf,
  type KeyHolders,
  type KeyRequest,
  type KeyRow,
  keyLocks,
  keyOf,
  keyQuery,
} from "./key-holders.ts";
import {
  type MutationKey,
  repeatsStatement,
  type StateRow,
  type StoredMutation,
  stateStatement,
} from "./mutations.ts";
import { preparedText, type Statement, statementOf } from "./prepared-text.ts";

/** What a group of ops needs to know for its evaluation. */
export interface LoadRequest {
  /**
   * Records that ops name, to be locked; `deletes` if one of them is to be deleted, `made` those that an op
   * creates and that are not expected to exist, `restored` those that it restores: they may exist or not.
   */
  records: {
    table: Table;
    ids: string[];
    deletes: boolean;
    made: Set<string>;
    restored: Set<string>;
  }[];
  /**
   * Ids that link and `person` fields will point to. `table` null: users. `whole` if somebody may read only
   * some of the table's records: authorising that needs their values.
   */
  targets: { table: Table | null; ids: string[]; withValues: boolean }[];
  /** Normalised values that unique fields will hold, as text. */
  uniques: { table: Table; field: Field; values: string[] }[];
  keys: KeyRequest[];
  mutations: MutationKey[];
  /**
   * Whether to wait for records that others have locked. A group skips them: one open transaction of another
   * program must never delay everybody. Nothing is locked for a dry run.
   */
  lock: "wait" | "skip" | "none";
}

export interface LoadedRows {
  feeds: Map<string, { epoch: string; head: number }>;
  /** By table name, then id. A record that is absent does not exist. */
  records: Map<string, Map<string, Values>>;
  /** By table name: existing records and link targets that others have locked, when they were not waited for. */
  locked: Map<string, Set<string>>;
  /** By table name ("" for users): the ids that exist, with values if requested. */
  targets: Map<string, Map<string, Values | null>>;
  /** By `table.field`, then value: the record that holds it. */
  uniques: Map<string, Map<string, string>>;
  /** By `keyOf`. */
  keys: Map<string, KeyHolders>;
  mutations: StoredMutation[];
  /**
   * The published version, read after the locks: it can't change for these tables until the transaction ends.
   */
  modelVersion: number;
}

/**
 * Locks and reads in one round trip, `first` before all else. Records are locked in id order, so that two
 * groups on two servers can't deadlock; keys after them, so that nobody waits for a key while its holder waits
 * for a record.
 */
export async function loadForWrite(
  client: pg.Client,
  db: Db,
  request: LoadRequest,
  first: readonly Statement[] = [],
): Promise<LoadedRows> {
  const locks = keyLocks(request.keys);
  const answers = await runBatch(client, [
    ...first,
    ...request.records.map((part) => lockStatement(db, part, request.lock)),
    ...request.targets.map((part) => statementOf(targetQuery(part, lockOf(request)).compile(db))),
    ...locks,
    stateStatement(
      request.mutations,
      request.records.map(({ table }) => table.name),
    ),
    ...request.uniques.map((part) => statementOf(uniqueQuery(part).compile(db))),
    ...request.keys.map((part) => statementOf(keyQuery(part).compile(db))),
  ]);
  const inOrder = answers.slice(first.length).values();
  const next = <Row>() => inOrder.next().value?.rows as Row[];
  const records = mapOf(request.records, ({ table }) => [
    table.name,
    new Map(next<LockedRow>().map((row) => [row[0], documentOf(table, row, 1)])),
  ]);
  const targets = mapOf(request.targets, ({ table }) => [
    table?.name ?? "",
    new Map(next<TargetRow>().map((row) => [row.id, row.values])),
  ]);
  for (const _ of locks) next();
  const states = next<StateRow>();
  const uniques = mapOf(request.uniques, ({ table, field }) => [
    `${table.name}.${field.name}`,
    new Map(next<TakenRow>().map((row) => [row.value, row.id])),
  ]);
  const keys = mapOf(request.keys, (part) => [keyOf(part), holdersOf(part, next<KeyRow>())]);
  return {
    feeds: mapOf(states, ({ table, epoch, head }) => [table, { epoch, head }]),
    records,
    locked:
      request.lock !== "skip"
        ? new Map()
        : await findLocked(client, db, request, { records, targets }),
    targets,
    uniques,
    keys,
    mutations: states[0]?.isRepeat ? await findRepeats(client, request.mutations) : [],
    modelVersion: states[0]?.model ?? 0,
  };
}

/** Reads what validating ops needs, for a dry run. */
export async function loadWithoutLocks(
  { pool, kysely }: Pick<Database, "pool" | "kysely">,
  request: Omit<LoadRequest, "lock">,
): Promise<LoadedRows> {
  const client = await pool.connect();
  try {
    return await loadForWrite(client as pg.PoolClient & pg.Client, kysely, {
      ...request,
      lock: "none",
    });
  } finally {
    client.release();
  }
}

async function findRepeats(
  client: pg.Client,
  keys: readonly MutationKey[],
): Promise<StoredMutation[]> {
  const { rows } = await client.query<{ stored: StoredMutation[] | null }>(repeatsStatement(keys));
  return rows[0]?.stored ?? [];
}

/**
 * Of the records and link targets that could not be locked at once: those that exist. It looks for all that are restored, so that a record that
 * exists, and is hidden from who restores it, costs the same statements as one that does not.
 */
async function findLocked(
  client: pg.Client,
  db: Db,
  request: LoadRequest,
  { records, targets }: Pick<LoadedRows, "records" | "targets">,
): Promise<LoadedRows["locked"]> {
  const missing = new Map<Table, string[]>();
  const note = (table: Table, ids: string[]) =>
    ids.length && missing.set(table, [...(missing.get(table) ?? []), ...ids]);
  const made = new Map(request.records.map((part) => [part.table.name, part.made]));
  const isHeld = (table: Table, id: string) => records.get(table.name)?.has(id) === true;
  for (const { table, ids, made: own, restored } of request.records) {
    note(
      table,
      ids.filter((id) => restored.has(id) || (!own.has(id) && !isHeld(table, id))),
    );
  }
  for (const { table, ids } of request.targets) {
    if (!table) continue;
    const found = targets.get(table.name);
    note(
      table,
      ids.filter((id) => !found?.has(id) && !made.get(table.name)?.has(id)),
    );
  }
  const locked: LoadedRows["locked"] = new Map();
  for (const [table, ids] of missing) {
    const query = targetQuery({ table, ids, withValues: false }, "");
    const { rows } = await client.query<TargetRow>(statementOf(query.compile(db)));
    const found = rows.map(({ id }) => id).filter((id) => !isHeld(table, id));
    locked.set(table.name, new Set(found));
  }
  return locked;
}

/** The id and the columns of `valueColumns`. */
type LockedRow = [id: string, ...values: Json[]];
interface TargetRow {
  id: string;
  values: Values | null;
}
interface TakenRow {
  id: string;
  value: string;
}

function mapOf<Part, Value>(
  parts: readonly Part[],
  entry: (part: Part) => [string, Value],
): Map<string, Value> {
  return new Map(parts.map(entry));
}

/** An update does not change the key, so it need not wait for transactions that merely link to the record. */
function lockStatement(
  db: Db,
  { table, ids, deletes }: LoadRequest["records"][number],
  lock: LoadRequest["lock"],
): Statement {
  const strength = lockClause(lock, deletes ? "for update" : "for no key update");
  const id = idRef("t");
  const prepared = preparedText(
    table,
    strength,
    () =>
      sql`select ${sql.join([id, ...valueColumns(table, "t")])}
        from ${tableRef(table)} t where ${id} = any(${sql.raw("$1")}::text[])
        order by ${id} ${sql.raw(strength)}`.compile(db).sql,
  );
  return { text: prepared.sql, name: prepared.name, values: [ids], asArrays: true };
}

/** A link target can't be deleted: the lock that the foreign key takes anyway, without waiting for it. */
const lockOf = ({ lock }: LoadRequest) => lockClause(lock, "for key share of t");

function lockClause(lock: LoadRequest["lock"], strength: string): string {
  if (lock === "none") return "";
  return lock === "wait" ? strength : `${strength} skip locked`;
}

function targetQuery(
  { table, ids, withValues }: LoadRequest["targets"][number],
  lock: string,
): RawBuilder<unknown> {
  if (!table) {
    return sql`select id, null as values from watchfloor."user" where id = any(${ids}::text[])`;
  }
  const values = withValues ? documentExpression(table, "t") : sql`null`;
  return sql`select ${idRef("t")} as id, ${values} as values from ${tableRef(table)} t
    where ${idRef("t")} = any(${ids}::text[]) ${sql.raw(lock)}`;
}

function uniqueQuery({ table, field, values }: LoadRequest["uniques"][number]) {
  const convertedValue = fromText(field, sql`v.value`);
  return sql`select ${idRef("t")} as id, v.value
    from unnest(${values}::text[]) as v(value)
    join ${tableRef(table)} t on ${columnRef(field, "t")} = ${convertedValue}`;
}
