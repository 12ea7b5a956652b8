import { fieldsOf, usesClock } from "../../../../shared/filter/bind-filter.ts";
import { ID_FIELD } from "../../../../shared/filter/value-kinds.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { Summary } from "../../../../shared/protocol/summary.ts";
import { type AtomStore, createAtom } from "../../state/atom-store.ts";
import type { SummaryQuery } from "../calls/summary.ts";
import type { Clock } from "../clock.ts";
import { retryMs } from "../connection/backoff.ts";
import type { TableSession } from "../feed/followed-tables.ts";
import type { Touched } from "../records/flash.ts";

/** A summary is read again this long after a change; after a costly one later, so that it takes a tenth of the time. */
const REFRESH_MS = { min: 700, max: 30_000 };
const REST_PER_READ = 9;
const RETRY = { baseMs: 1_000, maxMs: 30_000 };
/** A filter that names the time is evaluated again this often. */
const CLOCK_EVERY_MS = 30_000;

export interface SummaryState {
  /** The newest result, and the query that it answers; null until one is read. */
  result: { query: SummaryQuery; summary: Summary } | null;
  /** Whether the result includes every change that this page knows of. */
  isExact: boolean;
  /** Why there is none. */
  refusal: Refusal | null;
}

/** The live summary of a view: one query at a time, whatever the rate of change, and exact once changes rest. */
export class ViewSummary {
  readonly stateAtom = createAtom<SummaryState>({ result: null, isExact: false, refusal: null });
  readonly #deps;
  readonly #stop: () => void;
  #query: SummaryQuery;
  #relevant: ReadonlySet<string> | null = null;
  /** The position of the last change that may concern the result. */
  #changedAt = -1;
  #epoch: string | undefined;
  #cancel: (() => void) | null = null;
  #stopClock: () => void;
  #isReading = false;
  #isClosed = false;
  #attempt = 0;
  #lastReadMs = 0;
  #isTooCostly = false;

  constructor(
    deps: {
      session: Pick<TableSession, "position" | "phase" | "onTouched">;
      clock: Clock;
      store: AtomStore;
      read(query: SummaryQuery): Promise<Summary>;
      /** A result that nobody asked for is read when changes have rested for so long, and not again if that takes too long. */
      quietMs?: number | undefined;
    },
    query: SummaryQuery,
  ) {
    this.#deps = deps;
    this.#query = query;
    this.#stop = deps.session.onTouched((touched) => this.#onTouched(touched));
    this.#relevant = relevantFields(query);
    this.#stopClock = this.#followClock();
    this.#schedule(deps.quietMs ?? 0);
  }

  /** Another query: the previous result stays until the new one is there. */
  setQuery(query: SummaryQuery): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#relevant = relevantFields(query);
    this.#attempt = 0;
    this.#isTooCostly = false;
    this.#update({ isExact: false });
    this.#schedule(this.#deps.quietMs ?? 0);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel?.();
    this.#stopClock();
    this.#stop();
  }

  /** Time alone changes what a filter with `$now` matches. */
  #followClock(): () => void {
    return this.#deps.clock.after(CLOCK_EVERY_MS, () => {
      const { filter } = this.#query;
      if (filter && usesClock(filter)) this.#cancel ??= this.#after(this.#quietMs);
      this.#stopClock = this.#followClock();
    });
  }

  #onTouched({ changed }: Touched): void {
    const { position, phase } = this.#deps.session;
    const isOther = this.#epoch !== undefined && position?.epoch !== this.#epoch;
    const isRelevant = [...changed].some((field) => this.#relevant?.has(field) ?? true);
    if (changed.size > 0 && isRelevant) this.#changedAt = position?.seq ?? this.#changedAt;
    if (isOther || phase !== "live" || !this.#isCurrent()) this.#outdate();
    else if (!this.#isReading && this.#cancel === null && !this.#state.isExact)
      this.#schedule(this.#quietMs);
  }

  #isCurrent(): boolean {
    const seq = this.#state.result?.summary.seq;
    return seq !== undefined && this.#changedAt <= seq;
  }

  /** Nothing is read while the table is not live: the change that makes it live is another touch. */
  #outdate(): void {
    this.#update({ isExact: false });
    if (this.#deps.session.phase !== "live") return;
    if (this.#deps.quietMs !== undefined) this.#schedule(this.#quietMs);
    else this.#cancel ??= this.#after(this.#pauseMs);
  }

  /** How long a result that nobody asked for waits; others are read at once. */
  get #quietMs(): number {
    const { quietMs } = this.#deps;
    return quietMs === undefined ? 0 : Math.max(quietMs, this.#pauseMs);
  }

  get #pauseMs(): number {
    const { random } = this.#deps.clock;
    const pause = Math.max(REFRESH_MS.min, this.#lastReadMs * REST_PER_READ);
    return Math.min(REFRESH_MS.max, pause) * (0.75 + random() / 2);
  }

  #schedule(ms: number): void {
    this.#cancel?.();
    this.#cancel = this.#after(ms);
  }

  #after(ms: number): () => void {
    return this.#deps.clock.after(ms, () => {
      this.#cancel = null;
      void this.#read();
    });
  }

  async #read(): Promise<void> {
    if (this.#isClosed || this.#isReading || this.#isTooCostly) return;
    const { clock, read, session } = this.#deps;
    const query = this.#query;
    const began = clock.steady();
    this.#isReading = true;
    try {
      const summary = await read(query);
      this.#attempt = 0;
      this.#epoch = summary.epoch;
      this.#lastReadMs = clock.steady() - began;
      this.#isReading = false;
      if (this.#isClosed) return;
      this.#update({ result: { query, summary }, refusal: null });
      const isExact = query === this.#query && session.phase === "live" && this.#isCurrent();
      this.#update({ isExact });
      if (query !== this.#query) this.#schedule(0);
      else if (!isExact) this.#outdate();
    } catch (error) {
      this.#isReading = false;
      if (!(error instanceof Refusal)) throw error;
      if (!this.#isClosed) this.#onRefused(error, query);
    }
  }

  #onRefused(refusal: Refusal, query: SummaryQuery): void {
    this.#update({ refusal, isExact: false });
    if (query !== this.#query) this.#schedule(0);
    else if (this.#deps.quietMs !== undefined && refusal.code === "query_timeout")
      this.#isTooCostly = true;
    else this.#schedule(retryMs(this.#attempt++, refusal.detail, RETRY, this.#deps.clock));
  }

  get #state(): SummaryState {
    return this.#deps.store.get(this.stateAtom);
  }

  #update(some: Partial<SummaryState>): void {
    const state = this.#state;
    const names = Object.keys(some) as (keyof SummaryState)[];
    if (names.some((name) => state[name] !== some[name])) {
      this.#deps.store.set(this.stateAtom, { ...state, ...some });
    }
  }
}

/** The fields whose changes matter; null for all of them, because a search reads every text. */
function relevantFields({ filter, search, measures, group }: SummaryQuery): Set<string> | null {
  if (search !== "") return null;
  const measured = measures.flatMap(({ field }) => field ?? []);
  return new Set([
    ID_FIELD,
    ...(filter ? fieldsOf(filter) : []),
    ...measured,
    ...(group ? [group.field] : []),
  ]);
}
