import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import { canGroup, canGroupRows } from "../../../../shared/model/view/view.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import {
  readView,
  type ShownView,
  tableSettings,
  type ViewDefaults,
  writeView,
} from "./view-address.ts";
import type { ViewPart } from "./view-edits.ts";

export interface ShownViewState {
  /** What is on the screen: the saved view, and what was changed on top of it. */
  shown: ShownView;
  setShown(next: Partial<ShownView>): void;
  /** All as the saved view has it, or only some parts. */
  clearShown(parts?: readonly ViewPart[]): void;
}

/** The settings of a screen: the view, overridden by the address. Changes are written to the address. */
export function useShownView(table: Table, view: ViewInfo | null): ShownViewState {
  const [params, setParams] = useSearchParams();
  const defaults: ViewDefaults = useMemo(() => view ?? tableSettings(table), [view, table]);
  const shown = useMemo(() => {
    const read = readView(params, defaults);
    const isKnown = read.group === null || canGroup(table, read.group);
    const isGroupable = read.grouping === null || canGroupRows(table, read.grouping);
    const version = view?.orderVersion;
    return {
      ...read,
      ...(view && version && read.sort.length === 0 && { orderOf: { view: view.id, version } }),
      ...(!isKnown && { group: defaults.group }),
      ...(!isGroupable && { grouping: null }),
    };
  }, [params, defaults, table, view]);
  const setShown = useCallback(
    (next: Partial<ShownView>) =>
      setParams((now) => writeView(now, { ...readView(now, defaults), ...next }, defaults), {
        replace: true,
      }),
    [setParams, defaults],
  );
  const clearShown = useCallback(
    (parts?: readonly ViewPart[]) => {
      const { filter, sort, group, grouping = null, appearance = {} } = defaults;
      const saved = Object.entries({ filter, sort, group, grouping, appearance });
      const cleared = saved.filter(([part]) => parts?.some((one) => one === part) ?? true);
      setShown(Object.fromEntries(cleared));
    },
    [setShown, defaults],
  );
  return { shown, setShown, clearShown };
}
