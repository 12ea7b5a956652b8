import { createHash } from "node:crypto";
import type { RawBuilder, SqlBool } from "kysely";
import type { Table } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Db } from "./database.ts";
import { isTimedOut } from "./is-unavailable.ts";
import { boundBlocks } from "./offset-blocks.ts";
import {
  advanceOffsetIndex,
  buildOffsetIndex,
  FOLLOWED_MAX_CHANGES,
  type OffsetIndex,
  type View,
} from "./offset-index.ts";
import type { ReadTurns } from "./read-turns.ts";
import { openSnapshot } from "./snapshot.ts";
import { execute } from "./statement.ts";

/** A view whose index could not be built is read without one for so long. */
const REFUSED_MS = 600_000;
/** A count by a page, whose total is the planner's estimate, holds for so long. */
const COUNTED_MS = 60_000;
/** Of an entry beside its values. */
const ENTRY_BYTES = 120;
/** Of a view, with its key, that is only counted or whose index has no entries. */
const VIEW_BYTES = 300;

/** A view that was counted up to some number. */
interface CountedView extends Position {
  /** It had so many records at that position, or more. */
  atLeast: number;
  /** The planner's, or of an index the number itself. Null: only readers have counted it who may not know it. */
  estimate: number | null;
  isExact: boolean;
}

interface Cached {
  table: Table;
  /** Null: it can't be built, or is too large. Undefined: none was built. */
  index?: OffsetIndex | null;
  counted?: CountedView;
  bytes: number;
  at: number;
}

/**
 * The offset indexes and counts of long views on a server, the least recently used dropped first. Readers share one only if their bound filters
 * are the same, and so their row rights. An index follows the log when it is used: edits don't know of it.
 */
export class OffsetIndexes {
  readonly #deps;
  /** In the order of their use. */
  readonly #cached = new Map<string, Cached>();
  readonly #building = new Map<string, { table: Table; ended: Promise<void> }>();
  #bytes = 0;
  #isClosed = false;

  constructor(deps: {
    /** An index is built in a turn of the reader whose page asked for it. */
    turns: ReadTurns;
    maxBytes: number;
    timeoutMs: number;
    /** A failed build: its pages are read without an index, and the next one begins another build. */
    onError: (error: unknown) => void;
  }) {
    this.#deps = deps;
  }

  /** How many records a view had when it was last counted, by its index or for a page. */
  counted(table: Table, view: View): CountedView | null {
    const cached = this.#cached.get(keyOf(table, view));
    if (cached?.table !== table) return null;
    if (cached.index) {
      const { epoch, seq, total } = cached.index;
      return { epoch, seq, atLeast: total, estimate: total, isExact: true };
    }
    const isRecent = performance.now() - cached.at < COUNTED_MS;
    return (isRecent && cached.counted) || null;
  }

  /** Stores a count, unless there is an index that can follow the log to it, or a view can't have one. */
  storeCount(table: Table, view: View, counted: CountedView): void {
    const key = keyOf(table, view);
    const cached = this.#cached.get(key);
    if (cached?.table === table && leadsTo(cached.index, counted)) return;
    this.#store(key, { table, counted, bytes: VIEW_BYTES });
  }

  /** Adds an estimate to a count that was stored without one. */
  storeEstimate(table: Table, view: View, estimate: number | null): void {
    const cached = this.#cached.get(keyOf(table, view));
    if (cached?.table === table && cached.counted) cached.counted = { ...cached.counted, estimate };
  }

  /** The index of a view as it was last used. Undefined: there is none yet. Null: it can't be built. */
  find(table: Table, view: View): OffsetIndex | null | undefined {
    const cached = this.#cached.get(keyOf(table, view));
    if (cached?.table !== table) return undefined;
    const isTriedAgain = cached.index === null && performance.now() - cached.at > REFUSED_MS;
    return isTriedAgain ? undefined : cached.index;
  }

  /** Begins to build the index of a view, once for all readers, unless there is one. Nobody waits for it. */
  build(reader: { id: string }, table: Table, view: View, where: RawBuilder<SqlBool>): void {
    const key = keyOf(table, view);
    if (this.#isClosed || this.#building.get(key)?.table === table) return;
    if (this.find(table, view) !== undefined) return;
    const { turns, onError } = this.#deps;
    const building = {
      table,
      ended: turns
        .run({ subject: reader }, async () => {
          if (!this.#isClosed) this.#put(key, table, await this.#build(table, view, where));
        })
        .catch(onError)
        .finally(() => {
          if (this.#building.get(key) === building) this.#building.delete(key);
        }),
    };
    this.#building.set(key, building);
  }

  /** Begins no further builds, and waits for those that run. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#building.values()].map(({ ended }) => ended));
  }

  /** An index at the position that a snapshot sees. Null, and forgotten, if the log does not lead there. */
  async advance(
    snapshot: Db,
    index: OffsetIndex,
    view: View,
    where: RawBuilder<SqlBool>,
  ): Promise<OffsetIndex | null> {
    const key = keyOf(index.table, view);
    const followed = await advanceOffsetIndex(snapshot, index, view);
    const current =
      followed && (await boundBlocks(snapshot, { before: index, after: followed }, view, where));
    if (current) this.#put(key, index.table, current);
    else this.#drop(key);
    return current;
  }

  async #build(table: Table, view: View, where: RawBuilder<SqlBool>): Promise<OffsetIndex | null> {
    const { turns, timeoutMs } = this.#deps;
    const snapshot = await openSnapshot(turns.database.kysely);
    try {
      await execute(snapshot)`select set_config('statement_timeout', ${`${timeoutMs}ms`}, true)`;
      return await buildOffsetIndex(snapshot, table, view, where);
    } catch (error) {
      if (isTimedOut(error)) return null;
      throw error;
    } finally {
      await snapshot.rollback().execute();
    }
  }

  #put(key: string, table: Table, index: OffsetIndex | null): void {
    const before = this.#cached.get(key)?.index;
    // Another page may have been read at a later position.
    if (index && before?.epoch === index.epoch && before.seq > index.seq) return;
    const isSame = before && before.entries === index?.entries;
    const bytes = (isSame && this.#cached.get(key)?.bytes) || bytesOf(index);
    if (bytes <= this.#deps.maxBytes) this.#store(key, { table, index, bytes });
    else this.#store(key, { table, index: null, bytes: bytesOf(null) });
  }

  #store(key: string, cached: Omit<Cached, "at">): void {
    this.#drop(key);
    this.#cached.set(key, { ...cached, at: performance.now() });
    this.#bytes += cached.bytes;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= this.#deps.maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#cached.get(key)?.bytes ?? 0;
    this.#cached.delete(key);
  }
}

/** Whether an index, or the knowledge that there can be none, is still of use where a view was counted. */
function leadsTo(index: OffsetIndex | null | undefined, { epoch, seq }: Position): boolean {
  if (!index) return index === null;
  return index.epoch === epoch && seq - index.seq <= FOLLOWED_MAX_CHANGES;
}

/** Filters may be long; a digest of one is as good. */
function keyOf({ name }: Table, { filter, sort }: View): string {
  return createHash("sha256")
    .update(JSON.stringify([name, filter, sort]))
    .digest("base64");
}

/** Its approximate memory. */
function bytesOf(index: OffsetIndex | null): number {
  const entries = index?.entries ?? [];
  return entries.reduce(
    (sum, entry) => sum + ENTRY_BYTES + 2 * JSON.stringify(entry).length,
    VIEW_BYTES,
  );
}
