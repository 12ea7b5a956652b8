import { Button } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { type ReactNode, useCallback, useEffect, useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";
import { type Field, findField, type Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { movesOf } from "../../../../shared/policy/possible-transitions.ts";
import { useMover } from "../../state/use-mover.ts";
import { usePresence } from "../../state/use-presence.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { runMove } from "../../sync/page/run-move.ts";
import { useArrivals } from "../../ui/fields/use-arrivals.ts";
import { useMoves } from "../../ui/moves/use-moves.tsx";
import { tableAddress } from "../../ui/record-address.ts";
import { toastFailure } from "../../ui/toast.tsx";
import classes from "./board.module.css";
import type { BoardActions } from "./board-actions.ts";
import { BoardColumnView } from "./board-column.tsx";
import { cardFields } from "./card-fields.ts";
import { CardMoves, type OpenMoves } from "./card-moves.tsx";
import { type Dragged, dropOn } from "./drop-on.ts";
import { moveFocus } from "./move-focus.ts";
import { useBoard } from "./use-board.ts";

interface Props {
  table: Table;
  abilities: TableAbilities;
  panel: ReactNode;
}

const REFUSED_MS = 500;

/** The board: a column for each state, live; a card is moved by dragging it or by its menu. */
export function BoardView({ table, abilities, panel }: Props) {
  const { model, columns } = useBoard(table);
  const [dragged, setDragged] = useState<Dragged | null>(null);
  const [menu, setMenu] = useState<OpenMoves | null>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [params, setParams] = useSearchParams();
  const mover = useMover(table.name);
  const people = usePresence([table.name]);
  const labels = pageLabels();
  useArrivals(labels);
  const shake = useCallback((record: string) => {
    setRefused(record);
    setTimeout(() => setRefused(null), REFUSED_MS);
  }, []);
  const moves = useMoves({ table, lookUp: labels, run: runMove, onRefused: shake });
  const stateField = findField(table, table.stateField ?? "") as Field;
  const fields = useMemo(() => cardFields(table, abilities.fields), [table, abilities]);
  const open = params.get("record");
  useEffect(() => {
    if (!open) pageCore().presence.set(table.name, { mode: "viewing" });
    return () => pageCore().presence.leave(table.name);
  }, [table.name, open]);
  const actions: BoardActions = {
    onOpen: (record) => setParams({ record }),
    onMenu: (record, element) => setMenu({ record, element }),
    onFocus: (record) => !open && pageCore().presence.set(table.name, { record, mode: "viewing" }),
    onDrag: (record) => {
      const view = record === null ? undefined : model?.get(record);
      setDragged(view ? { view, moves: movesOf(table, view, mover) } : null);
    },
    onDrop: (state) => {
      if (!dragged) return;
      setDragged(null);
      const drop = dropOn(dragged, state, table);
      if (drop.kind === "run") moves.begin(dragged.view, drop.moves);
      if (drop.kind !== "refused") return;
      toastFailure(drop.why);
      shake(dragged.view.id);
    },
    onMore: (state) => model?.showMore(state),
  };
  return (
    <div className={classes.screen}>
      <div className={classes.main}>
        <div className={classes.bar} role="toolbar" aria-label="Board">
          <h1 className={classes.title}>{table.label}</h1>
          <span className={classes.hint}>Drag a card to move it, or press M on it.</span>
          <Button
            component={Link}
            href={tableAddress(table.name)}
            variant="default"
            size="xs"
            leftSection={<IconTable size={16} aria-hidden="true" />}
          >
            Table
          </Button>
        </div>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the arrow keys of the cards in it. */}
        <div className={classes.board} onKeyDown={moveFocus}>
          {columns.map((column) => (
            <BoardColumnView
              key={column.state}
              column={column}
              table={table}
              stateField={stateField}
              fields={fields}
              labels={labels}
              people={people}
              opened={open}
              refused={refused}
              drop={dragged && dropOn(dragged, column.state, table)}
              flashedBy={(record) => model?.flashedBy(record)}
              actions={actions}
            />
          ))}
        </div>
      </div>
      {panel}
      <CardMoves
        table={table}
        field={stateField}
        open={menu}
        view={menu ? model?.get(menu.record) : undefined}
        mover={mover}
        onPick={(view, move) => moves.begin(view, [move])}
        onClose={() => setMenu(null)}
      />
      {moves.dialog}
    </div>
  );
}
