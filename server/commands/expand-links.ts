import type { Json } from "../../shared/filter/filter.ts";
import { literalText } from "../../shared/filter/operand.ts";
import { ID_FIELD } from "../../shared/filter/value-kinds.ts";
import { type Field, findField, findTable, type Values } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { readableTable, requireKnownFields } from "../policy/authorize.ts";
import { PageTooLarge, readPage } from "../store/pages.ts";
import { listUsers } from "../store/users/users.ts";
import type { ReadDeps } from "./read-page.ts";

/** The records that links name, and the users that user fields name: by field, then by id. */
export type ExpandedLinks = Record<string, Record<string, Values>>;

interface Call {
  table: string;
  /** Names of links and user fields, among those that were read. */
  expand: readonly string[];
  fields?: readonly string[] | undefined;
}

/**
 * What the links of some records lead to, one level deep, each record once however many name it. A caller sees of it what they see of its table: one
 * that they may not read is absent, as one that is gone. It is read after the records, so it may be newer than they are. Refuses with
 * `too_large` where records and links together take more than `maxBytes`.
 */
export async function expandLinks(
  deps: ReadDeps,
  subject: Subject,
  { table: name, expand, fields }: Call,
  records: readonly { values: Values }[],
  maxBytes: number,
): Promise<ExpandedLinks> {
  const { table, scope } = readableTable(subject, deps.model(), name);
  requireKnownFields(fields ? { ...scope, fields } : scope, expand);
  const named = [...new Set(expand)].map((one) => findField(table, one) as Field);
  const plain = named.find(({ type }) => type !== "link" && type !== "person");
  if (plain) throw new Refusal("invalid_request", { at: "expand", fields: [plain.name] });
  const expanded: ExpandedLinks = Object.create(null);
  const tooLarge = (size: number) =>
    new Refusal("too_large", { limit: maxBytes, size, unit: "bytes" });
  let taken = sizeOf(records);
  for (const field of named) {
    const ids = new Set(records.map(({ values }) => values[field.name] ?? null));
    ids.delete(null);
    const left = Math.max(0, maxBytes - taken);
    const found = await readLinked(deps, subject, field, [...ids].map(String), left).catch(
      (error: unknown) => {
        if (error instanceof PageTooLarge) throw tooLarge(taken + error.bytes);
        throw error;
      },
    );
    taken += sizeOf(found);
    if (taken > maxBytes) throw tooLarge(taken);
    expanded[field.name] = found;
  }
  return expanded;
}

/** In bytes of JSON, as pages are bounded. */
const sizeOf = (part: object): number => Buffer.byteLength(JSON.stringify(part));

async function readLinked(
  { database, model }: ReadDeps,
  subject: Subject,
  { type, target = "" }: Field,
  ids: readonly string[],
  maxBytes: number,
): Promise<Record<string, Values>> {
  if (ids.length === 0) return {};
  if (type === "person") {
    const named = new Set(ids);
    const users = (await listUsers(database.kysely)).filter(({ id }) => named.has(id));
    return Object.fromEntries(users.map(({ id, name }) => [id, { name }]));
  }
  const table = findTable(model(), target);
  const scope = table && scopeOf(subject, table);
  if (!table || !scope) return {};
  const among = { field: ID_FIELD, op: "in" as const, value: ids.map(literalText) as Json };
  const { records } = await readPage(database, table, {
    filter: scope.filter ? { and: [scope.filter, among] } : among,
    ...{ sort: [], offset: 0, limit: ids.length, exactTotal: ids.length },
    ...{ fields: scope.fields, maxBytes },
  });
  return Object.fromEntries(records.map(({ id, values }) => [id, values]));
}
