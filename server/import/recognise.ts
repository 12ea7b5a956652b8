import type { Json } from "../../shared/filter/filter.ts";
import { literalText } from "../../shared/filter/operand.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { type FieldType, kindOfType } from "../../shared/model/field-types.ts";
import { findField, type Table, type Values } from "../../shared/model/model.ts";
import { storedText } from "../../shared/model/normalize-value.ts";
import { sameValue } from "../../shared/model/same-value.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import { matchingRecords } from "./matching-records.ts";
import type { ColumnPlan } from "./plan-columns.ts";
import { type ImportRow, idOf } from "./read-row.ts";

/** A record as the importer read it. */
export interface KnownRecord {
  id: string;
  values: Values;
}

/** Records by their identifying value, without a key by the id that their row gives them; several if the key is not unique. */
export type KnownRecords = Map<string, KnownRecord[]>;

export const keyText = (key: Json): string => String(key);

/** The table that a file is imported into, and its fields in the file. */
export interface FileTable {
  commands: Pick<Commands, "readPage">;
  table: Table;
  plan: ColumnPlan;
  /** Records of one page. */
  limit: number;
}

/** Reads the records that the rows identify, in the importing user's scope. */
export async function recognise(
  file: FileTable,
  identity: Identity,
  rows: readonly ImportRow[],
): Promise<KnownRecords> {
  if (rows.length === 0) return new Map();
  const { commands, table, plan, limit } = file;
  const { key } = plan;
  if (key === null) {
    const ids = rows.map((row) => idOf(table, row));
    const stored = await recordsById(file, identity, ids);
    return new Map([...stored].map(([id, record]) => [id, [record]]));
  }
  const field = findField(table, key);
  return matchingRecords(commands, identity, {
    table: table.name,
    field: key,
    values: [...new Map(rows.map((row) => [keyText(row.key), row.key])).values()],
    written: [...new Set(rows.flatMap(({ writtenKey }) => writtenKey ?? []))],
    fields: fieldsOf(plan),
    limit,
    textOf: ({ id, values }) => keyText(key === ID_FIELD ? id : (values[key] ?? null)),
    ...(field && { asKey: (text: string) => storedText(field, text) }),
  });
}

/** Records with the values that the file has columns for, as far as they can be read. */
export async function recordsById(
  { commands, table, plan, limit }: FileTable,
  identity: Identity,
  ids: readonly string[],
): Promise<Map<string, KnownRecord>> {
  if (ids.length === 0) return new Map();
  const filter = { field: ID_FIELD, op: "in" as const, value: [...new Set(ids)].map(literalText) };
  const call = { table: table.name, filter, fields: fieldsOf(plan), limit };
  const { records } = await commands.readPage(identity, call);
  return new Map(records.map((record) => [record.id, record]));
}

/** Those of the ids that records have, as far as they can be read. */
export async function existingIds(
  { commands, limit }: Pick<FileTable, "commands" | "limit">,
  identity: Identity,
  table: Table | undefined,
  ids: ReadonlySet<string>,
): Promise<Set<string>> {
  if (!table || ids.size === 0) return new Set();
  const filter = { field: ID_FIELD, op: "in" as const, value: [...ids].map(literalText) };
  const call = { table: table.name, filter, fields: [], limit };
  const { records } = await commands.readPage(identity, call);
  return new Set(records.map(({ id }) => id));
}

function fieldsOf({ columns }: ColumnPlan): string[] {
  return [...new Set(columns.map(({ field }) => field.name))];
}

/** The fields that the row would change on a record. */
export function differences(table: Table, known: Values, requested: Values): Values {
  return Object.fromEntries(
    table.fields
      .filter(({ name, type }) => {
        const value = requested[name];
        const kind = kindOfType[type];
        const stored = asImported(type, known[name] ?? null);
        return value !== undefined && !sameValue(kind, stored, value);
      })
      .map(({ name }) => [name, requested[name] as Json]),
  );
}

/** A stored text as its exported cell is read: other programs write more than one normal form, and spaces around it. */
function asImported(type: FieldType, value: Json): Json {
  if (kindOfType[type] !== "text" || typeof value !== "string") return value;
  return value.trim() === "" ? null : storedText({ type }, value);
}
