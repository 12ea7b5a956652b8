import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { Position } from "../../../../shared/protocol/position.ts";
import { agreedFields, updateConflict } from "./conflict-fields.ts";
import type { PendingOp } from "./pending-op.ts";

/** Where one table's views learn of its overlay. */
interface OverlayListener {
  touched(record: string): void;
  /** A record that I created is shown under another id from now on. */
  renamed(from: string, to: string): void;
  /** A record of this id is on its way that is shown under another one; or not any more. */
  expected(record: string, isExpected: boolean): void;
  /** Somebody else has written the value that I wanted in a field of a conflict. */
  agreed(op: PendingOp, field: string): void;
}

const noListener: OverlayListener = { touched() {}, renamed() {}, expected() {}, agreed() {} };

/**
 * The user's own ops on top of the confirmed records of one table, in the order in which they were
 * made. Answers and positions decide when an op ends (rules C20-C22).
 */
export class Overlay {
  readonly #ops = new Map<string, PendingOp[]>();
  #listener: OverlayListener = noListener;

  listen(listener: OverlayListener = noListener): void {
    this.#listener = listener;
    for (const ops of this.#ops.values()) for (const op of ops) this.#expect(op, true);
  }

  #expect({ record, op }: PendingOp, isExpected: boolean): void {
    if (op.op === "create" && op.record !== undefined && op.record !== record) {
      this.#listener.expected(op.record, isExpected);
    }
  }

  of(record: string): readonly PendingOp[] {
    return this.#ops.get(record) ?? [];
  }

  /**
   * Whether the record is one of the user's own that the table's position has not reached yet: no edit of it can hold
   * values of others.
   */
  isCreating(record: string): boolean {
    return this.of(record).some(({ op }) => op.op === "create");
  }

  /** Whether the record is on its way into the table by an edit of the user: new, or restored. */
  isAdding(record: string): boolean {
    return this.of(record).some(({ op }) => op.op === "create" || op.op === "restore");
  }

  records(): string[] {
    return [...this.#ops.keys()];
  }

  add(op: PendingOp): void {
    const known = this.#ops.get(op.record);
    if (known) known.push(op);
    else this.#ops.set(op.record, [op]);
    this.#expect(op, true);
    this.#listener.touched(op.record);
  }

  remove(op: PendingOp): void {
    const ops = this.of(op.record);
    const left = ops.filter((other) => other !== op);
    if (left.length < ops.length) this.#expect(op, false);
    if (left.length > 0) this.#ops.set(op.record, left);
    else this.#ops.delete(op.record);
    this.#listener.touched(op.record);
  }

  /** An op of the record looks different now. */
  touch(record: string): void {
    this.#listener.touched(record);
  }

  /** The server chose another id for a record that I created. */
  rename(op: PendingOp, record: string): void {
    const before = op.record;
    this.#listener.renamed(before, record);
    for (const each of [...this.of(before)]) {
      this.remove(each);
      each.record = record;
      this.add(each);
    }
  }

  /** The user's new records that the server has, and of whose creation the position says nothing more. */
  createdUpTo(position: Position): string[] {
    const isCreated = (op: PendingOp) => op.op.op === "create" && isReached(op, position);
    return [...this.#ops].flatMap(([record, ops]) => (ops.some(isCreated) ? [record] : []));
  }

  /**
   * Ends every acknowledged op that the position has reached, change or not. Those of records that are `toBeRead` again stay:
   * the values held are older than the position.
   */
  removeUpTo(position: Position, toBeRead: (record: string) => boolean): void {
    for (const [record, ops] of [...this.#ops]) {
      if (toBeRead(record)) continue;
      for (const op of ops) if (isReached(op, position)) this.remove(op);
    }
  }

  /**
   * A change has arrived by the feed. My own confirms its op, acknowledged or not, so that later
   * changes by others show; another's keeps my conflict on the same field current, or ends it by writing my value.
   */
  applyChange(change: WireChange): void {
    const ops = this.#ops.get(change.record);
    if (!ops) return;
    const mine = ops.find((op) => op.ref.mutation === change.mutation);
    if (mine && mine.state.kind !== "refused") this.remove(mine);
    for (const op of ops) {
      if (op === mine || op.state.kind !== "refused") continue;
      const agreed = agreedFields(op, change);
      op.state = { kind: "refused", refusal: updateConflict(op.state.refusal, change) };
      for (const field of agreed) this.#listener.agreed(op, field);
    }
  }
}

/** Another epoch is another history: nothing of the old one is waited for. */
function isReached({ state }: PendingOp, position: Position): boolean {
  if (state.kind !== "acknowledged") return false;
  return state.position.epoch !== position.epoch || state.position.seq <= position.seq;
}
