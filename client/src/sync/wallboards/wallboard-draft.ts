import { diff, patch } from "../../../../shared/document/diff.ts";
import { type DocumentNode, withNode } from "../../../../shared/document/document-node.ts";
import { type Edit, EditHistory } from "../../../../shared/document/edit-history.ts";
import { type Conflict, merge, type Side } from "../../../../shared/document/merge.ts";
import { boardToTree } from "../../../../shared/model/wallboard/board-tree.ts";
import { type ErrorCode, Refusal } from "../../../../shared/protocol/errors.ts";
import type { PatchWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { errorMessages as messages } from "../../messages/en/errors.ts";
import type { AtomStore, PrimitiveAtom } from "../../state/atom-store.ts";
import type { DraftState } from "../../state/draft-state.ts";
import type { Clock } from "../clock.ts";
import { type EditedBoard, patchOf, withTree } from "./board-edits.ts";

/** The server's half, as the designer needs it. */
interface BoardApi {
  read(): Promise<WallboardInfo>;
  patch(call: PatchWallboardCall): Promise<WallboardInfo>;
  publish(version: number): Promise<WallboardInfo>;
}

export interface DraftDeps {
  api: BoardApi;
  store: AtomStore;
  atom: PrimitiveAtom<DraftState>;
  clock: Clock;
  /** The user-visible message of a refusal. */
  describe(error: unknown): string;
}

interface WaitingEdit extends Edit<DocumentNode> {
  /** Undo and redo never ask: what somebody else changed since is left as it is. */
  asks: boolean;
}

const RETRY_MS = 2_000;
/** Refusals that say nothing of the edit: it is sent again. */
const transient: ErrorCode[] = ["unavailable", "rate_limited", "internal"];

/**
 * The draft of one board, as one user edits it. Edits show at once and are sent one by one, each with
 * its base. If somebody else has written meanwhile, only the parts they did not touch are written, and
 * the user decides on the rest: nothing is overwritten unseen. Undo reverts only the user's own edits,
 * and only if nobody has changed them since.
 */
export class WallboardDraft {
  readonly #deps: DraftDeps;
  #confirmed: WallboardInfo | null = null;
  #waiting: WaitingEdit[] = [];
  readonly #history = new EditHistory<DocumentNode>();
  #conflicts: Conflict[] = [];
  #problem: string | null = null;
  #isSending = false;
  #isGone = false;
  #isClosed = false;
  #cancelRetry: (() => void) | null = null;

  constructor(deps: DraftDeps) {
    this.#deps = deps;
    void this.refresh();
  }

  /** What the user sees: the confirmed board with their own edits applied. */
  get info(): WallboardInfo | null {
    return this.#confirmed && withTree(this.#confirmed, this.#tree(this.#confirmed));
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
      this.#accept(await this.#deps.api.read());
    } catch (error) {
      this.#failed(error);
    }
    this.#publish();
  }

  /** Sends the differences between the board that the user saw and the edited one. */
  edit(seen: EditedBoard, edited: EditedBoard): void {
    this.#edit({ from: boardToTree(seen), to: boardToTree(edited) });
  }

  undo(): void {
    const edit = this.#history.undo();
    if (edit) this.#enqueue({ from: edit.to, to: edit.from, asks: false });
  }

  redo(): void {
    const edit = this.#history.redo();
    if (edit) this.#enqueue({ ...edit, asks: false });
  }

  /** Resolves a conflict: writes the own value over the one now shown, or discards it. */
  resolve(conflict: Conflict, side: Side): void {
    this.#conflicts = this.#conflicts.filter((one) => one !== conflict);
    if (side === "mine" && this.#confirmed) {
      const tree = this.#tree(this.#confirmed);
      const having = (node: Conflict["mine"]) => withNode(tree, conflict.path, node) ?? tree;
      this.#edit({ from: having(conflict.theirs), to: having(conflict.mine) });
    }
    this.#publish();
  }

  /** Publishes the draft; false if it is not the one that the user saw. */
  async publish(): Promise<boolean> {
    const { info } = this;
    if (!info || this.#waiting.length > 0) return false;
    this.#problem = null;
    try {
      this.#accept(await this.#deps.api.publish(info.version));
      this.#publish();
      return true;
    } catch (error) {
      this.#problem = isConflict(error) ? messages.draftChanged() : this.#deps.describe(error);
      await this.refresh();
      return false;
    }
  }

  dismissProblem(): void {
    this.#problem = null;
    this.#publish();
  }

  #edit(edit: Edit<DocumentNode>): void {
    if (!this.#confirmed || diff(edit.from, edit.to).length === 0) return;
    this.#history.record(edit);
    this.#enqueue({ ...edit, asks: true });
  }

  /** A board with the waiting edits applied. */
  #tree(board: WallboardInfo): DocumentNode {
    return this.#waiting.reduce(
      (tree, { from, to }) => patch(tree, diff(from, to)),
      boardToTree(board),
    );
  }

  #enqueue(edit: WaitingEdit): void {
    this.#problem = null;
    this.#waiting.push(edit);
    this.#publish();
    void this.#send();
  }

  async #send(): Promise<void> {
    if (this.#isSending || !this.#confirmed) return;
    this.#isSending = true;
    this.#cancelRetry?.();
    for (let edit = this.#waiting[0]; edit; edit = this.#waiting[0]) {
      if (!(await this.#deliver(edit))) break;
      this.#publish();
    }
    this.#isSending = false;
    this.#publish();
  }

  /** Returns false if the edit has to be sent again later. */
  async #deliver(edit: WaitingEdit): Promise<boolean> {
    try {
      this.#rebase(edit);
      const changes = diff(edit.from, edit.to);
      if (changes.length > 0) this.#accept(await this.#deps.api.patch(patchOf(changes)));
      this.#waiting.shift();
      return true;
    } catch (error) {
      if (isConflict(error)) return this.#reread();
      if (error instanceof Refusal && transient.includes(error.code)) return this.#retryLater();
      this.#waiting.shift();
      this.#failed(error);
      return true;
    }
  }

  /** Rebases the edit on the confirmed board. Leaves out what somebody else changed too; `asks` makes it a conflict. */
  #rebase(edit: WaitingEdit): void {
    const confirmed = boardToTree(this.#confirmed as WallboardInfo);
    const { merged, conflicts } = merge(edit.from, edit.to, confirmed, { choose: () => "theirs" });
    edit.from = confirmed;
    edit.to = merged;
    if (conflicts.length === 0) return;
    if (edit.asks) this.#conflicts = [...this.#conflicts, ...conflicts];
    else this.#problem = messages.wallboardConflict();
  }

  async #reread(): Promise<boolean> {
    try {
      this.#accept(await this.#deps.api.read());
      return true;
    } catch (error) {
      if (error instanceof Refusal && transient.includes(error.code)) return this.#retryLater();
      this.#waiting = [];
      this.#failed(error);
      return true;
    }
  }

  #retryLater(): false {
    if (!this.#isClosed) {
      this.#cancelRetry = this.#deps.clock.after(RETRY_MS, () => void this.#send());
    }
    return false;
  }

  #accept(info: WallboardInfo): void {
    if (this.#confirmed && info.version < this.#confirmed.version) return;
    this.#confirmed = info;
  }

  #failed(error: unknown): void {
    if (error instanceof Refusal && error.code === "not_found") this.#isGone = true;
    else this.#problem = this.#deps.describe(error);
  }

  #publish(): void {
    const { store, atom } = this.#deps;
    store.set(atom, {
      phase: this.#isGone ? "gone" : this.#confirmed ? "ready" : "loading",
      info: this.info,
      waiting: this.#waiting.length,
      conflicts: this.#conflicts,
      problem: this.#problem,
      canUndo: this.#history.canUndo,
      canRedo: this.#history.canRedo,
    });
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Refusal && error.code === "conflict";
}
