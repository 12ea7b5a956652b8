import { ID_FIELD } from "../../../../shared/filter/value-kinds.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { idOfTable } from "../../../../shared/model/model.ts";
import { isReadOnly } from "../../../../shared/model/recorded.ts";
import { plainName } from "../../records/file-import/file-format.ts";
import { readFromBrowser, storeInBrowser } from "../../transport/storage/browser-storage.ts";

/** The field of each column by its place; empty for a column that is left out. */
export interface Mapping {
  fields: readonly string[];
  /** The field that names existing records; null to add every row. */
  key: string | null;
}

/** The fields that a file may fill. */
export function fillableFields(table: Table, visible: readonly string[]): Field[] {
  return table.fields.filter((field) => visible.includes(field.name) && !isReadOnly(field));
}

/** The mapping that was last used for these columns, else one by names and labels. */
export function proposeMapping(
  table: Table,
  fields: readonly Field[],
  header: readonly string[],
): Mapping {
  const names = new Set([...fields.map(({ name }) => name), ID_FIELD, ""]);
  const remembered = read(table, header);
  if (remembered?.fields.every((name) => names.has(name))) {
    return withNewFields(remembered, fields, header);
  }
  const proposed = byName(fields, header, []);
  const unique = fields.find(({ name, unique }) => unique && proposed.includes(name));
  const key = unique?.name ?? (proposed.includes(ID_FIELD) ? ID_FIELD : null);
  return { fields: proposed, key };
}

/** A mapping, and the fields that could be chosen in it; null where that was not remembered. */
type Remembered = Mapping & { offered: readonly string[] | null };

/** A column that was left out gets a field that could not be chosen then: it may have been added for this column. */
export function withNewFields(
  { fields: chosen, key, offered }: Remembered,
  fields: readonly Field[],
  header: readonly string[],
): Mapping {
  const added = offered ? fields.filter(({ name }) => !offered.includes(name)) : [];
  return { fields: byName(added, header, chosen), key };
}

/** Gives each column without a field the one that is called like it, if no other column has that. */
function byName(
  fields: readonly Field[],
  header: readonly string[],
  chosen: readonly string[],
): string[] {
  const used = new Set(chosen);
  return header.map((text, index) => {
    const plain = plainName(text);
    const found =
      fields.find(({ name }) => plainName(name) === plain) ??
      fields.find(({ label }) => plainName(label) === plain);
    const name = found?.name ?? (plain === ID_FIELD && chosen.length === 0 ? ID_FIELD : "");
    if (chosen[index] || used.has(name)) return chosen[index] ?? "";
    used.add(name);
    return name;
  });
}

/**
 * The field of each column, for the server: without the columns that are left out and that it would not recognise by their
 * names. All of it is in the address of the call, which must not become too long for a file of hundreds of columns.
 */
export function mapOf(
  fields: readonly Field[],
  header: readonly string[],
  mapping: Mapping,
): Record<string, string> {
  const known = new Set(
    [ID_FIELD, ...fields.flatMap(({ name, label }) => [name, label])].map(plainName),
  );
  const entries = header.map((text, index) => [text, mapping.fields[index] ?? ""] as const);
  const isKnown = (text: string) => known.has(plainName(text.replace(/ \(\d+\)$/, "")));
  return Object.fromEntries(
    entries.filter(([text, field]) => field || known.has(plainName(text)) || isKnown(text)),
  );
}

/** Puts a field into one column; the column that had it is left out, and so is a key that no column has any more. */
export function withField(mapping: Mapping, index: number, field: string): Mapping {
  const fields = mapping.fields.map((one, at) => (at === index ? field : one === field ? "" : one));
  const { key } = mapping;
  return { fields, key: key !== null && fields.includes(key) ? key : null };
}

/** Remembers a mapping for the next file with the same columns, in this browser. */
export function rememberMapping(
  table: Table,
  fields: readonly Field[],
  header: readonly string[],
  mapping: Mapping,
): void {
  const offered = fields.map(({ name }) => name);
  storeInBrowser(storageKey(table, header), JSON.stringify({ ...mapping, offered }));
}

function read(table: Table, header: readonly string[]): Remembered | null {
  try {
    const text = readFromBrowser(storageKey(table, header));
    const { fields, key, offered } = JSON.parse(text ?? "null");
    const isMapping = Array.isArray(fields) && fields.length === header.length;
    const chosen = { fields, key: typeof key === "string" ? key : null };
    return isMapping ? { ...chosen, offered: Array.isArray(offered) ? offered : null } : null;
  } catch {
    return null;
  }
}

function storageKey(table: Table, header: readonly string[]): string {
  return `watchfloor.import.${idOfTable(table)}.${JSON.stringify(header)}`;
}
