import type { Values } from "../../../shared/model/model.ts";
import { valuesOf } from "../../../shared/model/pick-values.ts";
import type { Position } from "../../../shared/protocol/position.ts";
import type { FeedState, LogChange, ReadSpan } from "../../store/log-change.ts";
import type { FeedLog } from "../feed-log.ts";

/** For tests: a change log in memory with the guarantees of the real one. */
export class ArrayLog implements FeedLog {
  readonly #feeds = new Map<string, { epoch: string; floor: number; changes: LogChange[] }>();
  /** How far an epoch continues a former one. */
  readonly #continued = new Map<string, number>();
  /** Each write is a mutation of its own, also of the same values in a history that begins anew. */
  #writes = 0;
  isUnavailable = false;
  spanReads = 0;
  /** Changes that one read returns at most, as if more were too large. */
  partMax = Number.POSITIVE_INFINITY;

  constructor(...tables: string[]) {
    for (const table of tables) this.create(table);
  }

  create(table: string, epoch = "e1"): void {
    this.#feeds.set(table, { epoch, floor: 0, changes: [] });
  }

  /** As if the table were removed: its feed is no table's any more. */
  remove(table: string): void {
    this.#feeds.delete(table);
  }

  head(table: string): number {
    return this.#feed(table).changes.length;
  }

  /** Writes a record as a transaction of its own would, with the image before. */
  write(table: string, record: string, after: Values | null): LogChange {
    const { changes } = this.#feed(table);
    const last = changes.findLast((change) => change.record === record)?.after ?? null;
    this.#writes += 1;
    const change: LogChange = {
      mutation: `m${this.#writes}`,
      seq: changes.length + 1,
      kind: after === null ? "delete" : last === null ? "insert" : "update",
      record,
      before: after && last ? changedBefore(last, after) : last,
      after,
      entry: null,
      by: { kind: "user", id: "u1", name: "Ann" },
      at: "2026-11-21T04:00:00.000000Z",
    };
    changes.push(change);
    return change;
  }

  /** Every record at a position; by default now. */
  records(table: string, at = Number.POSITIVE_INFINITY): Map<string, Values> {
    const records = new Map<string, Values>();
    for (const { seq, record, after } of this.#feed(table).changes) {
      if (seq > at) break;
      if (after) records.set(record, after);
      else records.delete(record);
    }
    return records;
  }

  prune(table: string, floor: number): void {
    this.#feed(table).floor = floor;
  }

  async readFeedStates(): Promise<FeedState[]> {
    this.#check();
    return [...this.#feeds].map(([table, { epoch, floor, changes }]) => {
      return { table, epoch, head: changes.length, floor };
    });
  }

  async readSpan(table: string, after: number, limit: number): Promise<ReadSpan | null> {
    this.#check();
    this.spanReads += 1;
    const feed = this.#feeds.get(table);
    if (!feed) return null;
    const start = Math.max(after, feed.floor);
    const changes = feed.changes.slice(start, after + Math.min(limit, this.partMax));
    const [head, to] = [feed.changes.length, changes.at(-1)?.seq ?? after];
    return { table, epoch: feed.epoch, head, from: after, to, changes };
  }

  async holds(table: string, { epoch, seq }: Position): Promise<boolean> {
    this.#check();
    const feed = this.#feeds.get(table);
    if (feed?.epoch === epoch) return seq <= feed.changes.length;
    return seq <= (this.#continued.get(`${table} ${feed?.epoch} ${epoch}`) ?? -1);
  }

  async abandonEpoch(table: string, epoch: string): Promise<void> {
    this.#check();
    const feed = this.#feed(table);
    if (feed.epoch === epoch) feed.epoch = `${epoch} again`;
    feed.floor = feed.changes.length;
  }

  /**
   * A restored backup: what came after `head` is lost. As another epoch that continues the former one, if
   * given.
   */
  restore(table: string, head: number, epoch?: string): void {
    const feed = this.#feed(table);
    feed.changes.length = head;
    if (epoch === undefined) return;
    this.#continued.set(`${table} ${epoch} ${feed.epoch}`, head);
    feed.epoch = epoch;
  }

  #feed(table: string) {
    const feed = this.#feeds.get(table);
    if (!feed) throw new Error(`no feed ${table}`);
    return feed;
  }

  #check(): void {
    if (this.isUnavailable) throw new Error("the store is unavailable");
  }
}

function changedBefore(before: Values, after: Values): Values {
  const names = Object.keys(after).filter((name) => before[name] !== after[name]);
  return valuesOf(before, names);
}
