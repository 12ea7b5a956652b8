import { diff, patch } from "../../../../shared/document/diff.ts";
import {
  type DocumentNode,
  type MaybeNode,
  withNode,
} from "../../../../shared/document/document-node.ts";
import { type Edit, EditHistory } from "../../../../shared/document/edit-history.ts";
import { type Conflict, merge, type Side } from "../../../../shared/document/merge.ts";
import type { WallboardDocument } from "../../../../shared/model/wallboard/wallboard.ts";
import { wallboardToTree } from "../../../../shared/model/wallboard/wallboard-tree.ts";
import { isSignedOut, Refusal } from "../../../../shared/protocol/errors.ts";
import type { PatchWallboardCall, WallboardInfo } from "../../../../shared/protocol/wallboards.ts";
import { errorMessages as messages } from "../../messages/en/errors.ts";
import type { AtomStore, PrimitiveAtom } from "../../state/atom-store.ts";
import { type DraftState, noDraft } from "../../state/draft-state.ts";
import type { Clock } from "../clock.ts";
import { isSentAgain } from "../connection/backoff.ts";
import { changedParts, type EditedWallboard, patchOf, withTree } from "./wallboard-edits.ts";

/** The server's half, as the designer needs it. */
export interface WallboardApi {
  read(): Promise<WallboardInfo>;
  patch(call: PatchWallboardCall): Promise<WallboardInfo>;
  publish(version: number): Promise<WallboardInfo>;
}

interface Asking {
  /** Undo and redo never ask: what somebody else changed since is left as it is. */
  asks: boolean;
}

type WaitingEdit = Edit<DocumentNode> & Asking;

/** An edit as the browser stores it. */
export type StoredEdit = Edit<Partial<WallboardDocument>> & Asking;

const RETRY_MS = 2_000;

/**
 * The draft of one wallboard, as one user edits it. Edits show at once and are sent one by one, each with
 * its base. If somebody else has written meanwhile, only the parts they did not touch are written, and
 * the user decides on the rest: nothing is overwritten unseen. Undo reverts only the user's own edits,
 * and only if nobody has changed them since.
 */
export class WallboardDraft {
  readonly #deps;
  #confirmed: WallboardInfo | null = null;
  #waiting: WaitingEdit[] = [];
  readonly #history = new EditHistory<DocumentNode>();
  #conflicts: Conflict[] = [];
  #problem: string | null = null;
  /** Why the last read failed. */
  #unread: string | null = null;
  #isSending = false;
  /** Ends with the sending of edits. */
  #sending: Promise<void> = Promise.resolve();
  #isGone = false;
  #isStopped = false;
  #cancelRetry: (() => void) | null = null;
  /** How often in a row the server has failed. */
  #failures = 0;

  constructor(deps: {
    api: WallboardApi;
    store: AtomStore;
    atom: PrimitiveAtom<DraftState>;
    clock: Clock;
    /** Whether edits can be sent in their author's name: not while nobody, and never when somebody else, is signed in. */
    canSend(): boolean;
    /** The user-visible message of a refusal. */
    describe(error: unknown): string;
    /** Called with every change: the edits that are not saved, with those that conflict. */
    onUnsaved(edits: readonly StoredEdit[]): void;
    /** Called with an edit that can never be saved, before it is dropped, and why. */
    onRefused(edit: Edit<DocumentNode>, reason: string): void;
  }) {
    this.#deps = deps;
  }

  /** What the user sees: the confirmed wallboard with their own edits applied. */
  get info(): WallboardInfo | null {
    return this.#confirmed && withTree(this.#confirmed, this.#tree(this.#confirmed));
  }

  /** The number of edits that the server has not answered. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Sends stored edits. Those that conflict are asked about again. */
  restore(edits: readonly StoredEdit[]): void {
    for (const { from, to, asks } of edits) {
      this.#waiting.push({ from: wallboardToTree(from), to: wallboardToTree(to), asks });
    }
    this.#publish();
    this.#send();
  }

  /** Sends and shows nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#deps.store.set(this.#deps.atom, noDraft);
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
      this.#unread = this.#failed(error);
    }
    this.#publish();
  }

  /** Sends the differences between the wallboard that the user saw and the edited one. */
  edit(seen: EditedWallboard, edited: EditedWallboard): void {
    this.#edit({ from: wallboardToTree(seen), to: wallboardToTree(edited) });
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
    if (side === "mine") this.#edit(this.#editOf(conflict, "theirs"));
    this.#publish();
  }

  /**
   * Publishes the draft, with the edits that are on their way: leaving an input to press the button is what saves its text. False
   * if it is not what the user saw, or if an edit could not be saved, which is said. Nothing is published later, when nobody
   * expects it any more.
   */
  async publish(): Promise<boolean> {
    const conflicts = this.#conflicts.length;
    await this.#sending;
    const { info } = this;
    if (!info || this.#isStopped) return false;
    if (this.#conflicts.length > conflicts) return false;
    if (this.#waiting.length > 0) {
      this.#problem = messages.unreachable();
      this.#publish();
      return false;
    }
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
    this.#unread = null;
    this.#publish();
  }

  #edit(edit: Edit<DocumentNode>): void {
    if (!this.#confirmed || diff(edit.from, edit.to).length === 0) return;
    this.#history.record(edit);
    this.#enqueue({ ...edit, asks: true });
  }

  /** The edit that writes the own value of a conflict over the one that its author saw, or over the one now shown. */
  #editOf({ path, ...values }: Conflict, over: "base" | "theirs"): Edit<DocumentNode> {
    const tree = this.#tree(this.#confirmed as WallboardInfo);
    const having = (node: MaybeNode) => withNode(tree, path, node) ?? tree;
    return { from: having(values[over]), to: having(values.mine) };
  }

  /** A wallboard with the waiting edits applied. */
  #tree(wallboard: WallboardInfo): DocumentNode {
    return this.#waiting.reduce(
      (tree, { from, to }) => patch(tree, diff(from, to)),
      wallboardToTree(wallboard),
    );
  }

  #enqueue(edit: WaitingEdit): void {
    this.#problem = null;
    this.#waiting.push(edit);
    this.#publish();
    this.#send();
  }

  #send(): void {
    if (!this.#isSending) this.#sending = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    this.#cancelRetry?.();
    for (let edit = this.#waiting[0]; edit && !this.#isStopped; edit = this.#waiting[0]) {
      if (!(this.#deps.canSend() ? await this.#deliver(edit) : this.#retryLater())) break;
      this.#publish();
    }
    this.#isSending = false;
    this.#publish();
  }

  /** Returns false if the edit has to be sent again later. */
  async #deliver(edit: WaitingEdit): Promise<boolean> {
    if (!this.#confirmed) return this.#reread();
    try {
      this.#rebase(edit, this.#confirmed);
      const changes = diff(edit.from, edit.to);
      if (changes.length > 0) this.#accept(await this.#deps.api.patch(patchOf(changes)));
      this.#waiting.shift();
      return true;
    } catch (error) {
      if (isConflict(error)) return this.#reread();
      if (this.#isToRetry(error)) return this.#retryLater();
      this.#drop([edit], error);
      return true;
    }
  }

  /**
   * Rebases the edit on the confirmed wallboard. Leaves out what somebody else changed too; `asks` makes it a conflict.
   */
  #rebase(edit: WaitingEdit, wallboard: WallboardInfo): void {
    const confirmed = wallboardToTree(wallboard);
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
      if (this.#isToRetry(error)) return this.#retryLater();
      this.#drop(this.#waiting, error);
      return true;
    }
  }

  /**
   * Drops refused edits. Whether or not the wallboard is open, their author learns of it and can copy them; not what undo
   * and redo would have done. Once stopped, they stay stored for the author's next page.
   */
  #drop(refused: readonly WaitingEdit[], error: unknown): void {
    this.#failures = 0;
    if (this.#isStopped) return;
    this.#waiting = this.#waiting.filter((edit) => !refused.includes(edit));
    const asking = refused.filter(({ asks }) => asks);
    for (const edit of asking) this.#deps.onRefused(edit, this.#deps.describe(error));
    this.#problem = this.#failed(error);
  }

  /** Whether a refusal says nothing of the edit. One without a session waits for its author. */
  #isToRetry(error: unknown): boolean {
    if (!(error instanceof Refusal)) return false;
    const isAgain = isSignedOut(error.code) || isSentAgain(error.code, this.#failures);
    if (error.code === "internal") this.#failures += 1;
    return isAgain;
  }

  #retryLater(): false {
    if (!this.#isStopped) this.#cancelRetry = this.#deps.clock.after(RETRY_MS, () => this.#send());
    return false;
  }

  #accept(info: WallboardInfo): void {
    this.#failures = 0;
    this.#unread = null;
    this.#isGone = false;
    if (this.#confirmed && info.version < this.#confirmed.version) return;
    this.#confirmed = info;
  }

  /** Returns what to show of a failure. Of a wallboard that is gone, the values of open conflicts can still be copied. */
  #failed(error: unknown): string | null {
    this.#isGone ||= error instanceof Refusal && error.code === "not_found";
    const lost = this.#isGone ? this.#conflicts : [];
    for (const one of lost)
      this.#deps.onRefused(this.#editOf(one, "base"), this.#deps.describe(error));
    if (this.#isGone) this.#conflicts = [];
    return this.#isGone ? null : this.#deps.describe(error);
  }

  #publish(): void {
    if (this.#isStopped) return;
    const { store, atom, onUnsaved } = this.#deps;
    const conflicting = this.#conflicts.map((one) => ({
      ...this.#editOf(one, "base"),
      asks: true,
    }));
    const unsaved = [...conflicting, ...this.#waiting];
    onUnsaved(unsaved.map(({ asks, ...edit }) => ({ ...changedParts(edit), asks })));
    store.set(atom, {
      phase: this.#isGone ? "gone" : this.#confirmed ? "ready" : "loading",
      info: this.info,
      waiting: this.#waiting.length,
      conflicts: this.#conflicts,
      problem: this.#problem ?? this.#unread,
      canUndo: this.#history.canUndo,
      canRedo: this.#history.canRedo,
    });
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Refusal && error.code === "conflict";
}
