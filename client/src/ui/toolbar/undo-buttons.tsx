import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import type { PrimitiveAtom } from "../../state/atom-store.ts";
import { useAtom } from "../../state/use-atom.ts";
import { runUndoStep, type UndoSteps } from "../undo.ts";
import classes from "./toolbar.module.css";

interface Props {
  undo: UndoSteps & {
    tableAtom(table: string): PrimitiveAtom<{ canUndo: boolean; canRedo: boolean }>;
  };
  table: string;
}

/** One step of the table back, and forth again. */
export function UndoButtons({ undo, table }: Props) {
  const { canUndo, canRedo } = useAtom(undo.tableAtom(table));
  return (
    <span className={classes.pair}>
      <Tooltip label="Undo (Ctrl Z)">
        <ActionIcon
          aria-label="Undo"
          disabled={!canUndo}
          onClick={() => void runUndoStep(undo, "undo", { table })}
        >
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Ctrl Shift Z)">
        <ActionIcon
          aria-label="Redo"
          disabled={!canRedo}
          onClick={() => void runUndoStep(undo, "redo", { table })}
        >
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
