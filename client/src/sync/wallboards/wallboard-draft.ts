import type { Json } from "../../../../shared/filter/filter.ts";
import type { Tile } from "../../../../shared/model/wallboard/tile.ts";
import { type ErrorCode, Refusal } from "../../../../shared/protocol/errors.ts";
import type { PatchWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import type { AtomStore, PrimitiveAtom } from "../../state/atom-store.ts";
import type { BoardConflict, DraftState } from "../../state/draft-state.ts";
import type { Clock } from "../clock.ts";
import { type BoardCell, cellOf, inverse, patchOf, sameJson, withCells } from "./board-cells.ts";

/** The server's half, as the designer needs it. */
interface BoardDoor {
  read(): Promise<WallboardInfo>;
  patch(call: PatchWallboardCall): Promise<WallboardInfo>;
  publish(version: number): Promise<WallboardInfo>;
}

export interface DraftDeps {
  door: BoardDoor;
  store: AtomStore;
  atom: PrimitiveAtom<DraftState>;
  clock: Clock;
  /** A refusal in words for people. */
  describe(error: unknown): string;
}

interface Edit {
  cells: BoardCell[];
  /** Undo and redo never ask: what somebody else changed since is left as it is. */
  kind: "edit" | "undo" | "redo";
}

const RETRY_MS = 2_000;
const UNDO_MAX = 100;
/** Refusals that say nothing of the edit: it is sent again. */
const passing: ErrorCode[] = ["unavailable", "rate_limited", "internal"];

/**
 * The draft of one board, as one person edits it. Edits show at once and are sent one after the
 * other, each with what stood before; where somebody else wrote meanwhile, what they did not touch is
 * written and the rest is put to the person: nothing is overwritten unseen. Undo takes back my own
 * edits only, and only where they still stand.
 */
export class WallboardDraft {
  readonly #deps: DraftDeps;
  #confirmed: WallboardInfo | null = null;
  #waiting: Edit[] = [];
  #undo: BoardCell[][] = [];
  #redo: BoardCell[][] = [];
  #conflicts: BoardConflict[] = [];
  /** Tiles that others removed while this designer was open, as they were. */
  readonly #removed = new Map<string, Tile>();
  #problem: string | null = null;
  #isSending = false;
  #isGone = false;
  #isClosed = false;
  #cancelRetry: (() => void) | null = null;

  constructor(deps: DraftDeps) {
    this.#deps = deps;
    void this.refresh();
  }

  /** What the person sees: what is confirmed, with their own edits on it. */
  get info(): WallboardInfo | null {
    const all = this.#waiting.flatMap(({ cells }) => cells);
    return this.#confirmed && withCells(this.#confirmed, all);
  }

  /** Leaves the board; what was not sent yet is sent still. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRetry?.();
  }

  /** Reads the draft anew, unless what is known of it is known here already. */
  async refresh(known?: { version: number; published: number | null }): Promise<void> {
    const { version, published } = this.#confirmed ?? {};
    if (known && version === known.version && (published?.version ?? null) === known.published) {
      return;
    }
    try {
      this.#take(await this.#deps.door.read());
    } catch (error) {
      this.#failed(error);
    }
    this.#show();
  }

  /** Writes cells; equal ones are left out. */
  edit(cells: readonly BoardCell[]): void {
    const real = cells.filter((cell) => !sameJson(cell.before, cell.after));
    if (real.length === 0 || !this.#confirmed) return;
    this.#undo = [...this.#undo, [...real]].slice(-UNDO_MAX);
    this.#redo = [];
    this.#enqueue({ cells: [...real], kind: "edit" });
  }

  undo(): void {
    const cells = this.#undo.pop();
    if (!cells) return;
    this.#redo.push(cells);
    this.#enqueue({ cells: inverse(cells), kind: "undo" });
  }

  redo(): void {
    const cells = this.#redo.pop();
    if (!cells) return;
    this.#undo.push(cells);
    this.#enqueue({ cells, kind: "redo" });
  }

  /** Settles a conflict: mine is written over what the person has now seen, or dropped. */
  resolve(conflict: BoardConflict, choice: "mine" | "theirs"): void {
    this.#conflicts = this.#conflicts.filter((one) => one !== conflict);
    const { tile, property, theirs, mine } = conflict;
    if (choice === "mine") this.edit([{ tile, property, before: theirs, after: mine }]);
    this.#show();
  }

  /** Puts the draft on all screens; false where it is not what the person saw. */
  async publish(): Promise<boolean> {
    const { info } = this;
    if (!info || this.#waiting.length > 0) return false;
    this.#problem = null;
    try {
      this.#take(await this.#deps.door.publish(info.version));
      this.#show();
      return true;
    } catch (error) {
      this.#problem = isConflict(error)
        ? "Somebody changed the draft a moment ago. Look at it, then publish it again."
        : this.#deps.describe(error);
      await this.refresh();
      return false;
    }
  }

  dismissProblem(): void {
    this.#problem = null;
    this.#show();
  }

  #enqueue(edit: Edit): void {
    this.#problem = null;
    this.#waiting.push(edit);
    this.#show();
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#isSending || !this.#confirmed) return;
    this.#isSending = true;
    this.#cancelRetry?.();
    for (let edit = this.#waiting[0]; edit; edit = this.#waiting[0]) {
      if (!(await this.#deliver(edit))) break;
      this.#show();
    }
    this.#isSending = false;
    this.#show();
  }

  /** False where it has to wait. */
  async #deliver(edit: Edit): Promise<boolean> {
    try {
      const cells = this.#settled(edit);
      if (cells.length > 0) this.#take(await this.#deps.door.patch(patchOf(cells)));
      this.#waiting.shift();
      return true;
    } catch (error) {
      if (isConflict(error)) return this.#reread();
      if (error instanceof Refusal && passing.includes(error.code)) return this.#later();
      this.#waiting.shift();
      this.#failed(error);
      return true;
    }
  }

  /** The cells that may be written on what stands now; others become conflicts. */
  #settled(edit: Edit): BoardCell[] {
    const info = this.#confirmed as WallboardInfo;
    const free: BoardCell[] = [];
    const skipped: BoardConflict[] = [];
    for (const cell of edit.cells) {
      const theirs = cellOf(info, cell);
      if (sameJson(theirs, cell.before)) free.push(cell);
      else if (!sameJson(theirs, cell.after)) skipped.push(this.#conflictOf(info, cell, theirs));
    }
    edit.cells = free;
    if (skipped.length === 0) return free;
    if (edit.kind === "edit") this.#conflicts = [...this.#conflicts, ...skipped];
    else this.#problem = "Somebody else changed this since: it was left as they made it.";
    return free;
  }

  /** A property of a tile that is gone: the question is whether to have the whole tile back. */
  #conflictOf(info: WallboardInfo, cell: BoardCell, theirs: Json): BoardConflict {
    const { tile, property, before, after } = cell;
    const was = tile === null ? undefined : this.#removed.get(tile);
    if (property === null || !was || info.tiles.some(({ id }) => id === tile)) {
      return { tile, property, before, mine: after, theirs };
    }
    const whole = was as unknown as Record<string, Json>;
    return { tile, property: null, before: whole, mine: { ...whole, [property]: after }, theirs };
  }

  async #reread(): Promise<boolean> {
    try {
      this.#take(await this.#deps.door.read());
      return true;
    } catch (error) {
      if (error instanceof Refusal && passing.includes(error.code)) return this.#later();
      this.#waiting = [];
      this.#failed(error);
      return true;
    }
  }

  #later(): false {
    if (!this.#isClosed) {
      this.#cancelRetry = this.#deps.clock.after(RETRY_MS, () => void this.#send());
    }
    return false;
  }

  #take(info: WallboardInfo): void {
    if (this.#confirmed && info.version < this.#confirmed.version) return;
    for (const tile of this.#confirmed?.tiles ?? []) {
      if (!info.tiles.some(({ id }) => id === tile.id)) this.#removed.set(tile.id, tile);
    }
    this.#confirmed = info;
  }

  #failed(error: unknown): void {
    if (error instanceof Refusal && error.code === "not_found") this.#isGone = true;
    else this.#problem = this.#deps.describe(error);
  }

  #show(): void {
    const { store, atom } = this.#deps;
    store.set(atom, {
      phase: this.#isGone ? "gone" : this.#confirmed ? "ready" : "loading",
      info: this.info,
      waiting: this.#waiting.length,
      conflicts: this.#conflicts,
      problem: this.#problem,
      canUndo: this.#undo.length > 0,
      canRedo: this.#redo.length > 0,
    });
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Refusal && error.code === "conflict";
}
