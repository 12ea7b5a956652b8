import { type Edit, EditHistory } from "../../../../../shared/document/edit-history.ts";
import { Listeners } from "../../../../../shared/listeners.ts";
import { idOfTable, type Model } from "../../../../../shared/model/model.ts";
import type { ModelDocument } from "../../../../../shared/protocol/model.ts";
import { withIds } from "../document/edit-model.ts";
import { type Choices, mergeModels } from "../document/merge-models.ts";
import { isSameModel } from "../document/model-tree.ts";
import { isNew } from "../document/new-names.ts";

/** The state of the builder: the published model, the draft, and a newer version. */
export interface DraftState {
  /** The version that the draft is based on. */
  base: Model;
  draft: Model;
  /** Whether the draft differs from its base. */
  changed: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** A newer version that another user published while the draft has changes. */
  newer: ModelDocument | null;
}

/** The part of the state that survives a reload of the page. */
export interface StoredDraft {
  base: Model;
  draft: Model;
}

/**
 * The model as one user edits it. A version that is published while there are changes is set aside until the user
 * decides, and every edit can be undone.
 */
export class ModelDraft {
  #state: DraftState;
  readonly #history = new EditHistory<Model>();
  readonly #listeners = new Listeners();

  constructor(published: ModelDocument, stored: StoredDraft | null = null) {
    const base = withIds(published.document);
    this.#state = { ...unchangedState(base) };
    if (!stored || stored.base.version > base.version || isSameModel(stored.base, stored.draft))
      return;
    this.#state = { ...unchangedState(stored.base), draft: stored.draft, changed: true };
    this.onPublished(published);
  }

  get state(): DraftState {
    return this.#state;
  }

  readonly subscribe = this.#listeners.add;

  /**
   * Edits the draft. Quick successive edits with the same tag are undone together.
   * @returns a function that takes this edit back, also after later ones.
   */
  edit(change: (model: Model) => Model, tag?: string): () => void {
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

  /** Handles a newly published version: adopts it if the draft is unchanged, otherwise sets it aside. */
  onPublished(published: ModelDocument): void {
    const { base, draft, changed } = this.#state;
    if (published.version <= base.version) return;
    const isMine = () => isSameModel(byName(draft), byName(withIds(published.document)));
    if (!changed || isMine()) this.adopt(published);
    else this.#update({ newer: published });
  }

  /** Continues from a published version, without changes. */
  adopt(published: ModelDocument): void {
    this.#history.clear();
    this.#state = unchangedState(withIds(published.document));
    this.#notify();
  }

  /** Rebases my changes on the newer version. Undo leads back to that version at most. */
  rebase(choices: Choices): void {
    this.#replaceBase((theirs, merged) => ({ from: theirs, to: merged }), choices);
  }

  /** Adopts the newer version. Undo, and the returned function, restore my changes on top of it. */
  takeTheirs(): () => void {
    const edit = this.#replaceBase((theirs, merged) => ({ from: merged, to: theirs }));
    return () => edit && this.#takeBack(edit);
  }

  /** Takes one edit back. What was edited since stays, except in parts that both changed. */
  #takeBack({ from, to }: Edit<Model>): void {
    if (this.#state.draft === to) this.undo();
    else
      this.edit((now) => {
        const { model } = mergeModels(to, from, now);
        return isSameModel(model, now) ? now : model;
      });
  }

  #replaceBase(
    editOf: (theirs: Model, merged: Model) => Edit<Model>,
    choices?: Choices,
  ): Edit<Model> | null {
    const { base, draft, newer } = this.#state;
    if (!newer) return null;
    const theirs = withIds(newer.document);
    const edit = editOf(theirs, mergeModels(base, draft, theirs, choices).model);
    this.#history.clear();
    this.#history.record(edit);
    this.#state = unchangedState(theirs);
    this.#update({ draft: edit.to });
    return edit;
  }

  #update(part: Partial<DraftState>): void {
    const next = { ...this.#state, ...part };
    this.#state = {
      ...next,
      changed: !isSameModel(next.base, next.draft),
      canUndo: this.#history.canUndo,
      canRedo: this.#history.canRedo,
    };
    this.#notify();
  }

  #notify(): void {
    this.#listeners.emit();
  }
}

function unchangedState(base: Model): DraftState {
  return { base, draft: base, changed: false, canUndo: false, canRedo: false, newer: null };
}

/** Compares models without ids, so that a saved draft equals the version that the server made of it. */
function byName(model: Model): Model {
  const tables = model.tables.map((table) => ({
    ...table,
    id: isNew(table.id) ? table.name : idOfTable(table),
    fields: table.fields.map((field) => ({
      ...field,
      id: isNew(field.id) ? field.name : (field.id ?? field.name),
    })),
  }));
  return { ...model, tables };
}
