import { useCallback, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { useAtom } from "../../state/use-atom.ts";
import { viewsAtom } from "../../state/views-state.ts";
import { toast } from "../../ui/toast.tsx";
import { useLatest } from "../../ui/use-latest.ts";
import { withoutView, withView } from "./view-address.ts";
import { followViews } from "./view-calls.ts";

export interface CurrentView {
  /** The available views; null until they are loaded. */
  views: readonly ViewInfo[] | null;
  /** The chosen view; null for the plain table. */
  view: ViewInfo | null;
  /** `waiting`: the requested view is loading. `missing`: it does not exist, or the user may not read it. */
  phase: "known" | "waiting" | "missing";
  /** Shows a view or the plain table, without changes. */
  choose(view: string | null): void;
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
  const [last, setLast] = useState<ViewInfo | null>(null);
  const isRemoved = views !== null && !found && last !== null && last.id === requestedId;
  if (!isRemoved && last !== found) setLast(found);
  const view = isRemoved ? last : found;
  const onRemoved = useLatest((removed: ViewInfo) => {
    setParams((now) => withoutView(now, removed, table), { replace: true });
    toast(messages.removed({ name: removed.name }));
  });
  useEffect(() => {
    if (isRemoved) onRemoved.current(last);
  }, [isRemoved, last]);
  const choose = useCallback(
    (id: string | null) => setParams((now) => withView(now, id)),
    [setParams],
  );
  const phase = requestedId === null || view ? "known" : views === null ? "waiting" : "missing";
  return { views, view, phase, choose };
}
