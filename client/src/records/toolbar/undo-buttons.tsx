import { Group } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import { viewMessages as messages } from "../../messages/en/views.ts";
import type { PrimitiveAtom } from "../../state/atom-store.ts";
import { useAtom } from "../../state/use-atom.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { runUndoStep, type UndoSteps } from "../undo.ts";
import classes from "./toolbar.module.css";

export interface UndoProps {
  undo: UndoSteps & {
    tableAtom(table: string): PrimitiveAtom<{ canUndo: boolean; canRedo: boolean }>;
  };
  table: string;
}

/** Undo and redo for one table. */
export function UndoButtons({ undo, table }: UndoProps) {
  const { canUndo, canRedo } = useAtom(undo.tableAtom(table));
  return (
    <Group component="span" gap={0} wrap="nowrap" className={classes.undo ?? ""}>
      <IconButton
        size={28}
        label={messages.undo()}
        tooltip={messages.undoKeys()}
        disabled={!canUndo}
        onClick={() => void runUndoStep(undo, "undo", { table })}
      >
        <IconArrowBackUp size={18} />
      </IconButton>
      <IconButton
        size={28}
        label={messages.redo()}
        tooltip={messages.redoKeys()}
        disabled={!canRedo}
        onClick={() => void runUndoStep(undo, "redo", { table })}
      >
        <IconArrowForwardUp size={18} />
      </IconButton>
    </Group>
  );
}
