import type { FrameMessage, ProvenMessage } from "../../../../shared/protocol/frame.ts";
import {
  ageOf,
  elapsedMs,
  type Moment,
  proofOf,
  proofOfFrame,
} from "../../../../shared/protocol/freshness.ts";
import type { DisplayProgram } from "../../../../shared/protocol/signals.ts";
import type { Clock } from "../../sync/clock.ts";
import type { DisplayConnection } from "./display-connection.ts";
import type { CachedWallboard } from "./display-storage.ts";

const RETRY_MS = 2_000;
/** Requests a wallboard again if no proof arrives for this long on an open connection. */
const RESUBSCRIBE_AFTER_MS = 10_000;

/**
 * Rotates through the wallboards. One is replaced only when the next has arrived with its values; a refused one is
 * skipped; without a connection the last values remain.
 */
export class WallboardRotation {
  readonly cached = new Map<string, CachedWallboard>();
  readonly #deps;
  #program: DisplayProgram | null = null;
  #current: string | null = null;
  /** The wallboard that is being loaded. */
  #next: string | null = null;
  #refused = 0;
  #cancel = () => {};

  constructor(deps: {
    connection: Pick<DisplayConnection, "subscribe" | "unsubscribe" | "isUp">;
    clock: Clock;
    moment: () => Moment;
    /** Something on the screen changed. */
    onChange: () => void;
  }) {
    this.#deps = deps;
  }

  get current(): CachedWallboard | null {
    return (this.#current !== null && this.cached.get(this.#current)) || null;
  }

  get refused(): number {
    return this.#refused;
  }

  /** What was known before the page was loaded. */
  restore(wallboards: Record<string, CachedWallboard>, program: DisplayProgram): void {
    for (const [id, wallboard] of Object.entries(wallboards)) this.cached.set(id, wallboard);
    const shown = [program.showing, ...program.boards];
    this.#current = shown.find((id) => id !== null && this.cached.has(id)) ?? null;
  }

  applyProgram(program: DisplayProgram): void {
    const before = this.#program;
    this.#program = program;
    for (const id of this.cached.keys()) if (!program.boards.includes(id)) this.cached.delete(id);
    if (this.#current !== null && !program.boards.includes(this.#current)) this.#current = null;
    const isChanged =
      !before ||
      before.boards.join() !== program.boards.join() ||
      before.showing !== program.showing ||
      before.rotationSeconds !== program.rotationSeconds;
    if (isChanged) this.#switchTo(program.showing ?? this.#current);
  }

  /** Requests the shown wallboard again after a reconnect. */
  resume(): void {
    this.#switchTo(this.#current);
  }

  stop(): void {
    this.#cancel();
    this.#program = null;
    this.#current = null;
    this.#next = null;
    this.cached.clear();
  }

  applyFrame(frame: FrameMessage): void {
    const known = this.cached.get(frame.wallboard);
    const board = frame.board ?? known?.board;
    if (!board || board.version !== frame.version) {
      // The swap to another version was missed: the whole wallboard is asked for.
      if (frame.wallboard === this.#current) this.#switchTo(this.#current);
      return;
    }
    const proof = proofOfFrame(frame, known?.proof ?? null, this.#deps.moment());
    this.cached.set(frame.wallboard, { board, tiles: frame.tiles, proof });
    if (frame.wallboard === this.#current) this.#deps.onChange();
  }

  applyProof(proven: ProvenMessage): void {
    const known = this.cached.get(proven.wallboard);
    if (!known || known.board.version !== proven.version) return;
    const proof = proofOf(proven, known.proof, this.#deps.moment());
    this.cached.set(proven.wallboard, { ...known, proof });
    if (proven.wallboard === this.#current) this.#deps.onChange();
  }

  /** A wallboard is there no more: nothing of it stays on the screen. */
  remove(wallboard: string): void {
    this.cached.delete(wallboard);
    if (this.#current === wallboard) this.#skip(wallboard);
  }

  /** Brings a wallboard onto the screen (the next in turn where none is named), and then plans the following one. */
  #switchTo(requested: string | null): void {
    this.#cancel();
    const program = this.#program;
    if (!program) return;
    const id = requested ?? nextWallboard(program.boards, program.showing, this.#current);
    this.#next = id;
    if (id === null) this.#deps.onChange();
    else void this.#load(id);
  }

  async #load(id: string): Promise<void> {
    const frame = await this.#deps.connection.subscribe(id).catch(() => undefined);
    if (this.#next !== id || !this.#program) return;
    if (frame === undefined)
      this.#after(RETRY_MS, () => this.#deps.connection.isUp && this.#switchTo(id));
    else if (frame === null) this.#skip(id);
    else this.#show(id, frame);
  }

  #show(id: string, frame: FrameMessage): void {
    const before = this.#current;
    this.#refused = 0;
    this.#current = id;
    this.applyFrame(frame);
    if (before !== null && before !== id) this.#deps.connection.unsubscribe(before);
    this.#planNext();
  }

  #skip(id: string): void {
    this.cached.delete(id);
    this.#refused += 1;
    if (this.#current === id) this.#current = null;
    this.#deps.onChange();
    const { boards = [], showing = null } = this.#program ?? {};
    // Where none can be shown it is tried again, slowly: somebody may publish one.
    const pause = this.#refused % Math.max(boards.length, 1) === 0 ? RETRY_MS * 5 : 0;
    this.#after(pause, () => this.#switchTo(nextWallboard(boards, showing, id)));
  }

  #planNext(): void {
    const { boards = [], showing = null, rotationSeconds = 0 } = this.#program ?? {};
    const shownAt = this.#deps.moment();
    const check = () => {
      const now = this.#deps.moment();
      const isDue = elapsedMs(shownAt, now) >= rotationSeconds * 1_000;
      const { ageMs } = ageOf(this.current?.proof ?? null, now);
      if (!this.#deps.connection.isUp) this.#after(RETRY_MS, check);
      else if (showing === null && boards.length > 1 && isDue) this.#switchTo(null);
      else if (ageMs > RESUBSCRIBE_AFTER_MS) this.#switchTo(this.#current);
      else this.#after(RETRY_MS, check);
    };
    this.#after(RETRY_MS, check);
  }

  #after(ms: number, task: () => void): void {
    this.#cancel();
    this.#cancel = this.#deps.clock.after(ms, task);
  }
}

/** Which wallboard comes next. One that can't be shown is passed over, and never ends the round. */
export function nextWallboard(
  wallboards: readonly string[],
  showing: string | null,
  current: string | null,
): string | null {
  if (showing !== null) return showing;
  const at = current === null ? -1 : wallboards.indexOf(current);
  return wallboards[(at + 1) % Math.max(wallboards.length, 1)] ?? null;
}
