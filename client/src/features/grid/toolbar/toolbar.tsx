import { ActionIcon, Button, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconLayoutKanban,
  IconPlus,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useAtom } from "../../../state/use-atom.ts";
import type { UndoStack } from "../../../sync/edits/undo-stack.ts";
import { SearchBox } from "./search-box.tsx";
import classes from "./toolbar.module.css";

interface Props {
  /** Which view is shown, and the others. */
  views: ReactNode;
  recordLabel: string;
  search: string;
  onSearch(text: string): void;
  canCreate: boolean;
  onInsert(): void;
  /** Where the same records stand as cards, if they have states. */
  board: string | null;
  undo: UndoStack | undefined;
  onUndo(direction: "undo" | "redo"): void;
  /** Filter and columns. */
  children: ReactNode;
}

/** What can be done with the table as a whole, above its rows. */
export function Toolbar(props: Props) {
  return (
    <div className={classes.bar} role="toolbar" aria-label="Table">
      {props.views}
      <SearchBox value={props.search} onChange={props.onSearch} />
      {props.children}
      <span className={classes.space} />
      {props.board && (
        <Button
          component={Link}
          href={props.board}
          className={classes.iconic ?? ""}
          variant="default"
          size="xs"
          aria-label="Board"
          leftSection={<IconLayoutKanban size={16} aria-hidden="true" />}
        >
          <span className={classes.wide}>Board</span>
        </Button>
      )}
      {props.undo && <UndoButtons undo={props.undo} onUndo={props.onUndo} />}
      {props.canCreate && (
        <Button
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          size="xs"
          onClick={props.onInsert}
        >
          New<span className={classes.wide}>&nbsp;{props.recordLabel}</span>
        </Button>
      )}
    </div>
  );
}

function UndoButtons({ undo, onUndo }: { undo: UndoStack; onUndo: Props["onUndo"] }) {
  const { canUndo, canRedo } = useAtom(undo.stateAtom);
  return (
    <span className={classes.pair}>
      <Tooltip label="Undo (Ctrl Z)">
        <ActionIcon aria-label="Undo" disabled={!canUndo} onClick={() => onUndo("undo")}>
          <IconArrowBackUp size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label="Redo (Ctrl Shift Z)">
        <ActionIcon aria-label="Redo" disabled={!canRedo} onClick={() => onUndo("redo")}>
          <IconArrowForwardUp size={18} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}
