import type { LogChange } from "../../store/log-change.ts";

/** A feed as this node sees it (relay/feed-tail.ts): it moves by itself, and reads what is missing when asked. */
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

/** The feed can't be brought to where the database stands: the store is away, or the history is another. */
export class FeedReset extends Error {}

/** Changes taken since somebody began to collect them. */
export interface CollectedChanges {
  readonly changes: LogChange[];
  /** The feed has begun another history meanwhile. */
  isInvalid: boolean;
}

/**
 * One feed as the tiles have taken it: what came since waits here until all answers are moved on
 * together, to a position that is the same for all.
 */
export class FeedCursor {
  readonly tail: Tail;
  #epoch: string;
  #taken: number;
  #waiting: LogChange[] = [];
  readonly #collecting = new Set<CollectedChanges>();

  /** Begins where the tail stands; from then on every change of the tail must be noted. */
  constructor(tail: Tail) {
    this.tail = tail;
    this.#epoch = tail.epoch;
    this.#taken = tail.seq;
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** Everything up to here is in the answers. */
  get taken(): number {
    return this.#taken;
  }

  get waiting(): readonly LogChange[] {
    return this.#waiting;
  }

  note(changes: readonly LogChange[]): void {
    for (const change of changes) this.#waiting.push(change);
  }

  /** Collects what is taken from now on, until it is let go. */
  collect(): CollectedChanges {
    const collected = { changes: [], isInvalid: false };
    this.#collecting.add(collected);
    return collected;
  }

  stopCollecting(collected: CollectedChanges): void {
    this.#collecting.delete(collected);
  }

  /** Another history: nothing that waits means anything any more. */
  reset(): void {
    for (const collected of this.#collecting) collected.isInvalid = true;
    this.#epoch = this.tail.epoch;
    this.#taken = this.tail.seq;
    this.#waiting = [];
  }

  /** Waits until the tail has come to a position that the database was seen at. */
  async reach(epoch: string, seq: number): Promise<void> {
    while (this.tail.epoch !== epoch || this.tail.seq < seq) {
      const before = `${this.tail.epoch} ${this.tail.seq}`;
      await this.tail.catchUp();
      if (before === `${this.tail.epoch} ${this.tail.seq}`) throw new FeedReset();
    }
    if (this.#epoch !== epoch) throw new FeedReset();
  }

  /** Hands out what waits up to a position, in order, and stands there. */
  take(upTo: number): LogChange[] {
    const count = this.#waiting.findIndex(({ seq }) => seq > upTo);
    const taken = this.#waiting.splice(0, count < 0 ? this.#waiting.length : count);
    this.#taken = Math.max(this.#taken, upTo);
    for (const { changes } of this.#collecting) changes.push(...taken);
    return taken;
  }
}
