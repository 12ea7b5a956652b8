import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Values } from "../../../../shared/model/model.ts";
import type { Page, WireChange } from "../../../../shared/protocol/feed.ts";
import { formatVersion, type Position } from "../../../../shared/protocol/position.ts";
import type { WireRecord } from "../../../../shared/protocol/record.ts";

/** A record as the server committed it. Replaced, never mutated, so identity shows whether it changed. */
export interface Confirmed {
  readonly values: Readonly<Values>;
  readonly version: string;
  /** Every change up to here is in it, at least. */
  readonly asOf: number;
  /** Deleted, or no longer visible: it has no values. */
  readonly deleted: boolean;
  /** By whose change it went, where a change said so. */
  readonly deletedBy?: string;
  /** Held over a break in the stream and not read again yet. */
  readonly stale: boolean;
}

interface RunningQuery {
  /** False once the stream began anew: the page may show another history, or what I may not see. */
  isCurrent(): boolean;
  done(): void;
}

/** More than this while a query is under way: the page will be asked for again. */
const MAX_CHANGES = 20_000;

/**
 * The changes that arrived while queries are under way, so that a page older than the stream can be
 * brought up to date. Retained only as long as a query may need them.
 */
class RecentChanges {
  #from: number | null = null;
  #changes: WireChange[] = [];
  #queries = 0;

  /** A query begins at this position; call the answer when its page is dealt with. */
  begin(seq: number): () => void {
    this.#from ??= seq;
    this.#queries += 1;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#queries -= 1;
      if (this.#queries === 0) this.#clear(null);
    };
  }

  add(changes: readonly WireChange[], to: number): void {
    if (this.#from === null) return;
    if (this.#changes.length + changes.length > MAX_CHANGES) this.#clear(to);
    else for (const change of changes) this.#changes.push(change);
  }

  /** The stream was interrupted: changes before this position are not available any more. */
  restart(seq: number): void {
    this.#clear(this.#from === null ? null : seq);
  }

  /** The changes after `seq` by record, or null if some of them are not known. */
  after(seq: number): Map<string, WireChange[]> | null {
    if (this.#from === null || seq < this.#from) return null;
    const byRecord = new Map<string, WireChange[]>();
    for (const change of this.#changes) {
      if (change.seq <= seq) continue;
      const known = byRecord.get(change.record);
      if (known) known.push(change);
      else byRecord.set(change.record, [change]);
    }
    return byRecord;
  }

  #clear(from: number | null): void {
    this.#from = from;
    this.#changes = [];
  }
}

/**
 * The confirmed records of one table. Rules C12-C14: every record keeps its own position, an older
 * page or change never overwrites a newer one, and only what somebody retains is held at all.
 */
export class RecordCache {
  readonly #records = new Map<string, Confirmed>();
  readonly #retained = new Map<string, number>();
  readonly #recent = new RecentChanges();
  readonly #onChange: (id: string) => void;
  #restarts = 0;
  #position: Position = { epoch: "", seq: -1 };

  /** `onChange` is called for every record that looks different or is evicted. */
  constructor(onChange: (id: string) => void) {
    this.#onChange = onChange;
  }

  get(id: string): Confirmed | undefined {
    return this.#records.get(id);
  }

  get size(): number {
    return this.#records.size;
  }

  isRetained(id: string): boolean {
    return this.#retained.has(id);
  }

  retain(id: string): void {
    this.#retained.set(id, (this.#retained.get(id) ?? 0) + 1);
  }

  release(id: string): void {
    const count = (this.#retained.get(id) ?? 0) - 1;
    if (count > 0) this.#retained.set(id, count);
    else {
      this.#retained.delete(id);
      if (this.#records.delete(id)) this.#onChange(id);
    }
  }

  /** Keeps later changes for a page that is about to be asked for, until `done`. */
  beginQuery(): RunningQuery {
    const restarts = this.#restarts;
    const isCurrent = () => restarts === this.#restarts;
    return { isCurrent, done: this.#recent.begin(this.#position.seq) };
  }

  /** Takes changes that continue the stream. */
  apply(changes: readonly WireChange[], position: Position): void {
    this.#position = position;
    for (const change of changes) {
      if (this.#retained.has(change.record)) this.#applyOne(change);
    }
    this.#recent.add(changes, position.seq);
  }

  #applyOne(change: WireChange): void {
    const held = this.#records.get(change.record);
    const next = applyChange(held, change, this.#position.epoch);
    if (!next || next === held) return;
    this.#records.set(change.record, next);
    this.#onChange(change.record);
  }

  /**
   * The stream begins anew: what is held becomes stale until it is read again, and with `purge` its
   * values are gone at once.
   */
  restart(position: Position, purge: boolean): void {
    this.#restarts += 1;
    this.#position = position;
    this.#recent.restart(position.seq);
    for (const [id, record] of this.#records) {
      const values = purge ? {} : record.values;
      this.#records.set(id, { ...record, values, asOf: -1, stale: true });
      this.#onChange(id);
    }
  }

  /**
   * Brings the records of a page up to the stream. Null if that can't be done - another epoch, or
   * changes between the page and the stream that are no longer known - and the page is to be asked
   * for again. Retain what is wanted of it before it is put.
   */
  prepare(page: Page): Map<string, Confirmed> | null {
    if (page.epoch !== this.#position.epoch) return null;
    const later = page.seq < this.#position.seq ? this.#recent.after(page.seq) : new Map();
    if (!later) return null;
    return new Map(
      page.records.map((record) => [
        record.id,
        this.#newest(record, page, later.get(record.id) ?? []),
      ]),
    );
  }

  #newest(record: WireRecord, page: Page, later: readonly WireChange[]): Confirmed {
    const held = this.#records.get(record.id);
    if (held && !held.stale && Math.max(held.asOf, this.#position.seq) >= page.seq) return held;
    const { values, version } = record;
    let next: Confirmed = { values, version, asOf: page.seq, deleted: false, stale: false };
    for (const change of later) next = applyChange(next, change, page.epoch) ?? next;
    return next;
  }

  /** Holds a prepared record if it is retained. */
  put(id: string, record: Confirmed): void {
    const held = this.#records.get(id);
    if (held === record || !this.#retained.has(id)) return;
    this.#records.set(id, record);
    const isSame =
      held &&
      !held.stale &&
      held.deleted === record.deleted &&
      deepEqual(held.values, record.values);
    if (!isSame) this.#onChange(id);
  }

  /** The server has a retained record that was never received: it is held without values, to be read. */
  expect(id: string): void {
    if (!this.#retained.has(id) || this.#records.has(id)) return;
    this.#records.set(id, { values: {}, version: "", asOf: -1, deleted: false, stale: true });
  }

  /** A reading at `seq` did not find the record: it is gone, unless it came back since. */
  markDeleted(id: string, seq: number): void {
    const held = this.#records.get(id);
    if (!held || held.asOf > seq || (held.deleted && !held.stale)) return;
    this.#records.set(id, { ...held, values: {}, asOf: seq, deleted: true, stale: false });
    this.#onChange(id);
  }

  /** Held over a break in the stream and still not read again. */
  staleIds(): string[] {
    return [...this.#records].filter(([, record]) => record.stale).map(([id]) => id);
  }

  /** Retained and not found: after a break in the stream they may be there, or be visible. */
  missingIds(): string[] {
    return [...this.#retained.keys()].filter((id) => !this.#records.has(id));
  }
}

/** The record after a change; undefined if the change is a patch of a record that is not known. */
function applyChange(
  held: Confirmed | undefined,
  change: WireChange,
  epoch: string,
): Confirmed | undefined {
  if (held && change.seq <= held.asOf) return held;
  const version = formatVersion(epoch, change.seq);
  const asOf = change.seq;
  const stale = held?.stale ?? false;
  switch (change.kind) {
    case "delete":
      return { values: {}, version, asOf, deleted: true, deletedBy: change.by.name, stale: false };
    case "insert":
      return { values: change.set, version, asOf, deleted: false, stale: false };
    case "update":
      if (!held || held.deleted) return held;
      return { values: { ...held.values, ...change.set }, version, asOf, deleted: false, stale };
  }
}
