import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import type { CreateViewCall, PatchViewCall, ViewInfo } from "../../../../shared/protocol/views.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { useAtom } from "../../state/use-atom.ts";
import { viewsAtom } from "../../state/views-state.ts";
import { toast } from "../toast.tsx";
import { useLatest } from "../use-latest.ts";
import { withoutView, withView } from "./view-address.ts";

export interface CurrentView {
  api: ViewApi;
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
  const onRemoved = useLatest((removed: ViewInfo) => {
    setParams((now) => withoutView(now, removed, table), { replace: true });
    toast(messages.removed({ name: removed.name }));
  });
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

/** What the screens' views ask of the core. Each call throws what is refused. */
interface ViewApi {
  /** Keeps the views of a table known, in `viewsAtom`, until the returned function is called. */
  follow(table: string): () => void;
  create(call: CreateViewCall): Promise<ViewInfo>;
  change(id: string, call: PatchViewCall): Promise<ViewInfo>;
  remove(view: ViewInfo): Promise<void>;
  /** Brings a view back that was removed a moment ago. */
  restore(id: string): Promise<ViewInfo>;
}
