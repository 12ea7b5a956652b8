import { createHash } from "node:crypto";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Table } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Db } from "./database.ts";
import { isTimedOut } from "./is-unavailable.ts";
import {
  advanceOffsetIndex,
  buildOffsetIndex,
  FOLLOWED_MAX_CHANGES,
  type OffsetIndex,
  type View,
} from "./offset-index.ts";
import { openSnapshot } from "./snapshot.ts";

/** A view whose index could not be built is read without one for so long. */
const REFUSED_MS = 600_000;
/** Of an entry beside its values, and of an index without entries. */
const OBJECT_BYTES = 120;

interface Cached {
  table: Table;
  /** Null: it can't be built, or is too large. */
  index: OffsetIndex | null;
  bytes: number;
  at: number;
}

/**
 * The offset indexes of a server, the least recently used dropped first. Readers share one only if their bound filters
 * are the same, and so their row rights. An index follows the log when it is used: edits don't know of it.
 */
export class OffsetIndexes {
  readonly #maxBytes: number;
  readonly #timeoutMs: number;
  /** In the order of their use. */
  readonly #cached = new Map<string, Cached>();
  readonly #building = new Map<string, Promise<OffsetIndex | null>>();
  #bytes = 0;

  constructor(bounds: { maxBytes: number; timeoutMs: number }) {
    this.#maxBytes = bounds.maxBytes;
    this.#timeoutMs = bounds.timeoutMs;
  }

  /** How many records a view had by its index, if that is as recent as a page or a little older. */
  totalAt(
    table: Table,
    view: View,
    { epoch, seq }: Position,
  ): { total: number; totalExact: boolean } | null {
    const index = this.#find(table, view);
    if (index?.epoch !== epoch || Math.abs(seq - index.seq) > FOLLOWED_MAX_CHANGES) return null;
    return { total: index.total, totalExact: index.seq === seq };
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
    if (underWay) return underWay;
    const building = this.#build(kysely, table, view, where);
    this.#building.set(key, building);
    try {
      const index = await building;
      this.#put(key, table, index);
      return index;
    } finally {
      this.#building.delete(key);
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
    const isOutdated =
      cached?.table !== table || (!cached.index && performance.now() - cached.at > REFUSED_MS);
    return isOutdated ? undefined : cached.index;
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
    const before = this.#cached.get(key);
    // Another page may have been read at a later position.
    if (index && before?.index?.epoch === index.epoch && before.index.seq > index.seq) return;
    const isSame = before?.index && before.index.entries === index?.entries;
    const bytes = isSame ? before.bytes : bytesOf(index);
    const cached =
      bytes > this.#maxBytes ? { index: null, bytes: bytesOf(null) } : { index, bytes };
    this.#drop(key);
    this.#cached.set(key, { table, ...cached, at: performance.now() });
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
    (sum, entry) => sum + OBJECT_BYTES + 2 * JSON.stringify(entry).length,
    OBJECT_BYTES,
  );
}
