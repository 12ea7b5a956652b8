import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { useAtom } from "../../state/use-atom.ts";
import { viewsAtom } from "../../state/views-state.ts";
import { toast } from "../toast.tsx";
import { withoutView, withView } from "./view-address.ts";
import type { ViewApi } from "./view-api.ts";

export interface CurrentView {
  api: ViewApi;
  /** Those that may be chosen; null until they are known. */
  views: readonly ViewInfo[] | null;
  /** The one that is chosen; null for the table as it is. */
  view: ViewInfo | null;
  /** `waiting`: a view is asked for and not known yet; `missing`: there is none of that name for me. */
  phase: "known" | "waiting" | "missing";
  /** Shows a view, or the table as it is, without anything on top. */
  choose(view: string | null): void;
}

/**
 * The view of a table that the address asks for, live. One that goes away under one's hands leaves what it
 * showed, in the address.
 */
export function useCurrentView(api: ViewApi, table: Table): CurrentView {
  const [params, setParams] = useSearchParams();
  const views = useAtom(viewsAtom(table.name));
  useEffect(() => api.follow(table.name), [api, table.name]);
  const requestedId = params.get("view");
  const found = views?.find(({ id }) => id === requestedId) ?? null;
  const last = useRef<ViewInfo | null>(null);
  const isRemoved =
    requestedId !== null && views !== null && !found && last.current?.id === requestedId;
  const view = isRemoved ? last.current : found;
  const onRemoved = useRef((_gone: ViewInfo) => {});
  onRemoved.current = (removed) => {
    setParams((now) => withoutView(now, removed, table), { replace: true });
    toast(`The view “${removed.name}” is no longer there. What it showed stays until you leave.`);
  };
  useEffect(() => {
    if (isRemoved && last.current) onRemoved.current(last.current);
    else last.current = found;
  }, [isRemoved, found]);
  const choose = useCallback(
    (id: string | null) => setParams((now) => withView(now, id)),
    [setParams],
  );
  const phase = requestedId === null || view ? "known" : views === null ? "waiting" : "missing";
  return { api, views, view, phase, choose };
}
