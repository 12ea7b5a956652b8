import { readsOf } from "../../../shared/model/expression/expression-of.ts";
import {
  type Field,
  findField,
  findTable,
  idOfTable,
  logKeyOf,
  type Model,
  type Table,
} from "../../../shared/model/model.ts";
import type { Db } from "../database.ts";
import { rowsOf } from "../statement.ts";
import { EraseError } from "./erase-error.ts";

/** Fields of one record whose values are erased, now and in history. */
export interface ValuesToErase {
  table: string;
  record: string;
  fields: readonly string[];
}

/** The log of a table, and those of its fields that are erased there. */
export interface Place {
  tableId: string;
  feed: number;
  /** Null if the table was removed from the model. */
  table: Table | null;
  fields: readonly Field[];
  /** Fields that were removed from the model, of which only the log and copies hold values. */
  removed: readonly Field[];
  /** Computed fields that were not named, whose values in the log are made of those that were. */
  derived: readonly Field[];
}

/**
 * Where the named values are: in the table of that name, and in tables that were removed under it. So are fields: the
 * current one of a name, and those that were removed under it.
 */
export async function findPlaces(tx: Db, model: Model, erase: ValuesToErase): Promise<Place[]> {
  const current = findTable(model, erase.table);
  const currentIds = new Set(model.tables.map(idOfTable));
  const former = await formerTables(tx, erase.table);
  const removed = former.filter((id) => !currentIds.has(id));
  const ids = [...(current ? [idOfTable(current)] : []), ...removed];
  if (ids.length === 0) throw new EraseError(`There is no table ${erase.table}.`);
  const places: Place[] = [];
  for (const tableId of ids) {
    const table = current && idOfTable(current) === tableId ? current : null;
    const keys = new Set(table?.fields.map(logKeyOf));
    const fields = erase.fields.flatMap((name) => (table && findField(table, name)) ?? []);
    const found = await formerFields(tx, tableId, erase.fields);
    const gone = found.filter((field) => !keys.has(logKeyOf(field)));
    const feeds = tx.selectFrom("watchfloor.feed").select("id as feed");
    const rows = await feeds.where("table_id", "=", tableId).execute();
    const named = new Set([...fields, ...gone].map(logKeyOf));
    const derived = (await computedFrom(tx, tableId, named)).filter((field) => {
      const current = table?.fields.find((one) => logKeyOf(one) === logKeyOf(field));
      // What was computed once and is filled by users now has to be named.
      return !named.has(logKeyOf(field)) && (!current || current.expression !== undefined);
    });
    for (const { feed } of rows) {
      places.push({ tableId, feed, table, fields, removed: gone, derived });
    }
  }
  if (places.length === 0) throw new EraseError(`${erase.table} has no change log.`);
  const names = new Set(
    places.flatMap((place) => [...place.fields, ...place.removed]).map(({ name }) => name),
  );
  const unknown = erase.fields.find((name) => !names.has(name));
  if (unknown !== undefined) throw new EraseError(`${erase.table} has no field ${unknown}.`);
  return places;
}

/** The ids of all tables that ever had a name. */
async function formerTables(tx: Db, name: string): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(tx)`
    select distinct coalesce(t.value ->> 'id', t.value ->> 'name') as id from watchfloor.model m
    cross join jsonb_array_elements(m.document -> 'tables') t where t.value ->> 'name' = ${name}
    order by 1`;
  return rows.map(({ id }) => id);
}

/** The computed fields of a table that read one of these, directly or indirectly, in any version of the model. */
async function computedFrom(tx: Db, id: string, keys: ReadonlySet<string>): Promise<Field[]> {
  const rows = await rowsOf<{ table: Table }>(tx)`
    select distinct t.value as "table" from watchfloor.model m
    cross join jsonb_array_elements(m.document -> 'tables') t
    where coalesce(t.value ->> 'id', t.value ->> 'name') = ${id}`;
  const found = rows.flatMap(({ table }) =>
    table.fields.filter((field) =>
      [...readsOf(field, table)].some((read) => keys.has(logKeyOf(read))),
    ),
  );
  return [...new Map(found.map((field) => [logKeyOf(field), field])).values()];
}

/** The fields that a table ever had under these names, without their declarations. */
function formerFields(tx: Db, id: string, names: readonly string[]): Promise<Field[]> {
  return rowsOf<Field>(tx)`
    select distinct on (3) f.value ->> 'id' as id, f.value ->> 'name' as name,
      coalesce(f.value ->> 'logKey', f.value ->> 'column', f.value ->> 'name') as "logKey", f.value ->> 'name' as label,
      f.value ->> 'type' as type
    from watchfloor.model m cross join jsonb_array_elements(m.document -> 'tables') t
    cross join jsonb_array_elements(t.value -> 'fields') f
    where coalesce(t.value ->> 'id', t.value ->> 'name') = ${id} and f.value ->> 'name' = any(${names}::text[])
    order by 3, m.version desc`;
}
