import type { WireChange } from "../../../../shared/protocol/changes.ts";
import type { Position } from "../../../../shared/protocol/position.ts";
import { followConflict } from "./conflict-fields.ts";
import type { PendingOp } from "./pending-op.ts";

/** Where one table's views learn that the overlay of a record changed. */
export type OverlayListener = (record: string) => void;

/**
 * The person's own ops that stand over the confirmed records of one table, in the order in which they
 * were made. It shows; when an op ends is decided by answers and positions (rules C20-C22).
 */
export class Overlay {
  readonly #ops = new Map<string, PendingOp[]>();
  #listener: OverlayListener = () => {};

  listen(listener: OverlayListener): void {
    this.#listener = listener;
  }

  of(record: string): readonly PendingOp[] {
    return this.#ops.get(record) ?? [];
  }

  records(): string[] {
    return [...this.#ops.keys()];
  }

  add(op: PendingOp): void {
    const known = this.#ops.get(op.record);
    if (known) known.push(op);
    else this.#ops.set(op.record, [op]);
    this.#listener(op.record);
  }

  remove(op: PendingOp): void {
    const left = this.of(op.record).filter((other) => other !== op);
    if (left.length > 0) this.#ops.set(op.record, left);
    else this.#ops.delete(op.record);
    this.#listener(op.record);
  }

  /** An op of the record looks different now. */
  touch(record: string): void {
    this.#listener(record);
  }

  /** The server chose another id for a record that I created. */
  rename(op: PendingOp, record: string): void {
    this.remove(op);
    op.record = record;
    this.add(op);
  }

  /** Ends every acknowledged op that the position has reached, change or not. */
  reached(position: Position): void {
    for (const ops of [...this.#ops.values()]) {
      for (const op of ops) if (isReached(op, position)) this.remove(op);
    }
  }

  /**
   * A change has arrived by the feed. My own confirms its op, acknowledged or not, so that later
   * changes by others show; another's keeps my conflict on the same field current.
   */
  follow(change: WireChange): void {
    const ops = this.#ops.get(change.record);
    if (!ops) return;
    const mine = ops.find((op) => op.ref.mutation === change.mutation);
    if (mine && mine.state.kind !== "refused") this.remove(mine);
    for (const op of ops) {
      if (op === mine || op.state.kind !== "refused") continue;
      op.state = { kind: "refused", refusal: followConflict(op.state.refusal, change) };
    }
  }
}

/** Another epoch is another history: nothing of the old one is waited for. */
export function isReached({ state }: PendingOp, position: Position): boolean {
  if (state.kind !== "acknowledged") return false;
  return state.position.epoch !== position.epoch || state.position.seq <= position.seq;
}
