import { useEffect, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { type FieldConflict, Refusal } from "../../../../shared/protocol/errors.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { readFromTab, storeInTab } from "../../state/tab-storage.ts";
import { toast, toastProblem } from "../../ui/toast.tsx";
import { useIsMounted } from "../../ui/use-is-mounted.ts";
import { useLatest } from "../../ui/use-latest.ts";
import type { CurrentView } from "./use-current-view.ts";
import { tableSettings } from "./view-address.ts";
import { changeView, createView, removeView, restoreView } from "./view-calls.ts";
import { basesOf, changesOf, type ViewPart } from "./view-edits.ts";

interface Screen {
  table: Table;
  current: CurrentView;
  /** The settings on the screen, as far as the screen has them. */
  shown: Partial<ViewSettings>;
  /** Discards the unsaved changes, or only those of some parts. */
  onClear(parts?: readonly ViewPart[]): void;
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
  /** Discards the changes that conflict. The others stay unsaved. */
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
  const [start, setStart] = useState<{ view: string; bases: Partial<ViewSettings> } | null>(null);
  const changes = view ? changesOf(shown, view) : {};
  const before = start && start.view === view?.id ? start.bases : readBases(view);
  const bases = view ? basesOf(changes, view, before) : {};
  if (view && (start?.view !== view.id || !deepEqual(bases, before))) {
    setStart({ view: view.id, bases });
  }
  useEffect(() => {
    if (!start) return;
    const isChanged = Object.keys(start.bases).length > 0;
    storeInTab(basesKey(start.view), isChanged ? start.bases : null);
  }, [start]);
  const latest = useLatest({ id: view?.id, changes });
  const isMounted = useIsMounted();
  const sendChanges = async (of: ViewInfo, base: Partial<ViewSettings>) => {
    try {
      await changeView(of.id, { ...changes, base });
      if (isMounted.current && latest.current.id === of.id) current.showStored();
      if (isMounted.current && latest.current.id === of.id) onSaved(of, changes);
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
  const onSaved = ({ id }: ViewInfo, parts: Partial<ViewSettings>) => {
    if (deepEqual({ ...parts, ...latest.current.changes }, parts)) return onClear();
    setStart(
      (old) => old && (old.view === id ? { ...old, bases: { ...old.bases, ...parts } } : old),
    );
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
      if (view) await sendChanges(view, { ...bases, ...storedSettings(conflicts ?? {}) });
    },
    takeTheirs() {
      setConflict(null);
      current.showStored();
      onClear(Object.keys(conflicts ?? {}) as ViewPart[]);
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
      const made = await createView({
        ...{ table: table.name, name, shared, ...settings },
        ...(view?.orderVersion !== undefined && { orderOf: view.id }),
      });
      // The address may be that of another table by now.
      if (!isMounted.current) return;
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
        restoreView(view.id).then(({ id }) => isMounted.current && choose(id), toastProblem);
      });
    },
  };
}

const basesKey = (view: string) => `view.${view}`;

/**
 * What the unsaved changes of a view are based on. The changes are in the address, which outlives the page; without their
 * base, what a colleague saves before a reload would be overwritten unseen.
 */
function readBases(view: ViewInfo | null): Partial<ViewSettings> {
  return ((view && readFromTab(basesKey(view.id))) ?? {}) as Partial<ViewSettings>;
}

function isConflict(error: unknown): error is Refusal {
  return error instanceof Refusal && error.code === "conflict";
}

/** The stored values, as the server reported them. */
function storedSettings(conflicts: ViewConflicts): Partial<ViewSettings> {
  return Object.fromEntries(Object.entries(conflicts).map(([part, { theirs }]) => [part, theirs]));
}
