import { useEffect, useRef, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { type FieldConflict, Refusal } from "../../../../shared/protocol/errors.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { toast, toastProblem } from "../toast.tsx";
import type { CurrentView } from "./use-current-view.ts";
import { tableSettings } from "./view-address.ts";
import { basesOf, changesOf, type ViewPart } from "./view-edits.ts";

interface Screen {
  table: Table;
  current: CurrentView;
  /** What is on the screen now, as far as the screen shows it. */
  shown: Partial<ViewSettings>;
  /** Forgets what was changed on top of the view. */
  onClear(): void;
}

/** What somebody else has saved where I was about to. */
export type ViewConflicts = Partial<Record<ViewPart, FieldConflict>>;

export interface ViewActions {
  /** What lies on top of the view, unsaved. */
  changes: Partial<ViewSettings>;
  isChanged: boolean;
  /** Somebody has saved other changes of the same since I began mine. */
  isOutdated: boolean;
  conflicts: ViewConflicts | null;
  save(): Promise<void>;
  /** Saves mine over what is shown to clash. */
  overwrite(): Promise<void>;
  takeTheirs(): void;
  closeConflicts(): void;
  /** Keeps what is on the screen as another view, and shows that. Throws what is refused. */
  saveAs(name: string, shared: boolean): Promise<void>;
  rename(name: string): Promise<void>;
  share(shared: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** What can be done with the view that a screen shows. */
export function useViewActions({ table, current, shown, onClear }: Screen): ViewActions {
  const { api, view, choose } = current;
  const [conflict, setConflict] = useState<{ view: string; conflicts: ViewConflicts } | null>(null);
  // what clashed in a view that is gone, or left, is no question any more
  if (conflict && conflict.view !== view?.id) setConflict(null);
  const conflicts = conflict?.conflicts ?? null;
  const editStart = useRef<{ id: string; bases: Partial<ViewSettings> }>({ id: "", bases: {} });
  const changes = view ? changesOf(shown, view) : {};
  if (view) {
    const before = editStart.current.id === view.id ? editStart.current.bases : {};
    editStart.current = { id: view.id, bases: basesOf(changes, view, before) };
  }
  const { bases } = editStart.current;
  const latest = useLatest({ id: view?.id, changes });
  const sendChanges = async (of: ViewInfo, base: Partial<ViewSettings>) => {
    try {
      await api.change(of.id, { ...changes, base });
      if (latest.current?.id === of.id) onSaved(changes);
      toast(of.shared ? `“${of.name}” is saved, for everybody.` : `“${of.name}” is saved.`);
    } catch (error) {
      if (!isConflict(error)) return toastProblem(error);
      setConflict({ view: of.id, conflicts: error.detail.fields as ViewConflicts });
    }
  };
  /** What was changed further while it was saved stays on top, and begins from what is saved now. */
  const onSaved = (parts: Partial<ViewSettings>) => {
    if (deepEqual(latest.current?.changes, parts)) return onClear();
    editStart.current.bases = { ...editStart.current.bases, ...parts };
  };
  return {
    changes,
    isChanged: Object.keys(changes).length > 0,
    isOutdated: view !== null && Object.keys(changesOf(bases, view)).length > 0,
    conflicts,
    async save() {
      if (view) await sendChanges(view, bases);
    },
    async overwrite() {
      setConflict(null);
      if (view) await sendChanges(view, { ...bases, ...theirsOf(conflicts ?? {}) });
    },
    takeTheirs() {
      setConflict(null);
      onClear();
    },
    closeConflicts: () => setConflict(null),
    async saveAs(name, shared) {
      const { filter, sort, columns, group } = view ?? tableSettings(table);
      const settings = { filter, sort, columns, group, ...shown };
      const made = await api.create({ table: table.name, name, shared, ...settings });
      onClear();
      choose(made.id);
    },
    async rename(name) {
      if (view) await api.change(view.id, { name, base: { name: view.name } });
    },
    async share(shared) {
      if (!view) return;
      await api.change(view.id, { shared, base: { shared: view.shared } });
      toast(shared ? `“${view.name}” is there for everybody.` : `“${view.name}” is yours alone.`);
    },
    async remove() {
      if (!view) return;
      choose(null);
      await api.remove(view);
      toast(`“${view.name}” is deleted.`, () => {
        api.restore(view.id).then(({ id }) => latest.current && choose(id), toastProblem);
      });
    },
  };
}

/** What was drawn last; null once the screen is left: then nothing of it may be moved any more. */
function useLatest<T>(value: T): { readonly current: T | null } {
  const latest = useRef<T | null>(null);
  useEffect(() => {
    latest.current = value;
  });
  useEffect(
    () => () => {
      latest.current = null;
    },
    [],
  );
  return latest;
}

function isConflict(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === "conflict";
}

/** By the server's word: what stands there now. */
function theirsOf(conflicts: ViewConflicts): Partial<ViewSettings> {
  return Object.fromEntries(Object.entries(conflicts).map(([part, { theirs }]) => [part, theirs]));
}
