import { type Explanation, explain } from "../../shared/error-texts/explain.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { type Field, findField, type Table } from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { FileOptions } from "../../shared/protocol/imports.ts";
import { excerpt } from "../policy/parse-input.ts";

/** The field of each column. */
export interface ColumnPlan {
  columns: {
    header: string;
    index: number;
    field: Field;
    /** It was added for corrections: an empty cell there says nothing. */
    isAdded?: boolean;
  }[];
  /** The column that contains the ids of records; -1 if there is none. */
  idIndex: number;
  /** The field (or `id`) that identifies records. */
  key: string | null;
  ignored: string[];
  /** How many columns the file has. */
  count: number;
}

/**
 * Maps by header: explicit mappings first, else a field of that name or label whatever the case. Unknown
 * columns, and those that the database fills, are left out and reported; a mapping to a missing field is
 * refused.
 */
export function planColumns(
  header: readonly string[],
  table: Table,
  visible: readonly string[],
  options: Pick<FileOptions, "key" | "id" | "map">,
): ColumnPlan {
  const known = table.fields.filter((field) => visible.includes(field.name) && !isReadOnly(field));
  const plan: ColumnPlan = {
    ...{ columns: [], idIndex: -1, key: options.key ?? null, ignored: [] },
    count: header.length,
  };
  requireHeaders(header, [...Object.keys(options.map ?? {}), ...(options.id ? [options.id] : [])]);
  for (const [index, text] of header.entries()) {
    const target = targetOf(text, known, { ...options, header });
    if (text === options.id || target === ID_FIELD) {
      if (plan.idIndex >= 0) throw refusal(explain("import.sameField", { field: ID_FIELD }));
      plan.idIndex = index;
    }
    const field = target === null ? undefined : findField({ ...table, fields: known }, target);
    if (field) plan.columns.push({ header: text, index, field });
    else if (text !== options.id && target !== ID_FIELD) plan.ignored.push(text);
  }
  validatePlan(plan);
  return plan;
}

function targetOf(
  text: string,
  known: readonly Field[],
  { map = {}, id, header }: Pick<FileOptions, "map" | "id"> & { header: readonly string[] },
): string | null {
  if (Object.hasOwn(map, text)) {
    const named = map[text] as string;
    if (named === "" || named === ID_FIELD) return named || null;
    if (known.some(({ name }) => name === named)) return named;
    throw refusal(explain("import.noField", { field: named }));
  }
  const taken = new Set(Object.values(map));
  // The second column of one name goes into the field of that name, too: that is refused, unless the user says what is in it.
  const [, first = ""] = /^(.*) \(\d+\)$/s.exec(text) ?? [];
  const isSecond = header.includes(first) && !known.some(({ label }) => label === text);
  const called = (isSecond ? first : text).trim().toLowerCase();
  const isOfIds = called === ID_FIELD && id === undefined && !taken.has(ID_FIELD);
  const found =
    known.find(({ name }) => name.toLowerCase() === called) ??
    // In an exported file both have a column: the ids of records, and a field that is labelled "ID".
    known.find(
      ({ name, label }) => label.toLowerCase() === called && !(isOfIds && header.includes(name)),
    );
  if (found) return taken.has(found.name) ? null : found.name;
  return isOfIds ? ID_FIELD : null;
}

function requireHeaders(header: readonly string[], required: readonly string[]): void {
  const missing = required.filter((name) => !header.includes(name));
  if (missing.length)
    throw refusal(explain("import.noColumns", { columns: missing.map((name) => `"${name}"`) }));
}

function validatePlan({ columns, key, idIndex, ignored }: ColumnPlan): void {
  const names = columns.map(({ field }) => field.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice) throw refusal(explain("import.sameField", { field: twice }));
  if (names.length === 0) {
    throw refusal(explain("import.noKnownColumn", { columns: excerptOf(ignored) }));
  }
  if (key !== null && !(key === ID_FIELD ? idIndex >= 0 : names.includes(key))) {
    throw refusal(explain("import.noKey", { field: key }));
  }
}

const HEADERS_LISTED = 50;

/** The first of many headers, for an answer. */
export function excerptOf(headers: readonly string[]): string[] {
  return headers.slice(0, HEADERS_LISTED).map((header) => excerpt(header));
}

function refusal(explanation: Explanation): Refusal {
  return new Refusal("invalid_request", { at: "columns" }, explanation);
}
