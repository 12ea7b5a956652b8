import { Button } from "@mantine/core";
import { IconLayoutKanban, IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { UndoStack } from "../../../sync/edits/undo-stack.ts";
import { SearchBox } from "../../../ui/toolbar/search-box.tsx";
import classes from "../../../ui/toolbar/toolbar.module.css";
import { UndoButtons } from "../../../ui/toolbar/undo-buttons.tsx";

interface Props {
  /** Which view is shown, and the others. */
  views: ReactNode;
  table: string;
  recordLabel: string;
  search: string;
  onSearch(text: string): void;
  canCreate: boolean;
  onInsert(): void;
  /** Where the same records stand as cards, if they have a board. */
  board: string | null;
  undo: UndoStack | undefined;
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
      {props.undo && <UndoButtons undo={props.undo} table={props.table} />}
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
