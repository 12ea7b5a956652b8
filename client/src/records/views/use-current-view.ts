import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { migrateView } from "../../../../shared/model/view/migrate-view.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { store } from "../../state/store.ts";
import { useAtom } from "../../state/use-atom.ts";
import { movedViewAtom, viewsAtom } from "../../state/views-state.ts";
import { toast } from "../../ui/toast.tsx";
import { useLatest } from "../../ui/use-latest.ts";
import { withoutView, withView } from "./view-address.ts";
import { followViews } from "./view-calls.ts";
import { partNames, type ViewPart } from "./view-edits.ts";

export interface CurrentView {
  /** The available views; null until they are loaded. */
  views: readonly ViewInfo[] | null;
  /** The chosen view as the screen shows it; null for the plain table. */
  view: ViewInfo | null;
  /** The view as it is stored, if its settings were changed while the user was at work in the rows; null while they are shown. */
  changed: ViewInfo | null;
  /** Shows the view as it is stored. */
  showStored(): void;
  /** Whether the user is at work in the rows. The screen that draws them sets it, by `useReportWork`. */
  isAtWork: RefObject<() => boolean>;
  /** `waiting`: the requested view is loading. `missing`: it does not exist, or the user may not read it. */
  phase: "known" | "waiting" | "missing";
  /** Shows a view or the plain table, without changes. */
  choose(view: string | null): void;
}

/** A view on the screen, and as it was last read. */
export interface ShownVersion {
  shown: ViewInfo | null;
  stored: ViewInfo | null;
  /** The table by the model that both were read with. */
  table: Table;
}

/**
 * What is shown once a view has been read. Where its settings were saved anew while the user is at work, it stays as it was: rows and
 * columns don't move under who types. A publication of the model changes views without saving them, and takes away what the old settings
 * name, so that it is shown at once; what waits meanwhile goes on to do so.
 */
export function nextVersion(
  before: ShownVersion,
  now: Pick<ShownVersion, "stored" | "table">,
  isAtWork: () => boolean,
): ShownVersion {
  const { shown } = before;
  const { stored, table } = now;
  const isSavedAnew =
    shown !== null &&
    shown.id === stored?.id &&
    shown.updated.at !== stored.updated.at &&
    !deepEqual(settingsOf(shown), settingsOf(stored));
  if (!isSavedAnew || !isAtWork()) return { shown: stored, stored, table };
  const isPublished = before.table !== table;
  const migrated = isPublished ? { ...shown, ...migrateView(shown, before.table, table) } : shown;
  return { shown: migrated, stored, table };
}

function settingsOf(view: ViewInfo) {
  const parts = (Object.keys(partNames) as ViewPart[]).map((part) => view[part] ?? null);
  return [...parts, view.orderVersion ?? 0];
}

/**
 * The view of a table that the address names, live. When the view is removed, its settings are written to the address,
 * so that the screen does not change.
 */
export function useCurrentView(table: Table): CurrentView {
  const [params, setParams] = useSearchParams();
  const views = useAtom(viewsAtom(table.name));
  useEffect(() => followViews(table.name), [table.name]);
  const requestedId = params.get("view");
  const found = views?.find(({ id }) => id === requestedId) ?? null;
  const isAtWork = useRef(atRest);
  const [before, setVersion] = useState<ShownVersion>({ shown: null, stored: null, table });
  const last = before.shown;
  const isRemoved = views !== null && !found && last !== null && last.id === requestedId;
  const isNew = !isRemoved && (before.stored !== found || before.table !== table);
  const version = isNew
    ? nextVersion(before, { stored: found, table }, () => isAtWork.current())
    : before;
  if (isNew) setVersion(version);
  const view = version.shown;
  const onRemoved = useLatest((removed: ViewInfo) => {
    setParams((now) => withoutView(now, removed, table), { replace: true });
    toast(messages.removed({ name: removed.name }));
  });
  useEffect(() => {
    if (isRemoved) onRemoved.current(last);
  }, [isRemoved, last]);
  const showStored = useCallback(() => {
    // What has just been saved may not have been drawn yet.
    const stored = store.get(viewsAtom(table.name))?.find(({ id }) => id === requestedId);
    if (stored) setVersion({ shown: stored, stored, table });
  }, [table, requestedId]);
  const moved = useAtom(movedViewAtom);
  const shownMove = useRef(moved);
  useEffect(() => {
    // Each move is shown once. A publication that follows waits while the user is at work, like any other.
    if (!moved || moved === shownMove.current || moved.id !== requestedId) return;
    shownMove.current = moved;
    showStored();
  }, [moved, requestedId, showStored]);
  const choose = useCallback(
    (id: string | null) => setParams((now) => withView(now, id)),
    [setParams],
  );
  const phase = requestedId === null || view ? "known" : views === null ? "waiting" : "missing";
  const changed = view === version.stored || isRemoved ? null : version.stored;
  return { views, view, changed, showStored, isAtWork, phase, choose };
}

const atRest = () => false;

/** Reports to the view whether the user is at work in the rows, for as long as the screen is there. */
export function useReportWork({ isAtWork }: CurrentView, report: () => boolean): void {
  useEffect(() => {
    isAtWork.current = report;
    return () => {
      isAtWork.current = atRest;
    };
  });
}
