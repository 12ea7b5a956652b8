import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import {
  type Field,
  findField,
  findTable,
  idOfField,
  idOfTable,
  kindOfType,
  type Model,
  type Table,
  type Values,
} from "../../../shared/model/model.ts";
import { columnName } from "../columns.ts";
import type { Db } from "../database.ts";
import { insertSecurityEvent } from "../users/security-events.ts";
import { EraseError } from "./erase-error.ts";
import { type Counts, scrubCopies } from "./scrub-stored.ts";
import { ERASED, Scrubber } from "./scrubber.ts";

/** Fields of one record whose values are erased, now and in history. */
interface ValuesToErase {
  table: string;
  record: string;
  fields: readonly string[];
}

/**
 * Erases the values of a record's fields: in the record, in the change log, and in every copy (ADR 44). Clients
 * that follow the table load it anew, because its feed begins another epoch.
 */
export async function eraseValues(tx: Db, model: Model, erase: ValuesToErase): Promise<Counts> {
  const table = findTable(model, erase.table);
  if (!table) throw new EraseError(`There is no table ${erase.table}.`);
  const fields = erase.fields.map((name) => {
    const field = findField(table, name);
    if (!field) throw new EraseError(`${table.name} has no field ${name}.`);
    return field;
  });
  const feed = await feedOf(tx, table);
  const { record } = erase;
  const values = await valuesIn(tx, { feed, table, record, fields });
  const records = await eraseCurrent(tx, table, record, fields);
  const changes = await eraseLogged(tx, feed, record, fields);
  if (records + changes === 0) throw new EraseError(`${table.name} never had a record ${record}.`);
  const ops = await eraseOps(tx, table, record, fields);
  const copies = await scrubCopies(tx, new Scrubber(values));
  await scrubReasons(tx, feed, record, new Scrubber(values));
  await sql`select watchfloor.break_epoch(${feed}::int)`.execute(tx);
  await sql`select pg_notify('watchfloor_feed', ${table.name})`.execute(tx);
  await insertSecurityEvent(tx, {
    kind: "values_erased",
    actor: null,
    subject: null,
    ip: null,
    userAgent: null,
    detail: { table: table.name, record, fields: [...erase.fields] },
  });
  return { records, changes, ...copies, "change set ops": ops + (copies["change set ops"] ?? 0) };
}

interface Place {
  feed: number;
  table: Table;
  record: string;
  fields: readonly Field[];
}

async function feedOf(tx: Db, table: Table): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from watchfloor.feed where table_name = ${table.name}`.execute(tx);
  if (!rows[0]) throw new EraseError(`${table.name} has no change log.`);
  return rows[0].id;
}

/** All values that the fields have had, and those of ops that nobody has applied. */
async function valuesIn(tx: Db, { feed, table, record, fields }: Place): Promise<Json[]> {
  const columns = fields.map(columnName);
  const { rows: logged } = await sql<{ before: Values | null; after: Values | null }>`
    select before, after from watchfloor.change
    where feed = ${feed} and record = ${record}`.execute(tx);
  const ids = fields.map(idOfField);
  const { rows: ops } = await sql<{ op: Record<string, Values | undefined> }>`
    select op from watchfloor.change_set_op
    where table_id = ${idOfTable(table)} and record = ${record}`.execute(tx);
  return [
    ...logged.flatMap(({ before, after }) =>
      columns.flatMap((column) => [before?.[column] ?? null, after?.[column] ?? null]),
    ),
    ...ops.flatMap(({ op }) =>
      ids.flatMap((id) => [op.set?.[id], op.base?.[id], op.values?.[id]].map((one) => one ?? null)),
    ),
  ];
}

/** Empties the fields, or fills those that may not be empty with the marker. Computed fields follow by themselves. */
async function eraseCurrent(
  tx: Db,
  table: Table,
  record: string,
  fields: readonly Field[],
): Promise<number> {
  const sets = fields
    .filter(({ expression }) => expression === undefined)
    .map((field) => {
      if (!field.required) return sql`${sql.id(columnName(field))} = null`;
      if (kindOfType[field.type] !== "text") {
        throw new EraseError(`${field.name} is required. Make it optional, or delete the record.`);
      }
      const marker = field.unique ? `${ERASED} ${record}` : ERASED;
      return sql`${sql.id(columnName(field))} = ${marker}`;
    });
  if (sets.length === 0) return 0;
  await sql`select set_config('watchfloor.actor', 'system:erasure', true)`.execute(tx);
  const { numAffectedRows } = await sql`update ${sql.id(table.name)} set ${sql.join(sets)}
    where id::text = ${record}`.execute(tx);
  await sql`set constraints watchfloor.number_changes immediate`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** The log keeps that there was a value. What the record holds now stays the last value of the log. */
async function eraseLogged(
  tx: Db,
  feed: number,
  record: string,
  fields: readonly Field[],
): Promise<number> {
  let changes = 0;
  for (const field of fields) {
    const column = columnName(field);
    const isMarked = field.required && field.expression === undefined;
    const marker = field.unique ? `${ERASED} ${record}` : ERASED;
    const rest = JSON.stringify(isMarked ? marker : null);
    const { numAffectedRows } = await sql`update watchfloor.change set
        erased = coalesce(erased, '{}') || jsonb_build_object(${column}::text, true),
        before = case when before ? ${column} then before || jsonb_build_object(${column}::text,
          case when kind = 'delete' then ${rest}::jsonb end) else before end,
        after = case when after ? ${column} then after || jsonb_build_object(${column}::text, ${rest}::jsonb)
          else after end
      where feed = ${feed} and record = ${record} and (
        coalesce(before -> ${column}, 'null') not in ('null', ${rest}::jsonb)
        or coalesce(after -> ${column}, 'null') not in ('null', ${rest}::jsonb))`.execute(tx);
    changes += Number(numAffectedRows ?? 0);
  }
  return changes;
}

/** Takes the fields out of ops on the record. Those that wait to be applied and have nothing left are deleted. */
async function eraseOps(
  tx: Db,
  table: Table,
  record: string,
  fields: readonly Field[],
): Promise<number> {
  const ids = fields.map(idOfField);
  const without = (part: string) => sql`case when op ? ${part}
    then jsonb_build_object(${part}::text, (op -> ${part}) - ${ids}::text[]) else '{}' end`;
  const own = sql`table_id = ${idOfTable(table)} and record = ${record}`;
  const { numAffectedRows } = await sql`update watchfloor.change_set_op
    set op = op || ${without("set")} || ${without("base")} || ${without("values")}, key = null
    where ${own}`.execute(tx);
  await sql`delete from watchfloor.change_set_op
    where ${own} and kind = 'update' and status is null and op -> 'set' = '{}'`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

async function scrubReasons(tx: Db, feed: number, record: string, scrubber: Scrubber) {
  const { rows } = await sql<{ ord: string; reason: string }>`
    select ord::text as ord, reason from watchfloor.change
    where feed = ${feed} and record = ${record} and reason is not null`.execute(tx);
  for (const { ord, reason } of rows) {
    await sql`update watchfloor.change set reason = ${scrubber.text(reason)}
      where feed = ${feed} and record = ${record} and ord = ${ord}::bigint`.execute(tx);
  }
}
