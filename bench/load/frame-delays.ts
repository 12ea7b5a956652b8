import type { FrameMessage } from "../../shared/protocol/frame.ts";
import type { WallEdits } from "./wall-edits.ts";

/** How late each edit of the marked record was, by where the time went; milliseconds. */
export interface Delays {
  /** From the acknowledgement of the commit to the frame on the screen. */
  total: number[];
  /** To the moment at which the server composed the frame; and from there to the screen. */
  made: number[];
  sent: number[];
}

/** What each screen has shown of the marked record, how late, and what one screen of each wallboard was sent. */
export class FrameDelays {
  readonly #edits: WallEdits;
  readonly #wallboards: number;
  readonly #shown: number[] = [];
  delays: Delays = { total: [], made: [], sent: [] };
  script: { at: number; wallboard: number; frame: FrameMessage }[] = [];

  /** The first `wallboards` screens show one wallboard each. */
  constructor(edits: WallEdits, wallboards: number) {
    this.#edits = edits;
    this.#wallboards = wallboards;
  }

  take(screen: number, frame: FrameMessage): void {
    const now = performance.now();
    if (screen < this.#wallboards) this.script.push({ at: now, wallboard: screen, frame });
    const value = Number(frame.tiles.mark?.value ?? 0);
    const before = this.#shown[screen] ?? value;
    const made = Date.parse(frame.asOf) - performance.timeOrigin;
    for (let mark = before + 1; mark <= value; mark += 1) {
      const committed = this.#edits.committed[mark] ?? Number.NaN;
      if (Number.isNaN(committed)) continue;
      this.delays.total.push(Math.max(0, now - committed));
      this.delays.made.push(Math.max(0, made - committed));
      this.delays.sent.push(Math.max(0, now - made));
    }
    this.#shown[screen] = value;
  }

  clear(): void {
    this.delays = { total: [], made: [], sent: [] };
    this.script = [];
  }

  areAllAt(mark: number): boolean {
    return this.#shown.every((value) => value === mark);
  }
}
