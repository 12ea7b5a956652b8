import { findField, findTable, type Model } from "../../../shared/model/model.ts";
import type { LabelSource, LabelSources } from "../../store/filter-columns.ts";
import type { LogChange } from "../../store/log-change.ts";
import { isOrderedByLabelsOf, type TileQuery, type TopRecordsQuery } from "../plan/tile-query.ts";
import { LiveQuery } from "./live-query.ts";
import type { WallboardQuery } from "./wallboard-query.ts";

/** All queries of all wallboards, each once, and which of them must be read. */
export class QueryRegistry {
  readonly #model: () => Model;
  readonly #verifyIntervalMs: number;
  readonly #queries = new Map<string, LiveQuery>();
  readonly #tables = new Map<string, Set<LiveQuery>>();

  constructor(model: () => Model, verifyIntervalMs: number) {
    this.#model = model;
    this.#verifyIntervalMs = verifyIntervalMs;
  }

  get all(): ReadonlyMap<string, LiveQuery> {
    return this.#queries;
  }

  /** The queried tables. */
  get tables(): Iterable<string> {
    return this.#tables.keys();
  }

  of(table: string): Iterable<LiveQuery> {
    return this.#tables.get(table) ?? [];
  }

  /**
   * Registers a wallboard's queries that are not registered for it yet; whether there were any. A query by
   * another model than the published one is not registered: either its wallboard is about to be planned again, or
   * this server has yet to load the model, and then the wallboard is passed again.
   */
  register(wallboardQuery: WallboardQuery): boolean {
    let some = false;
    for (const [key, query] of wallboardQuery.keys)
      some = this.#register(wallboardQuery, key, query) || some;
    return some;
  }

  #register(wallboardQuery: WallboardQuery, key: string, query: TileQuery): boolean {
    const known = this.#queries.get(key);
    if (known) {
      const isNew = !known.wallboardQueries.has(wallboardQuery);
      known.wallboardQueries.add(wallboardQuery);
      return isNew;
    }
    const model = this.#model();
    const table = findTable(model, query.table);
    if (!table || model.version !== query.model) return false;
    const labels = query.kind === "top" ? storedSources(query.labels, model) : {};
    const live = new LiveQuery(key, query, table, Date.now(), labels);
    live.wallboardQueries.add(wallboardQuery);
    this.#queries.set(key, live);
    const tableQueries = this.#tables.get(table.name) ?? new Set();
    this.#tables.set(table.name, tableQueries.add(live));
    return true;
  }

  unregister(wallboardQuery: WallboardQuery, key: string): void {
    const live = this.#queries.get(key);
    if (!live?.wallboardQueries.delete(wallboardQuery) || live.wallboardQueries.size > 0) return;
    this.#queries.delete(key);
    const tableQueries = this.#tables.get(live.table.name);
    tableQueries?.delete(live);
    if (tableQueries?.size === 0) this.#tables.delete(live.table.name);
  }

  /** Marks the queries whose order compares labels from a table, or from the users (null), as stale; whether there are any. */
  markOrderedByLabelsOf(table: string | null): boolean {
    let some = false;
    for (const live of this.#queries.values()) {
      if (!isOrderedByLabelsOf(live.query, table)) continue;
      live.isStale = true;
      some = true;
    }
    return some;
  }

  /** Marks what the clock has passed as stale; whether anything must be read now. */
  checkClock(now: number): boolean {
    let some = false;
    for (const live of this.#queries.values()) {
      live.checkClock(now);
      some ||= isDue(live, now) || this.#isToVerify(live, now);
    }
    return some;
  }

  /** A round begins at `now`: marks what the clock, or changes that can't update it, makes stale. */
  beginRound(
    now: number,
    feeds: Iterable<{ tail: { table: string }; waiting: readonly LogChange[] }>,
  ) {
    for (const live of this.#queries.values()) live.advanceClock(now);
    for (const { tail, waiting } of feeds) {
      for (const live of this.of(tail.table)) {
        if (live.isIncremental || live.isStale) continue;
        live.isStale = waiting.some((change) => live.mayConcern(change));
      }
    }
  }

  isAnyDue(now: number): boolean {
    return [...this.#queries.values()].some((live) => isDue(live, now));
  }

  due(now: number): LiveQuery[] {
    return [...this.#queries.values()].filter((live) => isDue(live, now));
  }

  /** Results updated from changes that are due for comparison with the database, a few at a time. */
  toVerify(now: number, most: number): LiveQuery[] {
    return [...this.#queries.values()].filter((live) => this.#isToVerify(live, now)).slice(0, most);
  }

  #isToVerify(live: LiveQuery, now: number): boolean {
    const isIncremental = live.query.kind !== "recent" && live.isIncremental && live.hasResult;
    const isOld = now - live.verifiedAt > this.#verifyIntervalMs;
    return (
      isIncremental && !live.isStale && isOld && live.notBefore <= now && !live.isReadSeparately
    );
  }
}

function isDue(live: LiveQuery, now: number): boolean {
  return live.isStale && live.notBefore <= now && !live.isReadSeparately;
}

/** The tables behind the names that a plan has for the sources of labels. */
function storedSources(labels: TopRecordsQuery["labels"], model: Model): LabelSources {
  const sources: Record<string, LabelSource> = Object.create(null);
  for (const [name, source] of Object.entries(labels)) {
    if (source.kind === "people") sources[name] = { kind: "users" };
    else {
      const table = findTable(model, source.table);
      const display = table && findField(table, source.display);
      if (display) sources[name] = { kind: "records", table, display, filter: source.scope };
    }
  }
  return sources;
}
