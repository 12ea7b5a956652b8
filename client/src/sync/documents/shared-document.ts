import { diff } from "../../../../shared/document/diff.ts";
import type { DocumentNode } from "../../../../shared/document/document-node.ts";
import { type Choices, keyOfConflict, rebase, resolve } from "../../../../shared/document/draft.ts";
import { type Edit, EditHistory } from "../../../../shared/document/edit-history.ts";
import { type Conflict, merge, type Side } from "../../../../shared/document/merge.ts";
import { Listeners } from "../../../../shared/listeners.ts";
import type { ClientCore } from "../client-core.ts";
import { pageCore } from "../page/page-core.ts";

/** What is particular to one kind of document. `T` is the document as screens edit it, `Stored` as the server has it. */
export interface DocumentKind<T, Stored> {
  read(stored: Stored): T;
  toTree(document: T): DocumentNode;
  /** The document of a tree that was merged with another version. */
  fromTree(tree: DocumentNode, theirs: T): T;
  isSame(a: T, b: T): boolean;
  /** Whether a stored version is what the draft says: it was saved, and the answer was lost. */
  isSaved(draft: T, stored: T): boolean;
  /** Whether a stored version is the base, or was read before it. */
  isKnown(stored: T, base: T): boolean;
  /** Whether the base is ahead of what is stored, so that a draft of it can't be saved any more. */
  isAhead(base: T, stored: T): boolean;
  /**
   * Whether what others save joins the draft at once, except for conflicts. Otherwise it is set aside until the user has
   * seen it.
   */
  joins: boolean;
  /** As a draft is stored in the browser. */
  pack(base: T, draft: T): unknown;
  /** Null if it can't be read. */
  unpack(packed: unknown): { base: T; draft: T } | null;
}

export interface DocumentState<T, Stored> {
  /** The version that the draft is based on. */
  base: T;
  draft: T;
  /** Whether the draft differs from its base. */
  changed: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** A version that another user saved, on which the draft is not based yet: not at all, or except for its conflicts. */
  newer: Stored | null;
}

/**
 * A document that one user edits while others do, and that is sent as a whole when its user says so: a role is saved, the
 * model is published. There are three versions of it: the *base*, which the user saw, their *draft*, and the *newer* one
 * that somebody else may have saved since. All that is hard here is to lose none of the three. The draft is stored with
 * its base (`DraftStorage`), because only both together say what the user has changed; a change to what another user
 * changed too is a conflict, addressed by its path and never decided by itself; and each step can be undone as far back
 * as the base, also the one that gave the draft up.
 *
 * Edits of wallboards are not such a draft (docs/adr/0033-documents.md): each of them is sent, refused
 * and asked about for itself. They share the storage, the merge and the list of conflicts.
 */
export class SharedDocument<T, Stored> {
  readonly #kind: DocumentKind<T, Stored>;
  readonly #storage: DocumentStorage;
  readonly #history = new EditHistory<T>();
  readonly #listeners = new Listeners();
  #state: DocumentState<T, Stored>;

  constructor(kind: DocumentKind<T, Stored>, stored: Stored, storage: DocumentStorage) {
    this.#kind = kind;
    this.#storage = storage;
    const now = kind.read(stored);
    const found = kind.unpack(storage.own());
    this.#state = unchanged(now);
    if (!found || kind.isAhead(found.base, now) || kind.isSame(found.base, found.draft)) return;
    this.#state = { ...unchanged(found.base), draft: found.draft, changed: true };
    this.receive(stored);
  }

  get state(): DocumentState<T, Stored> {
    return this.#state;
  }

  readonly subscribe = this.#listeners.add;

  /**
   * Edits the draft. Quick successive edits with the same tag are undone together.
   * @returns a function that takes this edit back, also after later ones.
   */
  edit(change: (document: T) => T, tag?: string): () => void {
    const { draft } = this.#state;
    const next = change(draft);
    if (next === draft) return () => {};
    const edit = { from: draft, to: next };
    this.#history.record(edit, tag);
    this.#update({ draft: next });
    return () => this.#takeBack(edit);
  }

  undo(): void {
    const edit = this.#history.undo();
    if (edit) this.#update({ draft: edit.from });
  }

  redo(): void {
    const edit = this.#history.redo();
    if (edit) this.#update({ draft: edit.to });
  }

  /** The number of parts that the user has changed. */
  countChanges(): number {
    const { base, draft } = this.#state;
    return diff(this.#kind.toTree(base), this.#kind.toTree(draft)).length;
  }

  /** The parts that both the user and the author of the newer version changed. */
  conflicts(): Conflict[] {
    const { newer, base, draft } = this.#state;
    return newer ? this.#merge(base, draft, this.#kind.read(newer)).conflicts : [];
  }

  /** Follows what is stored: adopts it if the draft is unchanged; otherwise it joins the draft, or is set aside. */
  receive(stored: Stored): void {
    const { base, draft, changed, newer } = this.#state;
    const theirs = this.#kind.read(stored);
    const mayEndConflicts = this.#kind.joins && newer !== null;
    if (this.#kind.isKnown(theirs, base) && !mayEndConflicts) return;
    if (!changed || this.#kind.isSaved(draft, theirs)) this.adopt(stored);
    else if (this.#kind.joins) this.#join(stored, theirs);
    else this.#update({ newer: stored });
  }

  /** Continues from a stored version, without changes. */
  adopt(stored: Stored): void {
    this.#history.clear();
    this.#update(unchanged(this.#kind.read(stored)));
  }

  /** What was sent is stored now. What was changed meanwhile, or taken back, is a change of that. */
  saved(sent: { base: T; draft: T }): void {
    // The notice of it may have come before the answer.
    this.#update({ base: this.#merge(sent.base, sent.draft, this.#state.base).merged });
  }

  /** Decides a conflict: mine will replace theirs, or theirs is taken. */
  resolve(conflict: Conflict, side: Side): void {
    const { toTree, fromTree } = this.#kind;
    const { base, draft } = this.#state;
    const next = resolve({ base: toTree(base), mine: toTree(draft) }, conflict, side);
    this.#update({ base: fromTree(next.base, base), draft: fromTree(next.mine, base) });
    if (this.conflicts().length === 0) this.#update({ newer: null });
  }

  /** Rebases my changes on the newer version; mine wins where nothing is chosen. Undo leads back to that version at most. */
  rebase(choices: Choices): void {
    this.#replaceBase((theirs, merged) => ({ from: theirs, to: merged }), choices);
  }

  /** Adopts the newer version. Undo, and the returned function, restore my changes on top of it. */
  takeTheirs(): () => void {
    const edit = this.#replaceBase((theirs, merged) => ({ from: merged, to: theirs }));
    return () => edit && this.#takeBack(edit);
  }

  /** Gives all changes up: what is stored now is shown. The returned function brings them back. */
  discard(): () => void {
    return this.#state.newer ? this.takeTheirs() : this.edit(() => this.#state.base);
  }

  /** Takes one edit back. What was edited since stays, except in parts that both changed. */
  #takeBack({ from, to }: Edit<T>): void {
    if (this.#state.draft === to) this.undo();
    else
      this.edit((now) => {
        const { merged } = this.#merge(to, from, now);
        return this.#kind.isSame(merged, now) ? now : merged;
      });
  }

  /** Conflicting parts keep the base that the user saw, so that they are found again. */
  #join(stored: Stored, theirs: T): void {
    const { toTree, fromTree } = this.#kind;
    const { base, draft } = this.#state;
    const next = rebase({ base: toTree(base), mine: toTree(draft) }, toTree(theirs));
    this.#history.clear();
    this.#update({
      base: fromTree(next.base, theirs),
      draft: fromTree(next.mine, theirs),
      newer: next.conflicts.length > 0 ? stored : null,
    });
  }

  #replaceBase(editOf: (theirs: T, merged: T) => Edit<T>, choices: Choices = {}): Edit<T> | null {
    const { base, draft, newer } = this.#state;
    if (!newer) return null;
    const theirs = this.#kind.read(newer);
    const edit = editOf(theirs, this.#merge(base, draft, theirs, choices).merged);
    this.#history.clear();
    this.#history.record(edit);
    this.#update({ base: theirs, draft: edit.to, newer: null });
    return edit;
  }

  #merge(base: T, mine: T, theirs: T, choices: Choices = {}) {
    const { toTree, fromTree } = this.#kind;
    const { merged, conflicts } = merge(toTree(base), toTree(mine), toTree(theirs), {
      choose: (conflict) => choices[keyOfConflict(conflict)] ?? "mine",
    });
    return { merged: fromTree(merged, theirs), conflicts };
  }

  #update(part: Partial<DocumentState<T, Stored>>): void {
    const before = this.#state;
    const next = { ...before, ...part };
    this.#state = {
      ...next,
      changed: !this.#kind.isSame(next.base, next.draft),
      canUndo: this.#history.canUndo,
      canRedo: this.#history.canRedo,
    };
    if (next.base !== before.base || next.draft !== before.draft) {
      this.#storage.put(() => {
        const { base, draft, changed } = this.#state;
        return changed ? this.#kind.pack(base, draft) : null;
      });
    }
    this.#listeners.emit();
  }
}

/** The place of one document's draft in `DraftStorage`. */
export interface DocumentStorage {
  own(): unknown;
  put(read: () => unknown): void;
}

function unchanged<T>(base: T) {
  return { base, draft: base, changed: false, canUndo: false, canRedo: false, newer: null };
}

/** Drafts outlive their screens: on another one, a notice may still offer to take an edit back. No user sees those of another. */
const opened = new WeakMap<ClientCore, Map<string, unknown>>();

/**
 * Makes the drafts that closed tabs left of documents that begin so those of this tab. It has one of each document:
 * another one waits until this one is saved or discarded.
 */
export function adoptDrafts(kind: string): Promise<void> {
  const { documents } = pageCore();
  return documents.adopt(kind, (document, draft) => {
    if (documents.own(document) !== null) return false;
    documents.put(document, () => draft);
    documents.storeNow();
    return true;
  });
}

/** The signed-in user's draft of a document, in the version that the server has now. */
export function openDocument<T, Stored>(
  kind: DocumentKind<T, Stored>,
  name: string,
  stored: Stored,
): SharedDocument<T, Stored> {
  const core = pageCore();
  const documents = opened.get(core) ?? new Map<string, unknown>();
  opened.set(core, documents);
  const known = documents.get(name) as SharedDocument<T, Stored> | undefined;
  if (known && !kind.isAhead(known.state.base, kind.read(stored))) {
    known.receive(stored);
    return known;
  }
  const document = new SharedDocument(kind, stored, {
    own: () => core.documents.own(name),
    put: (read) => core.documents.put(name, read),
  });
  documents.set(name, document);
  return document;
}
