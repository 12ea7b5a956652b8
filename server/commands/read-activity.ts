import { englishOnly } from "../../shared/error-texts/explain.ts";
import { foldCase } from "../../shared/filter/fold-case.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import type { ActivityQuery } from "../../shared/protocol/tables.ts";
import {
  canSee,
  type ReadableTable,
  readableHistory,
  readableTables,
  requireKnownFields,
} from "../policy/authorize.ts";
import { projectHistory } from "../policy/project-history.ts";
import {
  type ActivityFilter,
  type ActivityWindow,
  placesOfChanges,
  readActivityWindow,
  readDocuments,
} from "../store/activity.ts";
import { readDeletions } from "../store/change-history.ts";
import type { ReadDeps } from "./read-page.ts";

export interface ActivityCall extends ActivityQuery {
  limit?: number | undefined;
  /** The `next` of the page before. */
  before?: string | undefined;
}

/** An entry of the activity, and its place in the log. */
export interface PlacedEntry {
  place: number;
  entry: ActivityEntry;
}

/** Entries of the log that are read by one call, and by one statement: fewer where their values would take more. */
const CALL_MAX_CHANGES = 20_000;
/** Entries that are read while nothing was found: a caller that gets an empty page assumes the end. */
const EMPTY_CALL_MAX_CHANGES = 100_000;
const WINDOW_MAX_CHANGES = 5_000;
/** Of these about so many may match: each is compared with its record as it is now, in one turn and in memory. */
const WINDOW_TARGET_MATCHES = 1_000;
const WINDOW_TARGET_BYTES = 8_388_608;
/** What the size of the changes is estimated by. */
const FIRST_WINDOW = 100;

/**
 * The newest changes in the reader's scope, newest first. A change is shown if its reader has `history`, can
 * read the record now, and could read it in every image that is shown. If few changes match, or they are large, a page may
 * hold fewer than requested, or none: `next` says whether to continue.
 */
export async function readActivity(
  deps: ReadDeps,
  subject: Subject,
  call: ActivityCall,
): Promise<NewestFirst<ActivityEntry>> {
  const { found, next } = await readPlacedActivity(deps, subject, call);
  return pageOf(
    found.map(({ entry }) => entry),
    next,
  );
}

/** The same, with the place of each change. */
export async function readPlacedActivity(
  deps: ReadDeps,
  subject: Subject,
  call: ActivityCall,
): Promise<{ found: PlacedEntry[]; next: number | null }> {
  const { limits } = deps;
  const scopes = scopesOf(deps, subject, call);
  const limit = Math.min(call.limit ?? limits.PAGE_DEFAULT_RECORDS, limits.PAGE_MAX_RECORDS);
  const filter = { ...call, tables: [...scopes.keys()] };
  const matches = matcher(call);
  const found: PlacedEntry[] = [];
  let next = placeOf(call.before);
  if (limit === 0) return { found, next };
  // The history of a record that can't be seen is not read: it would take longer than that of a missing one.
  const at = call.record === undefined ? undefined : scopes.get(call.table ?? "");
  if (at && (await readableNow(deps, at, [call.record ?? ""])).size === 0) {
    return { found, next: null };
  }
  let [looked, bytes] = [0, 0];
  for await (const window of windowsOf(deps, filter, next)) {
    const visible = (await visibleEntries(deps, window, scopes)).filter(({ entry }) =>
      matches(entry),
    );
    const taken = visible.slice(0, limit - found.length);
    found.push(...taken);
    looked += window.size;
    bytes += window.bytes;
    next = taken.length < visible.length ? (taken.at(-1)?.place ?? null) : window.next;
    const most = found.length > 0 ? CALL_MAX_CHANGES : EMPTY_CALL_MAX_CHANGES;
    const isEnough = looked >= most || bytes >= limits.PAGE_MAX_BYTES;
    if (found.length >= limit || isEnough) break;
  }
  return { found, next };
}

/** The log before a place, newest first, in windows: all values of one are in memory. */
async function* windowsOf(
  { database }: ReadDeps,
  filter: ActivityFilter,
  start: number | null,
): AsyncGenerator<ActivityWindow & { size: number }> {
  let before = start;
  for (let size = FIRST_WINDOW; ; ) {
    const window = await readActivityWindow(database, filter, { before, size });
    yield { ...window, size };
    before = window.next;
    if (before === null) return;
    const fitting = Math.min(
      (WINDOW_TARGET_BYTES * size) / Math.max(window.bytes, 1),
      (WINDOW_TARGET_MATCHES * size) / Math.max(window.changes.length, 1),
    );
    size = Math.max(1, Math.min(WINDOW_MAX_CHANGES, Math.floor(fitting)));
  }
}

/** A change by its position in the log of its table. */
export interface ChangePosition {
  table: string;
  seq: number;
}

/** Of changes named by their positions those that the activity shows to this reader, newest first. */
export async function readEntries(
  deps: ReadDeps,
  subject: Subject,
  changes: readonly ChangePosition[],
): Promise<PlacedEntry[]> {
  return readEntriesAt(deps, subject, await placesOfChanges(deps.database, changes));
}

/** The same of the changes at these places in the log. */
export async function readEntriesAt(
  deps: ReadDeps,
  subject: Subject,
  places: readonly number[],
): Promise<PlacedEntry[]> {
  const scopes = scopesOf(deps, subject, {});
  const filter = { tables: [...scopes.keys()], places };
  const found: PlacedEntry[] = [];
  for await (const window of windowsOf(deps, filter, null)) {
    found.push(...(await visibleEntries(deps, window, scopes)));
  }
  return found;
}

type Scopes = Map<string, ReadableTable>;

/** The tables whose history the reader may see; the requested one, or all. */
function scopesOf({ model }: ReadDeps, subject: Subject, { table, ...call }: ActivityCall): Scopes {
  if (table === undefined) {
    const at = call.record !== undefined ? "record" : "field";
    if (call[at] !== undefined) throw tableMissing(at);
    const readable = readableTables(subject, model());
    const recorded = readable.filter((one) => grantOn(subject.role, one.table).history);
    return new Map(recorded.map((one) => [one.table.name, one]));
  }
  const readable = readableHistory(subject, model(), table);
  if (call.field !== undefined) requireKnownFields(readable.scope, [call.field]);
  return new Map([[table, readable]]);
}

async function visibleEntries(
  deps: ReadDeps,
  { changes }: ActivityWindow,
  scopes: Scopes,
): Promise<{ place: number; entry: ActivityEntry }[]> {
  const readable = new Map<string, ReadonlySet<string>>();
  for (const [name, own] of Map.groupBy(changes, ({ table }) => table)) {
    const at = scopes.get(name);
    const ids = [...new Set(own.map(({ change }) => change.record))];
    if (at) readable.set(name, await readableNow(deps, at, ids));
  }
  return changes.flatMap(({ table, place, change }) => {
    const { record } = change;
    const at = readable.get(table)?.has(record) ? scopes.get(table) : undefined;
    const entry = at && projectHistory(change, at.table, at.scope);
    return entry ? [{ place, entry: { table, record, ...entry } }] : [];
  });
}

/**
 * Of these records those that a reader can read now: as they are or, unless `withDeleted` is false, as they were
 * when they were deleted.
 */
export async function readableNow(
  { database }: Pick<ReadDeps, "database">,
  { table, scope }: ReadableTable,
  ids: readonly string[],
  withDeleted = true,
): Promise<ReadonlySet<string>> {
  if (scope.filter === null && withDeleted) return new Set(ids);
  // Of records that can't be seen the log is read as of those that don't exist. It has no deletion for one that does.
  const current = await readDocuments(database, table, ids, scope.filter);
  const gone = withDeleted ? ids.filter((id) => !current.has(id)) : [];
  for (const deletion of await readDeletions(database.pool, table.name, gone)) {
    if (deletion?.before) current.set(deletion.record, deletion.before);
  }
  const visible = [...current].filter(([id, values]) => canSee(scope, table, id, values));
  return new Set(visible.map(([id]) => id));
}

/** Searches what the reader is shown, so that nothing else can be guessed by it. */
function matcher({ field, search }: ActivityCall): (entry: ActivityEntry) => boolean {
  const text = foldCase(search?.trim() ?? "");
  return (entry) => {
    if (field !== undefined && !Object.hasOwn(entry.fields, field)) return false;
    if (text === "") return true;
    const { record, by, reason = "" } = entry;
    const values = Object.values(entry.fields).flatMap(({ before, after }) => [before, after]);
    const texts = [record, by.name, reason, ...values.map(textOf)];
    return texts.some((one) => foldCase(one).includes(text));
  };
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

/** A page of a list, newest first. */
export interface NewestFirst<Item> {
  items: Item[];
  total: number;
  /** Where the next page begins; null if nothing older can match. */
  next: string | null;
}

export function pageOf<Item>(items: Item[], next: number | null): NewestFirst<Item> {
  return { items, total: items.length, next: next === null ? null : String(next) };
}

/** Reads where a page begins from the `next` of the previous one. */
export function placeOf(before: string | undefined): number | null {
  if (before === undefined) return null;
  if (/^\d{1,15}$/.test(before)) return Number(before);
  const explanation = englishOnly("`before` is the `next` of a page.");
  throw new Refusal("invalid_request", { at: "before" }, explanation);
}

/** The refusal of a call that names something of a table, without the table. */
export function tableMissing(at: string, thing = at): Refusal {
  const explanation = englishOnly(`A ${thing} is one of a table: say which.`);
  return new Refusal("invalid_request", { at }, explanation);
}
