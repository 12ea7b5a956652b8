import { explainRow } from "../../shared/error-texts/row-texts.ts";
import { foldCase } from "../../shared/filter/fold-case.ts";
import { isReference } from "../../shared/model/field-types.ts";
import {
  type Field,
  findTable,
  type Model,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import type { UserInfo } from "../../shared/protocol/users.ts";
import type { Identity } from "../auth/identity.ts";
import { pointsNowhere } from "../commands/check-values.ts";
import { matchingRecords } from "./matching-records.ts";
import { existingIds, type FileTable } from "./recognise.ts";
import { rowError } from "./row-errors.ts";

/** A user who can be named in a `person` field. */
export type NamedUser = Pick<UserInfo, "id" | "name" | "email">;

/** Where labels are looked up. */
export interface LabelSources extends FileTable {
  model: () => Model;
  /** All users who can be named in a `person` field. */
  users: (identity: Identity) => Promise<readonly NamedUser[]>;
  /** Texts of the file that no label of their table has, also in another case: each is looked for once. */
  unknown: Set<string>;
}

/** A row with ids in place of labels. */
export interface ResolvedRow {
  values: Values;
  /** Labels that several records have. */
  ambiguous: RowError[];
  /** Texts that name nothing, which the link's own validation refuses, too, if the row comes to that. */
  unknown: RowError[];
}

/**
 * Lets a file name linked records and users by their labels. An id takes precedence; a label counts if exactly one record that the
 * importing user may read has it. All labels of a row are looked up, also where its other values are refused, so that all that is to be
 * corrected is named at once. A text is not unknown in a table that links to itself: an earlier row of the file may create the record.
 */
export async function resolveLabels(
  sources: LabelSources,
  identity: Identity,
  rows: readonly { line: number; values: Values }[],
): Promise<ResolvedRow[]> {
  const resolved = rows.map(({ values }): ResolvedRow => ({ values, ambiguous: [], unknown: [] }));
  for (const { field } of sources.plan.columns) {
    if (!isReference(field.type)) continue;
    const texts = new Set(rows.map(({ values }) => values[field.name]).filter(isText));
    if (texts.size === 0) continue;
    const ids =
      field.type === "person"
        ? await usersNamed(sources, identity, texts)
        : await recordsNamed(sources, identity, field, texts);
    for (const [at, row] of resolved.entries())
      resolve(sources, row, rows[at]?.line ?? 0, field, ids);
  }
  return resolved;
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Ids by the texts that name them. */
type IdsByText = ReadonlyMap<string, readonly string[]>;

function resolve(
  { table }: FileTable,
  row: ResolvedRow,
  line: number,
  field: Field,
  ids: IdsByText,
): void {
  const text = row.values[field.name];
  if (!isText(text)) return;
  const [id, ...others] = ids.get(text) ?? [];
  const facts = { line, field: field.name };
  if (others.length > 0) {
    const explanation = explainRow("row.labelAmbiguous", { field: field.label });
    const rule = { code: "validation_failed", rule: "ambiguous" };
    row.ambiguous.push(rowError({ ...facts, ...rule }, explanation));
  } else if (id !== undefined) row.values = { ...row.values, [field.name]: id };
  else if (field.target !== table.name) {
    const problem = pointsNowhere(field);
    row.unknown.push(rowError({ ...facts, code: "link_broken", rule: problem.rule }, problem));
  }
}

/** By name or email, exactly or, where nobody is found, whatever the case and with spaces around it. */
async function usersNamed(
  { users }: LabelSources,
  identity: Identity,
  texts: ReadonlySet<string>,
): Promise<IdsByText> {
  const all = await users(identity);
  const known = new Set(all.map(({ id }) => id));
  const idsBy = (formOf: (text: string) => string) => {
    const pairs = all.flatMap(({ id, name, email = name }) =>
      [...new Set([name, email].map(formOf))].map((form) => ({ form, id })),
    );
    return Map.groupBy(pairs, ({ form }) => form);
  };
  const [exact, folded] = [idsBy((text) => text), idsBy(foldedLabel)];
  const found = [...texts].map((text): [string, string[]] => {
    if (known.has(text)) return [text, [text]];
    const named = exact.get(text) ?? folded.get(foldedLabel(text)) ?? [];
    return [text, named.map(({ id }) => id)];
  });
  return new Map(found.filter(([, ids]) => ids.length > 0));
}

const foldedLabel = (text: string) => foldCase(text.trim());

/** By id or label, exactly or, where nothing is found, without spaces around it, or else whatever the case. */
async function recordsNamed(
  sources: LabelSources,
  identity: Identity,
  { target }: Field,
  texts: ReadonlySet<string>,
): Promise<IdsByText> {
  const table = findTable(sources.model(), target ?? "");
  if (!table) return new Map();
  const found = await findNamed(sources, identity, table, texts);
  const open = () => [...texts].filter((text) => !found.has(text));
  const add = (others: IdsByText, keyOf: (text: string) => string) => {
    for (const text of open()) {
      const ids = others.get(keyOf(text));
      if (ids) found.set(text, ids);
    }
  };
  const trimmed = new Set(open().flatMap((text) => (text.trim() === text ? [] : text.trim())));
  add(await findNamed(sources, identity, table, trimmed), (text) => text.trim());
  add(await findInAnyCase(sources, identity, table, open()), foldedLabel);
  return found;
}

/** Texts that are looked for in one query, each of which reads the table, and in one batch of rows. */
const CASE_QUERY_TEXTS = 20;
const CASE_BATCH_TEXTS = 200;

/** Records by their folded labels, for texts that no label has in their own case. */
async function findInAnyCase(
  { commands, limit, unknown }: LabelSources,
  identity: Identity,
  table: Table,
  texts: readonly string[],
): Promise<IdsByText> {
  const found = new Map<string, string[]>();
  if (!mayReadLabel(identity, table)) return found;
  const { display } = table;
  const keyOf = (text: string) => JSON.stringify([table.name, text]);
  const wanted = new Set(texts.map(foldedLabel).filter((text) => !unknown.has(keyOf(text))));
  const asked = [...wanted].slice(0, CASE_BATCH_TEXTS);
  for (let at = 0; at < asked.length; at += CASE_QUERY_TEXTS) {
    const part = asked.slice(at, at + CASE_QUERY_TEXTS);
    const or = part.map((value) => ({ field: display, op: "contains" as const, value }));
    const call = { table: table.name, filter: { or }, fields: [display], limit };
    const { records } = await commands.readPage(identity, call);
    for (const { id, values } of records) {
      const label = foldedLabel(String(values[display]));
      if (wanted.has(label)) found.set(label, [...(found.get(label) ?? []), id]);
    }
    for (const text of part) if (!found.has(text)) unknown.add(keyOf(text));
  }
  return found;
}

/** The records that texts name: an id names its own record. */
async function findNamed(
  { commands, limit }: LabelSources,
  identity: Identity,
  table: Table,
  texts: ReadonlySet<string>,
): Promise<Map<string, readonly string[]>> {
  if (texts.size === 0) return new Map();
  const known = await existingIds({ commands, limit }, identity, table, texts);
  const found = new Map<string, readonly string[]>([...known].map((id) => [id, [id]]));
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
