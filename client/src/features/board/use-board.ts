import { useEffect, useState, useSyncExternalStore } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { type BoardColumn, BoardModel } from "./board-model.ts";

const nothing: readonly BoardColumn[] = [];
const noColumns = () => nothing;
const noChange = () => () => {};

/** Follows a table as a board for as long as the screen stands. */
export function useBoard(table: Table): {
  model: BoardModel | null;
  columns: readonly BoardColumn[];
} {
  const [model, setModel] = useState<BoardModel | null>(null);
  useEffect(() => {
    const governed = governedBy(table);
    if (!governed) return;
    const { stateField, workflow } = governed;
    const states = workflow.states.map(({ value }) => value);
    const session = pageCore().openTable(table.name);
    const made = new BoardModel(session, { stateField, states, sort: table.sort });
    setModel(made);
    return () => {
      setModel(null);
      made.close();
    };
  }, [table]);
  const columns = useSyncExternalStore(model?.subscribe ?? noChange, model?.columns ?? noColumns);
  return { model, columns };
}
