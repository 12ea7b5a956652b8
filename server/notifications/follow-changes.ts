import { setImmediate as nextTurn } from "node:timers/promises";
import { bindFilter, usesClock } from "../../shared/filter/bind-filter.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { compileFilter, type RecordPredicate } from "../../shared/filter/matches.ts";
import {
  type Field,
  fieldKinds,
  findTable,
  idOfField,
  idOfTable,
  type Table,
  type Values,
} from "../../shared/model/model.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type { Position } from "../../shared/protocol/position.ts";
import { identifyUsers } from "../auth/authenticate.ts";
import type { Identity } from "../auth/identity.ts";
import type { WorkSource } from "../messaging/leader-work.ts";
import { type CompiledScope, compileScopeOf, isInScope } from "../policy/compiled-scope.ts";
import { imageBefore, projectChange } from "../policy/project-change.ts";
import { toVisibleView } from "../policy/visible-view.ts";
import { readSpan } from "../store/feed-log.ts";
import {
  type FollowedFeed,
  findFollowedTables,
  findUnevaluated,
  findWatch,
  moveEvaluated,
  moveFollowed,
  type NewEntry,
  notifyUsers,
  readFollowed,
  readSettings,
  type WatchRow,
  watchesOfTable,
} from "../store/inbox.ts";
import type { LogChange, LogSpan } from "../store/log-change.ts";
import { publishedVersion } from "../store/models.ts";
import { type Context, requireModel, withPublishedModel } from "../store/published-model.ts";
import { readIdBatches } from "../store/records.ts";
import { findView, type ViewRow } from "../store/views/views.ts";
import { zoneOfUser } from "./settings.ts";
import { tableById } from "./watches.ts";

/** What this server has in memory behind a position of a feed; null if that does not reach back so far. */
export type RecentChanges = (table: string, after: Position) => readonly LogChange[] | null;

/**
 * The first change of a quiet table is noticed at once, those that follow with the next step, which is within a second of each. So a record
 * that is edited 200 times a second costs about what one that is edited once does.
 */
const STEP_SPACING_MS = 850;
const SPAN_MAX_CHANGES = 500;
/** Changes that are compared with a watch or a field of users before edits and reads have a turn: some milliseconds. */
const EVALUATIONS_PER_TURN = 1_000;
/** Records that enter or leave a view by the passing of time alone, in one evaluation. */
const CLOCK_MAX_RECORDS = 1_000;
const CLOCK = "watch ";

/**
 * Follows the log of each table for what users are notified of: that a record was assigned to them, and changes of what they watch.
 * The entries of a span are stored with the move of the position, in one transaction, so that each change is noticed exactly once, whichever
 * server is killed. Rights are asked here so that nothing is entered that could not be shown; what is shown is decided when it is read
 * (inbox.ts).
 *
 * Edits pay nothing for it: this server has published them, and has them in memory, so their log is not read again. Tables without
 * fields of users and without watches make no work when they are changed; their positions follow at the next poll.
 *
 * A view whose filter depends on the time changes without a change of the log. Every minute it is asked of the database which records match
 * it at this moment and did not at the former one, and the reverse. A record that changed in between is noticed by the log, too, by the
 * moment of its change; both are one entry.
 */
export class ChangeFollower implements WorkSource {
  readonly name = "the inbox";
  readonly parallel = 0;
  readonly spacingMs = STEP_SPACING_MS;
  readonly #context: Context;
  readonly #recent: RecentChanges;
  /** When views that depend on the time were looked for last. */
  #lookedAt = -Infinity;

  constructor(context: Context, recent: RecentChanges) {
    this.#context = context;
    this.#recent = recent;
  }

  async find(tables: readonly string[] | null) {
    const { database, model } = this.#context;
    const feeds = await findFollowedTables(database.kysely, tables);
    const makesEntries = ({ table: name, isWatched }: (typeof feeds)[number]) =>
      isWatched || userFieldsOf(findTable(model(), name)).length > 0;
    const due = tables ? [] : await this.#findUnevaluated();
    return [
      ...feeds.map((feed) => ({
        ...{ id: feed.table, isDue: feed.isDue },
        table: makesEntries(feed) ? feed.table : null,
      })),
      ...due.map((watch) => ({ id: `${CLOCK}${watch}`, table: null, isDue: true })),
    ];
  }

  /** Watches whose minute is over. An idle server does not ask for them at each poll. */
  async #findUnevaluated(): Promise<string[]> {
    const { database, limits } = this.#context;
    const now = performance.now();
    if (now - this.#lookedAt < limits.WATCH_CLOCK_MS / 10) return [];
    this.#lookedAt = now;
    return await findUnevaluated(database.kysely, limits.WATCH_CLOCK_MS);
  }

  async step(id: string) {
    const { model } = this.#context;
    const isMore = await withPublishedModel(model.refreshAfterFailure, () =>
      id.startsWith(CLOCK) ? this.#evaluate(id.slice(CLOCK.length)) : this.#follow(id),
    );
    return { isMore, attempts: [] };
  }

  /** Enters what the next changes of a table are noticed by. Whether there are more. */
  async #follow(name: string): Promise<boolean> {
    const { database, model, limits } = this.#context;
    const feed = await readFollowed(database.kysely, name);
    if (!feed) return false;
    requireModel(feed, model());
    const table = findTable(model(), name);
    const head = { epoch: feed.feedEpoch, seq: feed.head };
    // Of a history that is lost, or of a table that makes no entries, there is nothing to notice.
    const watches = table && feed.isHeld ? await this.#watchesOf(table) : null;
    if (!watches) {
      await moveFollowed(database.kysely, feed, head);
      return false;
    }
    if (feed.seq >= feed.head) {
      await moveFollowed(database.kysely, feed, head);
      return false;
    }
    const span =
      this.#recentSpan(name, feed) ??
      (await readSpan(database, name, feed.seq, SPAN_MAX_CHANGES, limits.PAGE_MAX_BYTES));
    if (!span || span.epoch !== feed.feedEpoch) return true;
    const entries = await this.#entriesOf(watches, span.changes, feed);
    // The log may not hold the next changes any more.
    const to = span.changes.length > 0 ? span.to : feed.head;
    const position = { epoch: feed.feedEpoch, seq: to };
    if (entries.length === 0) await moveFollowed(database.kysely, feed, position);
    else {
      await database.kysely.transaction().execute(async (tx) => {
        if (await moveFollowed(tx, feed, position)) await notifyUsers(tx, entries);
      });
    }
    return to < feed.head;
  }

  /**
   * The next changes from memory, up to the stored head; null if they are not there. Within one epoch they are those of the log, with the
   * same names. Webhooks read the log: what they send is read there again.
   */
  #recentSpan(table: string, { feedEpoch: epoch, seq, head }: FollowedFeed): LogSpan | null {
    const recent = this.#recent(table, { epoch, seq });
    const changes = recent?.slice(0, Math.min(SPAN_MAX_CHANGES, head - seq)) ?? [];
    if (changes.length === 0) return null;
    return { table, epoch, from: seq, to: seq + changes.length, changes };
  }

  /** What a table makes entries of; null if nothing. */
  async #watchesOf(table: Table): Promise<TableWatches | null> {
    const userFields = userFieldsOf(table);
    const rows = await watchesOfTable(this.#context.database.kysely, idOfTable(table));
    return userFields.length > 0 || rows.length > 0 ? { table, userFields, rows } : null;
  }

  async #entriesOf(
    { table, userFields, rows }: TableWatches,
    changes: readonly LogChange[],
    feed: FollowedFeed,
  ): Promise<NewEntry[]> {
    const records = new Set(changes.map(({ record }) => record));
    const watches = rows.filter(({ record }) => record === null || records.has(record));
    const assigned = changes.flatMap((change) =>
      userFields.flatMap((field) => assignedTo(change, field) ?? []),
    );
    const users = [...new Set([...watches.map(({ user_id }) => user_id), ...assigned])];
    // The names of an epoch never change, so nobody was overlooked because another model was published meanwhile.
    if (users.length === 0) return [];
    const readers = await this.#readersOf(table, users);
    const watchers = await this.#watchersOf(table, watches, readers);
    const entries: NewEntry[] = [];
    let evaluations = 0;
    const isTurnOver = () => {
      evaluations += 1;
      return evaluations % EVALUATIONS_PER_TURN === 0;
    };
    for (const change of changes) {
      const about = {
        table: idOfTable(table),
        record: change.record,
        by: `${change.by.kind}:${change.by.id}`,
        position: { epoch: feed.feedEpoch, seq: change.seq },
        at: change.at,
      };
      const counted = new Set<string>();
      for (const field of userFields) {
        if (isTurnOver()) await nextTurn();
        const user = assignedTo(change, field);
        const scope = user === null ? undefined : readers.get(user)?.scope;
        if (!user || !scope?.visible.has(field.name)) continue;
        if (!isInScope(scope, change.record, change.after as Values)) continue;
        entries.push({
          ...about,
          user,
          cause: "assignment",
          fields: [idOfField(field)],
          event: "changed",
        });
      }
      for (const { watch, reads } of watchers) {
        if (isTurnOver()) await nextTurn();
        const noticed = reads(change);
        if (!noticed) continue;
        entries.push({
          ...about,
          user: watch.user_id,
          cause: "watch",
          view: watch.view,
          isCounted: counted.has(watch.user_id),
          ...noticed,
        });
        counted.add(watch.user_id);
      }
    }
    const { database, model } = this.#context;
    requireModel({ modelVersion: await publishedVersion(database.kysely) }, model());
    return entries;
  }

  async #readersOf(table: Table, users: readonly string[]): Promise<Readers> {
    const readers: Readers = new Map();
    const identities = await identifyUsers(this.#context.database.kysely, users);
    for (const [user, identity] of identities) {
      const scope = compileScopeOf(identity.subject, table);
      if (scope) readers.set(user, { identity, scope });
    }
    return readers;
  }

  async #watchersOf(
    table: Table,
    watches: readonly WatchRow[],
    readers: Readers,
  ): Promise<Watcher[]> {
    const { database, model } = this.#context;
    const { kysely } = database;
    const views = new Map<string, ViewRow | null>();
    for (const { view } of watches) {
      if (view !== null && !views.has(view)) views.set(view, await findView(kysely, view));
    }
    const settings = await readSettings(
      kysely,
      watches.map(({ user_id }) => user_id),
    );
    return watches.flatMap((watch): Watcher[] => {
      const reader = readers.get(watch.user_id);
      if (!reader) return [];
      const chosen = watch.fields && namesOf(table, watch.fields);
      if (watch.view === null) {
        const reads = (change: LogChange) =>
          change.record === watch.record
            ? noticedOfRecord(change, reader.scope, chosen, table)
            : null;
        return [{ watch, reads }];
      }
      const row = views.get(watch.view);
      const view = row && toVisibleView(row, reader.identity.subject, model());
      if (!view || view.table.name !== table.name) return [];
      const matches = memberOf(table, view.settings.filter, {
        ...reader,
        zone: zoneOfUser(settings(watch.user_id), model),
      });
      return [
        { watch, reads: (change) => noticedOfView(change, matches, reader.scope, chosen, table) },
      ];
    });
  }

  /** Enters which records the passing of time has brought into a watched view, or out of it. */
  async #evaluate(id: string): Promise<false> {
    const { database, model } = this.#context;
    const { kysely } = database;
    const watch = await findWatch(kysely, id);
    const row = watch?.view ? await findView(kysely, watch.view) : null;
    const identity = watch && (await identifyUsers(kysely, [watch.user_id])).get(watch.user_id);
    const table = watch && tableById(model(), watch.table_id);
    if (!watch) return false;
    const view = row && identity && toVisibleView(row, identity.subject, model());
    const scope = identity && table && scopeOf(identity.subject, table);
    const filter = view?.settings.filter;
    const entries: NewEntry[] = [];
    if (view && scope && filter && table.name === view.table.name && usesClock(filter)) {
      const zone = zoneOfUser((await readSettings(kysely, [watch.user_id]))(watch.user_id), model);
      const at = (now: string) => bindFilter(filter, { me: identity.subject, now, zone });
      const [was, is] = [at(watch.evaluated_at), at(watch.now)];
      const own = scope.filter ? [scope.filter] : [];
      const find = (one: Filter, other: Filter) =>
        this.#idsOf(table, { and: [...own, one, { not: other }] });
      const moves = [
        ...(await find(is, was)).map((record) => ({ record, event: "entered" as const })),
        ...(await find(was, is)).map((record) => ({ record, event: "left" as const })),
      ];
      const about = {
        user: watch.user_id,
        cause: "watch",
        table: watch.table_id,
        by: null,
      } as const;
      entries.push(...moves.map((move) => ({ ...about, ...move, view: watch.view })));
    }
    requireModel({ modelVersion: await publishedVersion(kysely) }, model());
    await kysely.transaction().execute(async (tx) => {
      if (await moveEvaluated(tx, watch, watch.now)) await notifyUsers(tx, entries);
    });
    return false;
  }

  async #idsOf(table: Table, filter: Filter): Promise<string[]> {
    const bounds = {
      filter,
      sort: [],
      labels: {},
      size: CLOCK_MAX_RECORDS,
      max: CLOCK_MAX_RECORDS,
    };
    const { batches } = await readIdBatches(this.#context.database, table, bounds);
    return batches.flatMap((batch) => JSON.parse(batch) as string[]).slice(0, CLOCK_MAX_RECORDS);
  }
}

const userFieldsOf = (table: Table | undefined) =>
  table?.fields.filter(({ type }) => type === "person") ?? [];

interface TableWatches {
  table: Table;
  userFields: readonly Field[];
  rows: readonly WatchRow[];
}

interface Reader {
  identity: Identity;
  scope: CompiledScope;
}
type Readers = Map<string, Reader>;

type Noticed = Pick<NewEntry, "event" | "fields"> | null;
interface Watcher {
  watch: WatchRow;
  /** What of a change this watch notices. */
  reads(change: LogChange): Noticed;
}

/** The user to whom a change assigns its record, by a field. */
function assignedTo({ kind, before, after }: LogChange, { name }: Field): string | null {
  const value = after?.[name];
  const isChanged = kind === "insert" || (before !== null && Object.hasOwn(before, name));
  return isChanged && typeof value === "string" && value !== before?.[name] ? value : null;
}

const namesOf = (table: Table, ids: readonly string[]): ReadonlySet<string> =>
  new Set(table.fields.filter((field) => ids.includes(idOfField(field))).map(({ name }) => name));

type Chosen = ReadonlySet<string> | null;

/** The ids of the chosen fields that a change shows to a scope; null if none. */
function changedIds(set: Values, chosen: Chosen, table: Table): string[] | null {
  const names = Object.keys(set).filter((name) => !chosen || chosen.has(name));
  if (names.length === 0) return null;
  return table.fields.filter(({ name }) => names.includes(name)).map(idOfField);
}

function noticedOfRecord(
  change: LogChange,
  scope: CompiledScope,
  chosen: Chosen,
  table: Table,
): Noticed {
  const projected = projectChange(change, scope);
  if (!projected) return null;
  if (change.kind === "delete") return { event: "deleted" };
  if (change.kind === "insert") return { event: "created" };
  if (projected.kind !== "update") return null;
  const fields = changedIds(projected.set, chosen, table);
  return fields && { event: "changed", fields };
}

/** Whether an image is in a view at a moment. */
type Member = (record: string, values: Values, at: string) => boolean;

function memberOf(
  table: Table,
  filter: Filter | null,
  { identity, zone }: { identity: Identity; zone: string },
): Member {
  if (!filter) return () => true;
  const kinds = fieldKinds(table);
  const bound = (now: string): RecordPredicate =>
    compileFilter(bindFilter(filter, { me: identity.subject, now, zone }), kinds);
  if (usesClock(filter)) return (record, values, at) => bound(at)(record, values);
  const matches = bound("1970-01-01T00:00:00Z");
  return (record, values) => matches(record, values);
}

function noticedOfView(
  change: LogChange,
  isMember: Member,
  scope: CompiledScope,
  chosen: Chosen,
  table: Table,
): Noticed {
  const { record, after, at } = change;
  const isIn = (values: Values | null) =>
    values !== null && isInScope(scope, record, values) && isMember(record, values, at);
  const [was, is] = [isIn(imageBefore(change)), isIn(after)];
  if (!was && !is) return null;
  if (!was) return { event: "entered" };
  if (change.kind === "delete") return { event: "deleted" };
  if (!is) return after && isInScope(scope, record, after) ? { event: "left" } : null;
  const projected = chosen && projectChange(change, scope);
  const fields = projected && changedIds(projected.set, chosen, table);
  return fields ? { event: "changed", fields } : null;
}
