import { sql } from "kysely";
import type { Json } from "../../../shared/filter/filter.ts";
import { readsOf } from "../../../shared/model/expression/expression-of.ts";
import { kindOfType } from "../../../shared/model/field-types.ts";
import {
  type Field,
  idOfField,
  logKeyOf,
  type Model,
  type Table,
  type Values,
} from "../../../shared/model/model.ts";
import { renewEpochs } from "../capture.ts";
import { storedDocument } from "../columns.ts";
import type { Db } from "../database.ts";
import { columnRef, idRef, tableRef } from "../identifiers.ts";
import { actAs, execute, exists, hasRow, rowOf } from "../statement.ts";
import { insertSecurityEvent } from "../users/security-events.ts";
import { EraseError } from "./erase-error.ts";
import { findPlaces, type Place, type ValuesToErase } from "./find-places.ts";
import { type Erasure, scrubCopies } from "./scrub-stored.ts";
import { ERASED, Scrubber } from "./scrubber.ts";

/**
 * Erases the values of a record's fields: in the record, in the change log, and in every copy (ADR 41). Clients
 * that follow the table load it anew, because its feed begins another epoch.
 * First the record is locked, so that the values are all, and last the record is written: from then on every commit to
 * its table waits.
 */
export async function eraseValues(tx: Db, model: Model, erase: ValuesToErase): Promise<Erasure> {
  const { record } = erase;
  const places = await findPlaces(tx, model, erase);
  for (const { table, fields } of places) if (table) requireErasable(table, fields);
  let isKnown = false;
  for (const place of places) isKnown = (await lockRecord(tx, place, record)) || isKnown;
  if (!isKnown) throw new EraseError(`${erase.table} never had a record ${record}.`);
  const values: Json[] = [];
  let ops = 0;
  for (const place of places) {
    values.push(...(await valuesIn(tx, place, record)));
    ops += await eraseOps(tx, place, record);
  }
  const scrubber = new Scrubber(values);
  const copies = await scrubCopies(tx, scrubber);
  let [records, changes] = [0, 0];
  for (const place of places) {
    records += await eraseCurrent(tx, place, record);
    changes += await eraseLogged(tx, place, record);
    await scrubReasons(tx, place.feed, record, scrubber);
    if (place.table) await renewEpochs(tx, [{ id: place.feed }]);
  }
  const detail = { table: erase.table, record, fields: [...erase.fields] };
  await insertSecurityEvent(tx, { kind: "values_erased", detail });
  const allOps = { "change set ops": ops + (copies["change set ops"] ?? 0) };
  return { counts: { records, changes, ...copies, ...allOps }, hasShort: scrubber.hasShort };
}

/** Recorded fields are written by a trigger alone. A computed one shows what it reads, as long as any of that is left. */
function requireErasable(table: Table, fields: readonly Field[]): void {
  for (const field of fields) {
    if (field.recorded !== undefined) {
      throw new EraseError(
        `${field.name} is recorded by Watchfloor and holds no more than a time or the id of a user. Erase the user with --user.`,
      );
    }
    if (field.expression === undefined) continue;
    const inputs = [...readsOf(field, table)].filter(({ expression }) => expression === undefined);
    if (inputs.length > 0 && inputs.every((input) => fields.includes(input))) continue;
    const names = inputs.map(({ name }) => name).join(", ") || "no field";
    throw new EraseError(
      `${field.name} is computed from ${names}. Name those of them that hold the data: ${field.name} is erased with each of them. To erase it in copies as well, name all of them.`,
    );
  }
}

/** Nobody changes the record any more. Returns whether there is one, or ever was. */
async function lockRecord(tx: Db, { table, feed }: Place, record: string): Promise<boolean> {
  const isStored =
    table &&
    (await hasRow(tx)`select from ${tableRef(table)} where ${idRef()} = ${record}
      for no key update`);
  if (isStored) return true;
  return exists(changesOf(tx, feed, record).limit(1));
}

const changesOf = (tx: Db, feed: number, record: string) =>
  tx.selectFrom("watchfloor.change").where("feed", "=", feed).where("record", "=", record);

/** All values that the fields have and have had, as far as the log reaches, and those of ops that nobody has applied. */
async function valuesIn(tx: Db, place: Place, record: string): Promise<Json[]> {
  const fields = [...place.fields, ...place.removed];
  const keys = fields.map(logKeyOf);
  const logged = await changesOf(tx, place.feed, record).select(["before", "after"]).execute();
  const current = place.table && (await storedImage(tx, place.table, record));
  const stored: Values = current === null ? {} : JSON.parse(current);
  const ids = fields.map(idOfField);
  const ops = await tx
    .selectFrom("watchfloor.change_set_op")
    .select((eb) => eb.ref("op").$castTo<Record<string, Values | undefined>>().as("op"))
    .where("table_id", "=", place.tableId)
    .where("record", "=", record)
    .execute();
  return [
    ...keys.map((key) => stored[key] ?? null),
    ...logged.flatMap(({ before, after }) =>
      keys.flatMap((key) => [before?.[key] ?? null, after?.[key] ?? null]),
    ),
    ...ops.flatMap(({ op }) =>
      ids.flatMap((id) => [op.set?.[id], op.base?.[id], op.values?.[id]].map((one) => one ?? null)),
    ),
  ];
}

/** Empties the fields, or fills those that may not be empty with the marker. Computed fields follow by themselves. */
async function eraseCurrent(tx: Db, { table, fields }: Place, record: string): Promise<number> {
  const sets = fields
    .filter(({ expression }) => expression === undefined)
    .map((field) => {
      if (!field.required) return sql`${columnRef(field)} = null`;
      if (kindOfType[field.type] !== "text" || field.type === "link") {
        throw new EraseError(`${field.name} is required. Make it optional, or delete the record.`);
      }
      const marker = field.unique ? `${ERASED} ${record}` : ERASED;
      return sql`${columnRef(field)} = ${marker}`;
    });
  if (!table || sets.length === 0) return 0;
  await actAs(tx, "system:erasure");
  const written = await execute(tx)`update ${tableRef(table)} set ${sql.join(sets)}
    where ${idRef()} = ${record}`;
  await execute(tx)`set constraints watchfloor.number_changes immediate`;
  return written;
}

/** The log keeps that there was a value. What the record holds now is the last value of the log, also of a computed field. */
async function eraseLogged(tx: Db, place: Place, record: string): Promise<number> {
  const { feed, table } = place;
  const current = table && (await storedImage(tx, table, record));
  let changes = 0;
  for (const field of [...place.fields, ...place.removed, ...place.derived]) {
    const key = logKeyOf(field);
    const isMarked = field.required && field.expression === undefined;
    const marker = field.unique ? `${ERASED} ${record}` : ERASED;
    const rest = sql`${JSON.stringify(isMarked ? marker : null)}::jsonb`;
    const left = sql`case when ord = (
        select max(ord) from watchfloor.change where feed = ${feed} and record = ${record})
      then coalesce(${current}::jsonb -> ${key}, ${rest}) else ${rest} end`;
    changes += await execute(tx)`update watchfloor.change set
        erased = coalesce(erased, '{}') || jsonb_build_object(${key}::text, true),
        before = case when before ? ${key} then before || jsonb_build_object(${key}::text,
          case when kind = 'delete' then ${rest} end) else before end,
        after = case when after ? ${key} then after || jsonb_build_object(${key}::text, ${left})
          else after end
      where feed = ${feed} and record = ${record} and (
        coalesce(before -> ${key}, 'null') not in ('null', ${rest})
        or coalesce(after -> ${key}, 'null') not in ('null', ${left}))`;
  }
  return changes;
}

/** The record as the log stores it; null if there is none. */
async function storedImage(tx: Db, table: Table, record: string): Promise<string | null> {
  const row = await rowOf<{ document: string }>(tx)`
    select (${storedDocument(table, "t")})::text as document from ${tableRef(table)} t
    where ${idRef("t")} = ${record}`;
  return row?.document ?? null;
}

/** Takes the fields out of ops on the record. Those that wait to be applied and have nothing left are deleted. */
async function eraseOps(tx: Db, place: Place, record: string): Promise<number> {
  const ids = [...place.fields, ...place.removed].map(idOfField);
  const without = (part: string) => sql`case when op ? ${part}
    then jsonb_build_object(${part}::text, (op -> ${part}) - ${ids}::text[]) else '{}' end`;
  const own = sql`table_id = ${place.tableId} and record = ${record}`;
  const erased = await execute(tx)`update watchfloor.change_set_op
    set op = (op - 'cells') || ${without("set")} || ${without("base")} || ${without("values")}, key = null
    where ${own}`;
  await execute(tx)`delete from watchfloor.change_set_op
    where ${own} and kind = 'update' and status is null and op -> 'set' = '{}'`;
  return erased;
}

async function scrubReasons(tx: Db, feed: number, record: string, scrubber: Scrubber) {
  const rows = await changesOf(tx, feed, record).select(["ord", "reason"]).execute();
  for (const { ord, reason } of rows) {
    if (reason === null) continue;
    const change = tx.updateTable("watchfloor.change").set({ reason: scrubber.text(reason) });
    await change.where((eb) => eb.and({ feed, record, ord })).execute();
  }
}
