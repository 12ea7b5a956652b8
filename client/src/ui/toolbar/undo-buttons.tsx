import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowBackUp, IconArrowForwardUp } from "@tabler/icons-react";
import type { PrimitiveAtom } from "../../state/atom-store.ts";
import { useAtom } from "../../state/use-atom.ts";
import { takeStep, type UndoSteps } from "../undo.ts";
import classes from "./toolbar.module.css";

interface Props {
  undo: UndoSteps & { stateAtom: PrimitiveAtom<{ canUndo: boolean; canRedo: boolean }> };
}

/** One step back, and forth again. */
export function UndoButtons({ undo }: Props) {
  const { canUndo, canRedo } = useAtom(undo.stateAtom);
  return (
    <span className={classes.pair}>
      <Tooltip label="Undo (Ctrl Z)">
        <ActionIcon
          aria-label="Undo"
          disabled={!canUndo}
          onClick={() => void takeStep(undo, "undo")}
        >
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Ctrl Shift Z)">
        <ActionIcon
          aria-label="Redo"
          disabled={!canRedo}
          onClick={() => void takeStep(undo, "redo")}
        >
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
