import { useCallback, useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { useAtom } from "../../state/use-atom.ts";
import { viewsAtom } from "../../state/views-state.ts";
import type { ViewDoor } from "./view-door.ts";

/** The view in the address, as `view`; what one has changed on top of it stands beside it. */
const VIEW = "view";

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
 * The view of a table that the address asks for, live. One that goes away under one's hands is told to
 * `onGone`, as it last was.
 */
export function useCurrentView(
  door: ViewDoor,
  table: string,
  onGone: (view: ViewInfo) => void,
): CurrentView {
  const [params, setParams] = useSearchParams();
  const views = useAtom(viewsAtom(table));
  useEffect(() => door.follow(table), [door, table]);
  const wanted = params.get(VIEW);
  const found = views?.find(({ id }) => id === wanted) ?? null;
  const last = useRef<ViewInfo | null>(null);
  const isGone = wanted !== null && views !== null && !found && last.current?.id === wanted;
  const view = isGone ? last.current : found;
  const latest = useRef(onGone);
  latest.current = onGone;
  useEffect(() => {
    if (isGone && last.current) latest.current(last.current);
    else last.current = found;
  }, [isGone, found]);
  const choose = useCallback(
    (id: string | null) => setParams(id === null ? {} : { [VIEW]: id }),
    [setParams],
  );
  const phase = wanted === null || view ? "known" : views === null ? "waiting" : "missing";
  return { door, views, view, phase, choose };
}
