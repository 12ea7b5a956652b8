import { useEffect, useRef, useState } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewLook } from "../../../../shared/model/view/view.ts";
import { type FieldConflict, Refusal } from "../../../../shared/protocol/errors.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { toast, toastProblem } from "../toast.tsx";
import type { CurrentView } from "./use-current-view.ts";
import { asTable } from "./view-address.ts";
import { basesOf, changesOf, type LookPart } from "./view-edits.ts";

interface Screen {
  table: Table;
  current: CurrentView;
  /** What is on the screen now, as far as the screen shows it. */
  shown: Partial<ViewLook>;
  /** Forgets what was changed on top of the view. */
  onClear(): void;
}

/** What somebody else has saved where I was about to. */
export type Clashes = Partial<Record<LookPart, FieldConflict>>;

export interface ViewDeeds {
  /** What lies on top of the view, unsaved. */
  changes: Partial<ViewLook>;
  isChanged: boolean;
  /** Somebody has saved other changes of the same since I began mine. */
  isOvertaken: boolean;
  clashes: Clashes | null;
  save(): Promise<void>;
  /** Saves mine over what is shown to clash. */
  saveOver(): Promise<void>;
  takeTheirs(): void;
  closeClashes(): void;
  /** Keeps what is on the screen as another view, and shows that. Throws what is refused. */
  saveAs(name: string, shared: boolean): Promise<void>;
  rename(name: string): Promise<void>;
  share(shared: boolean): Promise<void>;
  remove(): Promise<void>;
}

/** What can be done with the view that a screen shows. */
export function useViewDeeds({ table, current, shown, onClear }: Screen): ViewDeeds {
  const { door, view, choose } = current;
  const [asked, setAsked] = useState<{ view: string; clashes: Clashes } | null>(null);
  // what clashed in a view that is gone, or left, is no question any more
  if (asked && asked.view !== view?.id) setAsked(null);
  const clashes = asked?.clashes ?? null;
  const began = useRef<{ id: string; bases: Partial<ViewLook> }>({ id: "", bases: {} });
  const changes = view ? changesOf(shown, view) : {};
  if (view) {
    const before = began.current.id === view.id ? began.current.bases : {};
    began.current = { id: view.id, bases: basesOf(changes, view, before) };
  }
  const { bases } = began.current;
  const latest = useLatest({ id: view?.id, changes });
  const send = async (of: ViewInfo, base: Partial<ViewLook>) => {
    try {
      await door.change(of.id, { ...changes, base });
      if (latest.current?.id === of.id) saved(changes);
      toast(of.shared ? `“${of.name}” is saved, for everybody.` : `“${of.name}” is saved.`);
    } catch (error) {
      if (!isConflict(error)) return toastProblem(error);
      setAsked({ view: of.id, clashes: error.detail.fields as Clashes });
    }
  };
  /** What was changed further while it was saved stays on top, and begins from what is saved now. */
  const saved = (parts: Partial<ViewLook>) => {
    if (deepEqual(latest.current?.changes, parts)) return onClear();
    began.current.bases = { ...began.current.bases, ...parts };
  };
  return {
    changes,
    isChanged: Object.keys(changes).length > 0,
    isOvertaken: view !== null && Object.keys(changesOf(bases, view)).length > 0,
    clashes,
    async save() {
      if (view) await send(view, bases);
    },
    async saveOver() {
      setAsked(null);
      if (view) await send(view, { ...bases, ...theirsOf(clashes ?? {}) });
    },
    takeTheirs() {
      setAsked(null);
      onClear();
    },
    closeClashes: () => setAsked(null),
    async saveAs(name, shared) {
      const { filter, sort, columns, group } = view ?? asTable(table);
      const look = { filter, sort, columns, group, ...shown };
      const made = await door.create({ table: table.name, name, shared, ...look });
      onClear();
      choose(made.id);
    },
    async rename(name) {
      if (view) await door.change(view.id, { name, base: { name: view.name } });
    },
    async share(shared) {
      if (!view) return;
      await door.change(view.id, { shared, base: { shared: view.shared } });
      toast(shared ? `“${view.name}” is there for everybody.` : `“${view.name}” is yours alone.`);
    },
    async remove() {
      if (!view) return;
      choose(null);
      await door.remove(view);
      toast(`“${view.name}” is deleted.`, () => {
        door.restore(view.id).then(({ id }) => latest.current && choose(id), toastProblem);
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
function theirsOf(clashes: Clashes): Partial<ViewLook> {
  return Object.fromEntries(Object.entries(clashes).map(([part, { theirs }]) => [part, theirs]));
}
