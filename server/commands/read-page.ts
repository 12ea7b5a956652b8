import { bindFilter, usesClock } from "../../shared/filter/bind-filter.ts";
import { checkFilter } from "../../shared/filter/check-filter.ts";
import { checkSort } from "../../shared/filter/check-sort.ts";
import type { Filter, SortKey } from "../../shared/filter/filter.ts";
import { literalText } from "../../shared/filter/operand.ts";
import { readSortKey } from "../../shared/filter/sort-key.ts";
import type { Limits } from "../../shared/limits.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { fieldKinds, type Model, type Table, zoneOf } from "../../shared/model/model.ts";
import type { Scope, Subject } from "../../shared/policy/scope.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import type { Page, QueryCall } from "../../shared/protocol/feed.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import type { SecretBox } from "../auth/secret-box.ts";
import { readableTable, requireKnownFields } from "../policy/authorize.ts";
import { toVisibleView } from "../policy/visible-view.ts";
import type { Database } from "../store/database.ts";
import type { LabelSources } from "../store/filter-columns.ts";
import type { OffsetIndexes } from "../store/offset-index.ts";
import { PageTooLarge, readPage as readStoredPage, type StoredPage } from "../store/pages.ts";
import { readIdBatches, readNamed } from "../store/records.ts";
import { findView } from "../store/views/views.ts";
import { labelSources } from "./read-labels.ts";
import { cursorOf, writeCursor } from "./record-cursor.ts";

export interface ReadDeps {
  database: Database;
  model: () => Model;
  limits: Limits;
  /** Encrypts what a cursor holds of the order of entry; for callers that read by cursors. */
  cursors?: SecretBox;
  /** Of views whose pages are read far from the beginning. */
  indexes?: OffsetIndexes;
}

/**
 * A page of a table within the reader's scope. Hidden fields can't be filtered, sorted, searched or selected:
 * they are answered like missing fields. Refuses with `too_large` a page whose values take more than `maxBytes`.
 */
export async function readPage(
  deps: ReadDeps,
  subject: Subject,
  call: QueryCall & { cursor?: string | undefined },
  maxBytes?: number,
): Promise<Page> {
  const { table, ...view } = readView(deps.model(), subject, call);
  const orderOf = await readableOrder(deps, subject, { ...call, table: table.name });
  const { cursors } = deps;
  const cursor = cursors ? cursorOf(call, cursors) : null;
  const limit = limitOf(call.limit, deps.limits);
  const page = await readStoredPage(deps.database, table, {
    ...view,
    orderOf,
    ...(cursor && { after: cursor.place }),
    offset: call.offset ?? 0,
    limit,
    maxBytes,
    exactTotal: deps.limits.EXACT_TOTAL_MAX_RECORDS,
    countMs: deps.limits.COUNT_TIMEOUT_MS,
    indexes: isTimeless(call) && deps.indexes ? { of: deps.indexes, reader: subject } : undefined,
  }).catch((error: unknown) => {
    if (!(error instanceof PageTooLarge)) throw error;
    throw new Refusal("too_large", { limit: maxBytes, size: error.bytes, unit: "bytes" });
  });
  const version = formatVersion(page.epoch, page.seq);
  const records = page.records.map(({ id, values }) => ({ id, version, values }));
  if (!cursor || !cursors) return { ...page, records };
  const last = records.length === limit ? page.records.at(-1) : undefined;
  const next = last ? writeCursor(cursor.position ?? version, last, cursors) : null;
  return { ...page, records, next };
}

/** Whether a view changes only by changes that are logged: others can't be counted for later. */
export const isTimeless = ({ filter }: Pick<QueryCall, "filter">) => !(filter && usesClock(filter));

/** A view, checked and bound to its reader's rights. */
interface ReadableView {
  table: Table;
  filter: Filter | null;
  sort: SortKey[];
  labels: LabelSources;
  fields: readonly string[];
}

/** Checks a view against what its reader may see; its filter includes their row rights. */
export function readView(model: Model, subject: Subject, call: QueryCall): ReadableView {
  const { table, scope } = readableTable(subject, model, call.table);
  const fields = call.fields ?? scope.fields;
  requireKnownFields(scope, fields);
  const sort = readSort(call.sort ?? [], table, scope);
  const sortedBy = sort.map(({ field }) => field);
  return {
    table,
    filter: wholeFilter({ ...call, zone: call.zone ?? zoneOf(model) }, table, scope, subject),
    sort,
    labels: labelSources(model, subject, table, sortedBy),
    fields,
  };
}

/**
 * The view whose order by hand a call asks for, if it has one. A view of another table, one that is removed and one that the reader may not see
 * are `not_found` alike: an order that somebody has made by values that are hidden from others would reveal them.
 */
export async function readableOrder(
  { database, model }: Pick<ReadDeps, "database" | "model">,
  subject: Subject,
  { table, orderOf }: Pick<QueryCall, "table" | "orderOf">,
): Promise<string | undefined> {
  if (orderOf === undefined) return undefined;
  const row = await findView(database.kysely, orderOf);
  const { info } = found(row && toVisibleView(row, subject, model()));
  if (info.table !== table) throw new Refusal("not_found");
  return info.orderVersion === undefined ? undefined : info.id;
}

function limitOf(limit: number | undefined, limits: Limits): number {
  const max = limits.PAGE_MAX_RECORDS;
  if (limit !== undefined && limit > max)
    throw new Refusal("too_large", { limit: max, size: limit });
  return limit ?? limits.PAGE_DEFAULT_RECORDS;
}

/** Row rights, filter and search combined; only the filter was written by the caller. */
export function wholeFilter(
  call: Pick<QueryCall, "filter" | "search" | "zone">,
  table: Table,
  scope: Scope,
  subject: Subject,
): Filter | null {
  const parts: Filter[] = [];
  if (scope.filter) parts.push(scope.filter);
  const { filter, zone } = call;
  if (filter) parts.push(readFilter({ filter, zone }, table, scope, subject));
  const search = call.search?.trim();
  if (search) parts.push(searchFilter(search, table, scope));
  if (parts.length < 2) return parts[0] ?? null;
  return { and: parts };
}

/** Checks a filter against what its author may see, and binds `$me`, `$now` and so on. */
export function readFilter(
  { filter, zone = "UTC" }: { filter: Filter; zone?: string | undefined },
  table: Table,
  scope: Scope,
  subject: Subject,
): Filter {
  const problem = checkFilter(filter, fieldKinds(table, scope.fields));
  if (problem) throw new Refusal("invalid_request", { at: "filter", ...problem }, problem);
  const me = { id: subject.id, attributes: subject.attributes };
  return bindFilter(filter, { me, now: new Date().toISOString(), zone });
}

/** Quick search: any visible text field contains the words as written. */
function searchFilter(search: string, table: Table, scope: Scope): Filter {
  const texts = table.fields.filter(
    (field) => kindOfType[field.type] === "text" && scope.fields.includes(field.name),
  );
  const value = literalText(search);
  return { or: texts.map(({ name }) => ({ field: name, op: "contains", value })) };
}

/** Reads `a,-b` against the visible fields. */
function readSort(sort: readonly string[], table: Table, scope: Scope): SortKey[] {
  const keys = sort.map(readSortKey);
  const problem = checkSort(keys, fieldKinds(table, scope.fields));
  if (problem) throw new Refusal("invalid_request", { at: "sort", ...problem }, problem);
  return keys;
}

/** Records of a view that are read at once: everybody else's edits wait for that. */
const MATCHING_CHUNK = 250;

interface Matching {
  max: number;
  /** Called with the records of each part, before the next part is read. */
  use: (records: StoredPage["records"]) => Promise<void>;
  /** Runs each read when it is its turn. */
  read: <Result>(part: () => Promise<Result>) => Promise<Result>;
  /** Runs each part when it may go on, and rests after it. */
  paced: <Result>(part: () => Promise<Result>) => Promise<{ result: Result }>;
}

/**
 * Reads all records of a view. The matching ids are read as of one moment, and the records behind them in parts: as they
 * are then, if they still match. Only one part is in memory. Between parts it holds no turn, connection or lock, so that
 * nobody waits for its rests. Throws `too_large` if there are more than `max`.
 */
export async function readMatching(
  deps: ReadDeps,
  subject: Subject,
  call: QueryCall,
  { max, use, read, paced }: Matching,
): Promise<void> {
  const view = () => readView(deps.model(), subject, call);
  const { result: ids } = await paced(() =>
    read(async () => {
      const { table, ...asked } = view();
      const bounds = { size: MATCHING_CHUNK, max };
      const matching = await readIdBatches(deps.database, table, { ...asked, ...bounds });
      if (matching.count <= max) return matching.batches;
      const { total } = await readPage(deps, subject, { ...call, limit: 1 });
      throw new Refusal("too_large", { limit: max, size: Math.max(total, max + 1), unit: "ops" });
    }),
  );
  for (const batch of ids) {
    // Names are read anew: the model may have changed during a rest.
    const part = () => read(() => readNamed(deps.database, view(), JSON.parse(batch) as string[]));
    await use((await paced(part)).result);
  }
}
