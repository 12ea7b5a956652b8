import { Box } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { MissingView } from "../../records/views/missing-view.tsx";
import { type CurrentView, useCurrentView } from "../../records/views/use-current-view.ts";
import { useShownView } from "../../records/views/use-shown-view.ts";
import classes from "./board.module.css";
import { BoardBar } from "./board-bar.tsx";
import { BoardColumns } from "./board-columns.tsx";
import { groupingOf } from "./grouping.ts";

interface Props {
  table: Table;
  abilities: TableAbilities;
  panel: ReactNode;
}

/** The board of a table with the view in the address. */
export function BoardView({ panel, ...props }: Props) {
  const current = useCurrentView(props.table);
  return (
    <Box display="flex" h="100%" mih={0}>
      <div className={classes.main}>
        {current.phase === "known" && <ShownBoard {...props} current={current} />}
        {current.phase === "missing" && <MissingView label={props.table.label} current={current} />}
      </div>
      {panel}
    </Box>
  );
}

/** Uses the table's own grouping if the view's is no longer possible. */
function ShownBoard(props: Omit<Props, "panel"> & { current: CurrentView }) {
  const { table, abilities, current } = props;
  const state = useShownView(table, current.view);
  const { group, ...query } = state.shown;
  const grouping = useMemo(() => groupingOf(table, group), [table, group]);
  if (!grouping) return null;
  return (
    <>
      <BoardBar {...state} table={table} current={current} grouping={grouping} />
      <BoardColumns
        key={grouping.field.name}
        rules={{ table, abilities, grouping }}
        view={query}
        saved={current.view}
        onClear={() => state.setShown({ filter: null, sort: table.sort, search: "" })}
      />
    </>
  );
}
