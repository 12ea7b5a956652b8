import { idOfTable, type Model } from "../../../../../shared/model/model.ts";
import type { ModelDocument } from "../../../sync/calls/models.ts";
import { withIds } from "../document/edit-model.ts";
import { mergeModels, type Side } from "../document/merge-models.ts";
import { isSame } from "../document/model-tree.ts";
import { isNew } from "../document/new-names.ts";
import { takeApart } from "../document/take-apart.ts";

/** What the builder shows: a model in force, what has been made of it, and what came meanwhile. */
export interface DraftState {
  /** The version that the draft is based on. */
  base: Model;
  draft: Model;
  /** Whether the draft says anything else than its base. */
  changed: boolean;
  canUndo: boolean;
  canRedo: boolean;
  /** A newer version that somebody else put in force, while the draft has changes of its own. */
  ahead: ModelDocument | null;
}

/** What outlives a reload of the page. */
export interface StoredDraft {
  base: Model;
  draft: Model;
}

/** Typing in one place is undone at once, until one pauses this long. */
const SAME_EDIT_MS = 1_500;
const UNDO_STEPS_MAX = 100;

/**
 * The model as one person edits it. Nothing in it is lost silently: a version that arrives while there
 * are changes is put aside until the person has decided, and every edit can be undone.
 */
export class ModelDraft {
  #state: DraftState;
  #past: Model[] = [];
  #future: Model[] = [];
  #last: { tag: string; at: number } | null = null;
  readonly #listeners = new Set<() => void>();

  constructor(standing: ModelDocument, stored: StoredDraft | null = null) {
    const base = withIds(standing.document);
    this.#state = { ...fresh(base) };
    if (!stored || stored.base.version > base.version || isEqual(stored.base, stored.draft)) return;
    this.#state = { ...fresh(stored.base), draft: stored.draft, changed: true };
    this.arrived(standing);
  }

  get state(): DraftState {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Makes another draft of the present one. Edits with the same tag, one soon after the other, are undone at once. */
  edit(change: (model: Model) => Model, tag?: string): void {
    const { draft } = this.#state;
    const next = change(draft);
    if (next === draft) return;
    const now = Date.now();
    const goesOn =
      tag !== undefined && this.#last?.tag === tag && now - this.#last.at < SAME_EDIT_MS;
    if (!goesOn) this.#past = [...this.#past, draft].slice(-UNDO_STEPS_MAX);
    this.#future = [];
    this.#last = tag === undefined ? null : { tag, at: now };
    this.#show({ draft: next });
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.#state.draft];
    this.#last = null;
    this.#show({ draft: before });
  }

  redo(): void {
    const after = this.#future.at(-1);
    if (!after) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.#state.draft];
    this.#show({ draft: after });
  }

  /** Somebody's version is in force: shown at once where nothing was changed here, else put aside. */
  arrived(standing: ModelDocument): void {
    const { base, draft, changed } = this.#state;
    if (standing.version <= base.version) return;
    const same = isEqual(byName(draft), byName(withIds(standing.document)));
    if (!changed || same) this.adopt(standing);
    else this.#show({ ahead: standing });
  }

  /** Goes on from a version in force, without changes. */
  adopt(standing: ModelDocument): void {
    this.#past = [];
    this.#future = [];
    this.#state = fresh(withIds(standing.document));
    this.#tell();
  }

  /** Puts my changes on top of the version that came meanwhile; undo brings nothing of before back. */
  putOnTop(choices: Readonly<Record<string, Side>>): void {
    const { base, draft, ahead } = this.#state;
    if (!ahead) return;
    const theirs = withIds(ahead.document);
    const { model } = mergeModels(base, draft, theirs, choices);
    this.#past = [theirs];
    this.#future = [];
    this.#state = { ...fresh(theirs), draft: model };
    this.#show({});
  }

  /** Takes the version that came meanwhile; my changes can be brought back on top of it by undoing. */
  takeTheirs(): void {
    const { base, draft, ahead } = this.#state;
    if (!ahead) return;
    const theirs = withIds(ahead.document);
    this.#past = [mergeModels(base, draft, theirs).model];
    this.#future = [];
    this.#state = fresh(theirs);
    this.#show({});
  }

  #show(part: Partial<DraftState>): void {
    const next = { ...this.#state, ...part };
    this.#state = {
      ...next,
      changed: !isEqual(next.base, next.draft),
      canUndo: this.#past.length > 0,
      canRedo: this.#future.length > 0,
    };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

function fresh(base: Model): DraftState {
  return { base, draft: base, changed: false, canUndo: false, canRedo: false, ahead: null };
}

function isEqual(a: Model, b: Model): boolean {
  return a === b || isSame(takeApart(a), takeApart(b));
}

/** A model told apart by names alone: what I saved and what the server made of it are the same then. */
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
