import { useEffect, useRef, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { type FieldConflict, Refusal } from "../../../../shared/protocol/errors.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { toast, toastProblem } from "../toast.tsx";
import type { CurrentView } from "./use-current-view.ts";
import { tableSettings } from "./view-address.ts";
import { changeView, createView, removeView, restoreView } from "./view-calls.ts";
import { basesOf, changesOf, type ViewPart } from "./view-edits.ts";

interface Screen {
  table: Table;
  current: CurrentView;
  /** The settings on the screen, as far as the screen has them. */
  shown: Partial<ViewSettings>;
  /** Discards the unsaved changes. */
  onClear(): void;
}

/** Values that another user has saved in the meantime. */
export type ViewConflicts = Partial<Record<ViewPart, FieldConflict>>;

export interface ViewActions {
  /** The unsaved changes. */
  changes: Partial<ViewSettings>;
  isChanged: boolean;
  /** Another user has saved other values of the changed settings. */
  isOutdated: boolean;
  conflicts: ViewConflicts | null;
  save(): Promise<void>;
  /** Overwrites the conflicting values. */
  overwrite(): Promise<void>;
  takeTheirs(): void;
  closeConflicts(): void;
  /** Saves the settings on the screen as a new view and shows it. Throws a refusal. */
  saveAs(name: string, shared: boolean): Promise<void>;
  rename(name: string): Promise<void>;
  share(shared: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** The actions for the current view. */
export function useViewActions({ table, current, shown, onClear }: Screen): ViewActions {
  const { view, choose } = current;
  const [conflict, setConflict] = useState<{ view: string; conflicts: ViewConflicts } | null>(null);
  // Conflicts of a view that was removed or left need no decision.
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
      await changeView(of.id, { ...changes, base });
      if (latest.current?.id === of.id) onSaved(changes);
      toast(
        of.shared ? messages.savedShared({ name: of.name }) : messages.saved({ name: of.name }),
      );
    } catch (error) {
      if (!isConflict(error)) return toastProblem(error);
      setConflict({ view: of.id, conflicts: error.detail.fields as ViewConflicts });
    }
  };
  /**
   * Changes made while saving stay unsaved, with the saved values as their base. What was saved is no change any more if
   * the view was read again before the answer.
   */
  const onSaved = (parts: Partial<ViewSettings>) => {
    const now = latest.current?.changes ?? {};
    if (deepEqual({ ...parts, ...now }, parts)) return onClear();
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
      const {
        filter,
        sort,
        columns,
        group,
        grouping = null,
        appearance = {},
      } = view ?? tableSettings(table);
      const settings = { filter, sort, columns, group, grouping, appearance, ...shown };
      const made = await createView({ table: table.name, name, shared, ...settings });
      onClear();
      choose(made.id);
    },
    async rename(name) {
      if (view) await changeView(view.id, { name, base: { name: view.name } });
    },
    async share(shared) {
      if (!view) return;
      await changeView(view.id, { shared, base: { shared: view.shared } });
      toast(
        shared ? messages.nowShared({ name: view.name }) : messages.nowPrivate({ name: view.name }),
      );
    },
    async remove() {
      if (!view) return;
      choose(null);
      await removeView(view);
      toast(messages.deleted({ name: view.name }), () => {
        restoreView(view.id).then(({ id }) => latest.current && choose(id), toastProblem);
      });
    },
  };
}

/** The value of the last render; null after unmounting, when the screen must not be changed any more. */
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

/** The stored values, as the server reported them. */
function theirsOf(conflicts: ViewConflicts): Partial<ViewSettings> {
  return Object.fromEntries(Object.entries(conflicts).map(([part, { theirs }]) => [part, theirs]));
}
