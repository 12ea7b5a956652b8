/** One edit: the document before and after it. */
export interface Edit<T> {
  from: T;
  to: T;
}

/** Edits with the same tag are undone together until this long after the last one. */
const SAME_EDIT_MS = 1_500;
const UNDO_STEPS_MAX = 100;

/** The edits that one user can undo and redo. The caller applies what `undo` and `redo` return. */
export class EditHistory<T> {
  #done: Edit<T>[] = [];
  #undone: Edit<T>[] = [];
  #last: { tag: string; at: number } | null = null;

  get canUndo(): boolean {
    return this.#done.length > 0;
  }

  get canRedo(): boolean {
    return this.#undone.length > 0;
  }

  record(edit: Edit<T>, tag?: string): void {
    const now = Date.now();
    const previous = this.#done.at(-1);
    const isContinued = tag !== undefined && this.#last?.tag === tag;
    if (previous && isContinued && now - (this.#last?.at ?? 0) < SAME_EDIT_MS) {
      this.#done = [...this.#done.slice(0, -1), { from: previous.from, to: edit.to }];
    } else this.#done = [...this.#done, edit].slice(-UNDO_STEPS_MAX);
    this.#undone = [];
    this.#last = tag === undefined ? null : { tag, at: now };
  }

  /** The edit to undo. */
  undo(): Edit<T> | undefined {
    const edit = this.#done.pop();
    if (edit) this.#undone.push(edit);
    this.#last = null;
    return edit;
  }

  /** The edit to redo. */
  redo(): Edit<T> | undefined {
    const edit = this.#undone.pop();
    if (edit) this.#done.push(edit);
    return edit;
  }

  clear(): void {
    this.#done = [];
    this.#undone = [];
    this.#last = null;
  }
}
