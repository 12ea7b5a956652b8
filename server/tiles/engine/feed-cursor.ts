import type { LogChange } from "../../store/log-change.ts";

/** A feed of this server (relay/feed-tail.ts): it advances by itself, and reads what is missing on request. */
export interface Tail {
  readonly table: string;
  readonly epoch: string;
  readonly seq: number;
  catchUp(): Promise<void>;
  recent(after: number): LogChange[] | null;
}

export type TailEvent =
  | { kind: "changes"; tail: Tail; changes: LogChange[] }
  | { kind: "reset"; tail: Tail };

/** The feed can't be advanced to the database's position: the store is unavailable, or the history is another. */
export class FeedReset extends Error {}

/** Changes applied since the start of the collection. */
export interface CollectedChanges {
  readonly changes: LogChange[];
  /** The feed has begun another history meanwhile. */
  isInvalid: boolean;
}

/**
 * One feed as the tiles have applied it: later changes wait here until all results are advanced together, to
 * one position.
 */
export class FeedCursor {
  readonly tail: Tail;
  #epoch: string;
  #position: number;
  #waiting: LogChange[] = [];
  readonly #collecting = new Set<CollectedChanges>();

  /** Begins at the tail's position; from then on every change of the tail must be noted. */
  constructor(tail: Tail) {
    this.tail = tail;
    this.#epoch = tail.epoch;
    this.#position = tail.seq;
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** Everything up to here is in the results. */
  get position(): number {
    return this.#position;
  }

  get waiting(): readonly LogChange[] {
    return this.#waiting;
  }

  note(changes: readonly LogChange[]): void {
    for (const change of changes) this.#waiting.push(change);
  }

  /** Collects applied changes from now on, until it is released. */
  collect(): CollectedChanges {
    const collected = { changes: [], isInvalid: false };
    this.#collecting.add(collected);
    return collected;
  }

  stopCollecting(collected: CollectedChanges): void {
    this.#collecting.delete(collected);
  }

  /** Another history: all waiting changes are invalid. */
  reset(): void {
    for (const collected of this.#collecting) collected.isInvalid = true;
    this.#epoch = this.tail.epoch;
    this.#position = this.tail.seq;
    this.#waiting = [];
  }

  /** Waits until the tail has reached a position that the database was seen at. */
  async reach(epoch: string, seq: number): Promise<void> {
    while (this.tail.epoch !== epoch || this.tail.seq < seq) {
      const before = `${this.tail.epoch} ${this.tail.seq}`;
      await this.tail.catchUp();
      if (before === `${this.tail.epoch} ${this.tail.seq}`) throw new FeedReset();
    }
    if (this.#epoch !== epoch) throw new FeedReset();
  }

  /** Returns the waiting changes up to a position, in order, and advances to it. */
  advanceTo(upTo: number): LogChange[] {
    const count = this.#waiting.findIndex(({ seq }) => seq > upTo);
    const taken = this.#waiting.splice(0, count < 0 ? this.#waiting.length : count);
    this.#position = Math.max(this.#position, upTo);
    // One by one: a call takes no more than some ten thousand arguments.
    for (const { changes } of this.#collecting) for (const change of taken) changes.push(change);
    return taken;
  }
}
