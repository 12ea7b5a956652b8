import { createHash } from "node:crypto";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Table } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Db } from "./database.ts";
import { isTimedOut } from "./is-unavailable.ts";
import {
  advanceOffsetIndex,
  buildOffsetIndex,
  type OffsetIndex,
  type View,
} from "./offset-index.ts";
import { openSnapshot } from "./snapshot.ts";

/** A view whose index could not be built is read without one for so long. */
const REFUSED_MS = 600_000;
/** A count by a page, whose total is the planner's estimate, holds for so long. */
const COUNTED_MS = 60_000;
/** Of an entry beside its values. */
const ENTRY_BYTES = 120;
/** Of a view, with its key, that is only counted or whose index has no entries. */
const VIEW_BYTES = 300;

/** A view that was counted up to some number. */
export interface CountedView extends Position {
  /** It had so many records at that position, or more. */
  atLeast: number;
  total: number;
  isExact: boolean;
}

interface Cached {
  table: Table;
  /** Null: it can't be built, or is too large. Undefined: nobody has read far from the beginning. */
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
  readonly #maxBytes: number;
  readonly #timeoutMs: number;
  /** In the order of their use. */
  readonly #cached = new Map<string, Cached>();
  readonly #building = new Map<string, { table: Table; index: Promise<OffsetIndex | null> }>();
  #bytes = 0;

  constructor(bounds: { maxBytes: number; timeoutMs: number }) {
    this.#maxBytes = bounds.maxBytes;
    this.#timeoutMs = bounds.timeoutMs;
  }

  /** How many records a view had when it was last counted, by its index or for a page. */
  counted(table: Table, view: View): CountedView | null {
    const cached = this.#cached.get(keyOf(table, view));
    if (cached?.table !== table) return null;
    if (cached.index) {
      const { epoch, seq, total } = cached.index;
      return { epoch, seq, atLeast: total, total, isExact: true };
    }
    const isRecent = performance.now() - cached.at < COUNTED_MS;
    return (isRecent && cached.counted) || null;
  }

  /** Stores a count, where there is no index. */
  storeCount(table: Table, view: View, counted: CountedView): void {
    const key = keyOf(table, view);
    const cached = this.#cached.get(key);
    // A view that can't have an index stays one until then.
    if (cached?.table === table && cached.index === null) return;
    this.#store(key, { table, counted, bytes: VIEW_BYTES });
  }

  /** The index of a view as it was last used. If there is none it is built, once for all who wait for it; null if it can't be. */
  async findOrBuild(
    kysely: Db,
    table: Table,
    view: View,
    where: RawBuilder<SqlBool>,
  ): Promise<OffsetIndex | null> {
    const found = this.#find(table, view);
    if (found !== undefined) return found;
    const key = keyOf(table, view);
    const underWay = this.#building.get(key);
    if (underWay?.table === table) return underWay.index;
    const building = { table, index: this.#build(kysely, table, view, where) };
    this.#building.set(key, building);
    try {
      const index = await building.index;
      this.#put(key, table, index);
      return index;
    } finally {
      if (this.#building.get(key) === building) this.#building.delete(key);
    }
  }

  /** An index at the position that a snapshot sees. Null, and forgotten, if the log does not lead there. */
  async advance(snapshot: Db, index: OffsetIndex, view: View): Promise<OffsetIndex | null> {
    const key = keyOf(index.table, view);
    const current = await advanceOffsetIndex(snapshot, index, view);
    if (current) this.#put(key, index.table, current);
    else this.#drop(key);
    return current;
  }

  #find(table: Table, view: View): OffsetIndex | null | undefined {
    const cached = this.#cached.get(keyOf(table, view));
    if (cached?.table !== table) return undefined;
    const isTriedAgain = cached.index === null && performance.now() - cached.at > REFUSED_MS;
    return isTriedAgain ? undefined : cached.index;
  }

  async #build(
    kysely: Db,
    table: Table,
    view: View,
    where: RawBuilder<SqlBool>,
  ): Promise<OffsetIndex | null> {
    const snapshot = await openSnapshot(kysely);
    try {
      await sql`select set_config('statement_timeout', ${`${this.#timeoutMs}ms`}, true)`.execute(
        snapshot,
      );
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
    if (bytes <= this.#maxBytes) this.#store(key, { table, index, bytes });
    else this.#store(key, { table, index: null, bytes: bytesOf(null) });
  }

  #store(key: string, cached: Omit<Cached, "at">): void {
    this.#drop(key);
    this.#cached.set(key, { ...cached, at: performance.now() });
    this.#bytes += cached.bytes;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#cached.get(key)?.bytes ?? 0;
    this.#cached.delete(key);
  }
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
