import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { useAtom } from "../../state/use-atom.ts";
import { viewsAtom } from "../../state/views-state.ts";
import { toast } from "../toast.tsx";
import { keepView, withView } from "./view-address.ts";
import type { ViewDoor } from "./view-door.ts";

export interface CurrentView {
  door: ViewDoor;
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
export function useCurrentView(door: ViewDoor, table: Table): CurrentView {
  const [params, setParams] = useSearchParams();
  const views = useAtom(viewsAtom(table.name));
  useEffect(() => door.follow(table.name), [door, table.name]);
  const wanted = params.get("view");
  const found = views?.find(({ id }) => id === wanted) ?? null;
  const last = useRef<ViewInfo | null>(null);
  const isGone = wanted !== null && views !== null && !found && last.current?.id === wanted;
  const view = isGone ? last.current : found;
  const leave = useRef((_gone: ViewInfo) => {});
  leave.current = (gone) => {
    setParams((now) => keepView(now, gone, table), { replace: true });
    toast(`The view “${gone.name}” is no longer there. What it showed stays until you leave.`);
  };
  useEffect(() => {
    if (isGone && last.current) leave.current(last.current);
    else last.current = found;
  }, [isGone, found]);
  const choose = useCallback(
    (id: string | null) => setParams((now) => withView(now, id)),
    [setParams],
  );
  const phase = wanted === null || view ? "known" : views === null ? "waiting" : "missing";
  return { door, views, view, phase, choose };
}
