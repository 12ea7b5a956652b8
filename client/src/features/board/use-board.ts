import { useEffect, useState, useSyncExternalStore } from "react";
import { setFrontRecords } from "../../sync/page/front-window.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import type { ViewQuery } from "../../sync/window/record-window.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { useStable } from "../../ui/use-stable.ts";
import { type BoardColumn, BoardModel } from "./board-model.ts";
import type { Grouping } from "./grouping.ts";

const nothing: readonly BoardColumn[] = [];
const noColumns = () => nothing;
const noChange = () => () => {};

/** Follows a table as a board while the screen is mounted. */
export function useBoard(
  table: string,
  grouping: Grouping,
  view: ViewQuery,
): {
  model: BoardModel | null;
  columns: readonly BoardColumn[];
} {
  const [model, setModel] = useState<BoardModel | null>(null);
  const by = useStable(grouping);
  const latest = useLatest(view);
  useEffect(() => {
    const made = new BoardModel(pageCore().openTable(table), table, by, latest.current);
    setModel(made);
    const records = () => made.columns().flatMap(({ cards }) => cards.map(({ id }) => id));
    const leave = setFrontRecords(table, records, made.subscribe);
    return () => {
      leave();
      setModel(null);
      made.close();
    };
  }, [table, by]);
  useEffect(() => model?.setView(view), [model, view]);
  const columns = useSyncExternalStore(model?.subscribe ?? noChange, model?.columns ?? noColumns);
  return { model, columns };
}
