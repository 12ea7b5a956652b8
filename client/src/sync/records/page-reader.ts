import type { Filter } from "../../../../shared/filter/filter.ts";
import { isTransient, Refusal } from "../../../../shared/protocol/errors.ts";
import type { Page, QueryCall } from "../../../../shared/protocol/feed.ts";
import { retryMs } from "../connection/backoff.ts";
import type { CoreParts } from "../core-parts.ts";
import type { TableSubscriber } from "../feed/table-subscriber.ts";
import type { Confirmed, RecordCache } from "./record-cache.ts";

const RETRY = { baseMs: 300, maxMs: 10_000 };
/** Reading is harmless, so a failure of the server's own is tried again, too, but not for ever. */
const INTERNAL_TRIES_MAX = 8;
const QUERY_TIMEOUT_MS = 20_000;
/** Ids in one `in` filter. */
const IDS_MAX = 200;

/** Receives a page brought up to the stream; no change comes between that and this call. */
type AcceptPage = (page: Page, records: ReadonlyMap<string, Confirmed>) => void;

/** The same for records requested by id; also receives the requested ids. */
type AcceptPortion = (
  page: Page,
  records: ReadonlyMap<string, Confirmed>,
  requested: readonly string[],
) => void;

/** Reads pages so that they fit the stream: rule C13. */
export class PageReader {
  readonly #core: CoreParts;
  readonly #cache: RecordCache;
  readonly #subscriber: TableSubscriber;
  /** Records that the server has not found too large for one page. */
  #fitting = Number.POSITIVE_INFINITY;

  constructor(core: CoreParts, cache: RecordCache, subscriber: TableSubscriber) {
    this.#core = core;
    this.#cache = cache;
    this.#subscriber = subscriber;
  }

  /** Records in one page. */
  get pageMax(): number {
    return Math.min(this.#core.context().limits.PAGE_MAX_RECORDS, this.#fitting);
  }

  /** Ids to ask for in one page. */
  get idsMax(): number {
    return Math.min(IDS_MAX, this.pageMax);
  }

  /** False if the values are larger than a page may be: `pageMax` and `idsMax` are smaller then, and the caller reads again. */
  async read(call: QueryCall, accept: AcceptPage): Promise<boolean> {
    for (let attempt = 0; ; attempt++) {
      const refusal = await this.#try(call, accept);
      if (!refusal) return true;
      if (isTooManyBytes(refusal) && this.#fit(call.limit)) return false;
      const isRetried =
        isTransient(refusal.code) || (refusal.code === "internal" && attempt < INTERNAL_TRIES_MAX);
      if (!isRetried) throw refusal;
      await this.pause(attempt, refusal);
    }
  }

  /** Asks for half as many records from now on; false if it was one. */
  #fit(records = this.pageMax): boolean {
    if (records <= 1) return false;
    this.#fitting = Math.min(this.#fitting, Math.floor(records / 2));
    return true;
  }

  /** Answers why it failed; null if the page was accepted. */
  async #try(call: QueryCall, accept: AcceptPage): Promise<Refusal | null> {
    await this.#subscriber.whenFollowing();
    const running = this.#cache.beginQuery();
    try {
      const page = await this.#core.transport.call("query", call, QUERY_TIMEOUT_MS);
      const records = running.isCurrent() ? this.#cache.prepare(page) : null;
      if (!records) return new Refusal("unavailable", { lost: true });
      accept(page, records);
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    } finally {
      running.done();
    }
  }

  /** Reads single records, in portions; `accept` runs for each portion. */
  async readIds(table: string, ids: readonly string[], accept: AcceptPortion): Promise<void> {
    for (let start = 0; start < ids.length; ) {
      const portion = ids.slice(start, start + this.idsMax);
      const call = { table, filter: idFilter(portion), limit: portion.length };
      const isRead = await this.read(call, (page, records) => accept(page, records, portion));
      if (isRead) start += portion.length;
    }
  }

  /** Resolves when what was refused may be read again. */
  pause(attempt: number, { detail }: Refusal): Promise<void> {
    const { clock } = this.#core;
    return new Promise((resolve) => clock.after(retryMs(attempt, detail, RETRY, clock), resolve));
  }
}

/** Whether a page is refused because of the size of its values: fewer records may fit. */
export function isTooManyBytes(error: unknown): boolean {
  return error instanceof Refusal && error.code === "too_large" && error.detail.unit === "bytes";
}

/** Matches the records of these ids. */
export function idFilter(ids: readonly string[]): Filter {
  return { field: "id", op: "in", value: [...ids] };
}
