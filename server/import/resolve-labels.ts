import { explainRow } from "../../shared/error-texts/row-texts.ts";
import { isReference } from "../../shared/model/field-types.ts";
import { type Field, findTable, type Model, type Table } from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import type { UserInfo } from "../../shared/protocol/users.ts";
import type { Identity } from "../auth/identity.ts";
import { matchingRecords } from "./matching-records.ts";
import type { ImportRow } from "./read-row.ts";
import { existingIds, type FileTable } from "./recognise.ts";
import { rowError } from "./row-errors.ts";

/** A user who can be named in a `person` field. */
export type NamedUser = Pick<UserInfo, "id" | "name" | "email">;

/** Where labels are looked up. */
export interface LabelSources extends FileTable {
  model: () => Model;
  /** All users who can be named in a `person` field. */
  users: (identity: Identity) => Promise<readonly NamedUser[]>;
}

/**
 * Lets a file name linked records and users by their labels. An id takes precedence; a label counts if
 * exactly one record that the importing user may read has it. A row with an ambiguous label is refused; an
 * unknown one is left to the link's own validation. Returns the remaining rows.
 */
export async function resolveLabels(
  sources: LabelSources,
  identity: Identity,
  rows: readonly ImportRow[],
  refuse: (row: ImportRow, error: RowError) => void,
): Promise<ImportRow[]> {
  let left = [...rows];
  for (const { field } of sources.plan.columns) {
    if (!isReference(field.type)) continue;
    const texts = new Set(left.map(({ values }) => values[field.name]).filter(isText));
    if (texts.size === 0) continue;
    const ids =
      field.type === "person"
        ? await usersNamed(sources, identity, texts)
        : await recordsNamed(sources, identity, field, texts);
    left = left.flatMap((row) => {
      const next = resolved(sources, row, field, ids);
      if ("error" in next) refuse(row, next.error);
      return "error" in next ? [] : [next.row];
    });
  }
  return left;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Ids by their labels in the file; a text that is an id itself is not among them. */
type IdsByLabel = ReadonlyMap<string, readonly string[]>;

function resolved(
  { plan }: FileTable,
  row: ImportRow,
  field: Field,
  ids: IdsByLabel,
): { row: ImportRow } | { error: RowError } {
  const text = row.values[field.name];
  const found = isText(text) ? ids.get(text) : undefined;
  if (!found) return { row };
  const [id] = found;
  if (found.length > 1 || id === undefined) {
    const facts = { field: field.name, code: "validation_failed", rule: "ambiguous" };
    const explanation = explainRow("row.labelAmbiguous", { field: field.label });
    return { error: rowError({ line: row.line, ...facts }, explanation) };
  }
  const key = plan.key === field.name ? id : row.key;
  return { row: { ...row, values: { ...row.values, [field.name]: id }, key } };
}

/** By name or email, exactly or, where nobody is found, whatever the case and with spaces around it. */
async function usersNamed(
  { users }: LabelSources,
  identity: Identity,
  texts: ReadonlySet<string>,
): Promise<IdsByLabel> {
  const all = await users(identity);
  const known = new Set(all.map(({ id }) => id));
  const idsBy = (formOf: (text: string) => string) => {
    const pairs = all.flatMap(({ id, name, email = name }) =>
      [...new Set([name, email].map(formOf))].map((form) => ({ form, id })),
    );
    return Map.groupBy(pairs, ({ form }) => form);
  };
  const [exact, folded] = [idsBy((text) => text), idsBy(foldedLabel)];
  const open = [...texts].filter((text) => !known.has(text));
  const found = open.map((text) => {
    const named = exact.get(text) ?? folded.get(foldedLabel(text)) ?? [];
    return [text, named.map(({ id }) => id)] as const;
  });
  return new Map(found.filter(([, ids]) => ids.length > 0));
}

const foldedLabel = (text: string) => text.trim().toLowerCase();

/** By id or label, exactly or, where nothing is found, without spaces around it. */
async function recordsNamed(
  sources: LabelSources,
  identity: Identity,
  { target }: Field,
  texts: ReadonlySet<string>,
): Promise<IdsByLabel> {
  const table = findTable(sources.model(), target ?? "");
  if (!table) return new Map();
  const exact = await findNamed(sources, identity, table, texts);
  const spaced = [...texts].filter((text) => text.trim() !== text && !exact.has(text));
  const trimmed = new Set(spaced.map((text) => text.trim()));
  const others = await findNamed(sources, identity, table, trimmed);
  const found = new Map([...exact].filter(([text, ids]) => ids[0] !== text));
  for (const text of spaced) {
    const ids = others.get(text.trim());
    if (ids) found.set(text, ids);
  }
  return found;
}

/** The records that texts name: an id names its own record. */
async function findNamed(
  { commands, limit }: LabelSources,
  identity: Identity,
  table: Table,
  texts: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  if (texts.size === 0) return new Map();
  const known = await existingIds({ commands, limit }, identity, table, texts);
  const found = new Map([...known].map((id) => [id, [id]]));
  const labels = [...texts].filter((text) => !known.has(text));
  if (!mayReadLabel(identity, table)) return found;
  const { display } = table;
  const named = await matchingRecords(commands, identity, {
    ...{ table: table.name, field: display, values: labels, fields: [display], limit },
    textOf: ({ values }) => String(values[display]),
  });
  for (const [label, records] of named)
    found.set(
      label,
      records.map(({ id }) => id),
    );
  return found;
}

/** Labels are plain text, and can't be used to probe a field or a table that the user may not read. */
function mayReadLabel({ subject }: Identity, table: Table): boolean {
  const field = table.fields.find(({ name }) => name === table.display);
  const isReadable = scopeOf(subject, table)?.fields.includes(table.display) ?? false;
  return (
    isReadable && (field?.type === "text" || field?.type === "longText" || field?.type === "email")
  );
}
