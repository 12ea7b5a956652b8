import { type Kysely, type RawBuilder, sql } from "kysely";
import type pg from "pg";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import { columnName, documentExpression, idColumn } from "./columns.ts";
import { findMutations, type KeptMutation, type MutationKey } from "./mutations.ts";
import { preparedText, type Statement, statementOf } from "./prepared-text.ts";

/** What a group of ops needs to know before it can be judged. */
export interface LoadRequest {
  /**
   * Records that ops name, to be locked; `deletes` where one of them is to be deleted, `made` those
   * that an op makes and that are not expected to be there.
   */
  records: { table: Table; ids: string[]; deletes: boolean; made: Set<string> }[];
  /**
   * Ids that link and person fields shall point to. `table` null: the people who sign in. `whole`
   * where somebody may read only some of the table's records: judging that needs their values.
   */
  targets: { table: Table | null; ids: string[]; whole: boolean }[];
  /** Values that unique fields shall hold. */
  uniques: { table: Table; field: Field; values: string[] }[];
  mutations: MutationKey[];
  /**
   * Whether to wait for records that others have locked. A group does not: one open transaction of
   * another program must never hold up everybody.
   */
  wait: boolean;
}

export interface LoadedRows {
  feeds: Map<string, { epoch: string; head: number }>;
  /** By table name, then id. A record that is absent does not exist. */
  records: Map<string, Map<string, Values>>;
  /** By table name: records that are there but locked by others, when they were not waited for. */
  busy: Map<string, Set<string>>;
  /** By table name ("" for the people who sign in): the ids that exist, with values where asked for. */
  targets: Map<string, Map<string, Values | null>>;
  /** By `table.field`, then value: the record that holds it. */
  uniques: Map<string, Map<string, string>>;
  mutations: KeptMutation[];
  /** Of the model in force, read after the locks: until the transaction ends it rules these tables. */
  modelVersion: number;
}

/**
 * Locks and reads in one go: every query is sent before the first answer is awaited, so the caller's
 * connection must be pipelined to profit. Records are locked in id order, so that two groups on two
 * nodes can't wait for each other in a circle.
 */
export async function loadForWrite(
  client: pg.Client,
  db: Kysely<unknown>,
  request: LoadRequest,
): Promise<LoadedRows> {
  const run = <Row extends pg.QueryResultRow = { id: string }>(query: RawBuilder<unknown>) =>
    client.query<Row>(statementOf(query.compile(db)));
  const locked = request.records.map((part) =>
    client.query<LockedRow>(lockStatement(db, part, request.wait)),
  );
  const kept = findMutations(client, request.mutations);
  const found = request.targets.map((part) => run<TargetRow>(targetQuery(part)));
  const taken = request.uniques.map((part) => run<TakenRow>(uniqueQuery(part)));
  const all: Promise<unknown>[] = [...locked, kept, ...found, ...taken];
  await Promise.allSettled(all);
  const rowsOf = async <Row>(query: Promise<{ rows: Row[] }>) => (await query).rows;
  const records = await zip(request.records, locked, async ({ table }, query) => [
    table.name,
    new Map((await rowsOf(query)).map((row) => [row.id, row.values])),
  ]);
  return {
    feeds: new Map((await kept).feeds.map((feed) => [feed.table, feed])),
    records,
    busy: request.wait ? new Map() : await findBusy(request, records, run),
    targets: await zip(request.targets, found, async ({ table }, query) => [
      table?.name ?? "",
      new Map((await rowsOf(query)).map((row) => [row.id, row.values])),
    ]),
    uniques: await zip(request.uniques, taken, async ({ table, field }, query) => [
      `${table.name}.${field.name}`,
      new Map((await rowsOf(query)).map((row) => [row.value, row.id])),
    ]),
    mutations: (await kept).kept,
    modelVersion: (await kept).model,
  };
}

/** Of the records that could not be locked at once: those that are there all the same. */
async function findBusy(
  request: LoadRequest,
  locked: LoadedRows["records"],
  run: (query: RawBuilder<unknown>) => Promise<{ rows: { id: string }[] }>,
): Promise<LoadedRows["busy"]> {
  const busy: LoadedRows["busy"] = new Map();
  for (const { table, ids, made } of request.records) {
    const missing = ids.filter((id) => !made.has(id) && !locked.get(table.name)?.has(id));
    if (missing.length === 0) continue;
    const { rows } = await run(targetQuery({ table, ids: missing, whole: false }));
    busy.set(table.name, new Set(rows.map((row) => row.id)));
  }
  return busy;
}

interface LockedRow {
  id: string;
  values: Values;
}
interface TargetRow {
  id: string;
  values: Values | null;
}
interface TakenRow {
  id: string;
  value: string;
}

async function zip<Part, Query, Value>(
  parts: readonly Part[],
  queries: readonly Query[],
  entry: (part: Part, query: Query) => Promise<[string, Value]>,
): Promise<Map<string, Value>> {
  return new Map(await Promise.all(parts.map((part, i) => entry(part, queries[i] as Query))));
}

/** An update keeps the key, so it need not wait for those who merely link to the record. */
function lockStatement(
  db: Kysely<unknown>,
  { table, ids, deletes }: LoadRequest["records"][number],
  wait: boolean,
): Statement {
  const strength = `${deletes ? "for update" : "for no key update"}${wait ? "" : " skip locked"}`;
  const id = sql.id("t", idColumn);
  const prepared = preparedText(
    table,
    strength,
    () =>
      sql`select ${id} as id, ${documentExpression(table, "t")} as values
        from ${sql.id(table.name)} t where ${id} = any(${sql.raw("$1")}::text[])
        order by ${id} ${sql.raw(strength)}`.compile(db).sql,
  );
  return { text: prepared.sql, name: prepared.name, values: [ids] };
}

function targetQuery({ table, ids, whole }: LoadRequest["targets"][number]): RawBuilder<unknown> {
  if (!table) {
    return sql`select id, null as values from watchfloor."user" where id = any(${ids}::text[])`;
  }
  const values = whole ? documentExpression(table, "t") : sql`null`;
  return sql`select ${sql.id("t", idColumn)} as id, ${values} as values from ${sql.id(table.name)} t
    where ${sql.id("t", idColumn)} = any(${ids}::text[])`;
}

function uniqueQuery({ table, field, values }: LoadRequest["uniques"][number]) {
  const column = sql.id(columnName(field));
  return sql`select ${sql.id(idColumn)} as id, ${column}::text as value
    from ${sql.id(table.name)} where ${column}::text = any(${values}::text[])`;
}
