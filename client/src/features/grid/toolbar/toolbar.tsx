import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconFileImport, IconLayoutKanban, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { gridMessages as messages } from "../../../messages/en/grid.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { type ExportFile, ExportMenu } from "../../../records/export-menu.tsx";
import { SearchBox } from "../../../records/toolbar/search-box.tsx";
import { ToolBar } from "../../../records/toolbar/tool-bar.tsx";
import classes from "../../../records/toolbar/toolbar.module.css";
import { UndoButtons } from "../../../records/toolbar/undo-buttons.tsx";
import type { UndoStack } from "../../../sync/edits/undo-stack.ts";
import { AddButton } from "../../../ui/add-button.tsx";

interface Props {
  /** The menu of views. */
  views: ReactNode;
  table: string;
  recordLabel: string;
  search: string;
  onSearch(text: string): void;
  /** The menu of the filter. */
  filter: ReactNode;
  canCreate: boolean;
  onInsert(): void;
  /** The address for importing a file, if the user may. */
  importing: string | null;
  /** The files of the records, if the user may export them. */
  exporting: ExportFile[] | null;
  /** The address of the board of the same records, if there is one. */
  board: string | null;
  /** The address of the records that were deleted, if the user may see them. */
  deleted: string | null;
  undo: UndoStack | undefined;
  /** The other tools of the view, such as sort order and columns. */
  children: ReactNode;
}

/** The tools above the rows of a table. */
export function Toolbar(props: Props) {
  return (
    <ToolBar
      label={messages.toolbar()}
      many
      main={
        <>
          {props.views}
          <SearchBox value={props.search} onChange={props.onSearch} />
          {props.filter}
        </>
      }
    >
      {props.children}
      <span className={classes.space} />
      {props.board && (
        <Button
          component={Link}
          href={props.board}
          className={classes.iconic ?? ""}
          variant="default"
          size="xs"
          aria-label={messages.board()}
          leftSection={<IconLayoutKanban size={16} aria-hidden="true" />}
        >
          <span className={classes.wide}>{messages.board()}</span>
        </Button>
      )}
      {props.importing && (
        <Button
          component={Link}
          href={props.importing}
          className={classes.iconic ?? ""}
          variant="default"
          size="xs"
          aria-label={messages.import()}
          leftSection={<IconFileImport size={16} aria-hidden="true" />}
        >
          <span className={classes.wide}>{messages.import()}</span>
        </Button>
      )}
      {props.exporting && <ExportMenu files={props.exporting} inToolbar />}
      {props.undo && <UndoButtons undo={props.undo} table={props.table} />}
      {props.deleted && (
        <Tooltip label={messages.recentlyDeleted()}>
          <ActionIcon
            component={Link}
            href={props.deleted}
            aria-label={messages.recentlyDeleted()}
            size={30}
          >
            <IconTrash size={18} stroke={1.7} aria-hidden="true" />
          </ActionIcon>
        </Tooltip>
      )}
      {props.canCreate && (
        <AddButton className={classes.new ?? ""} size="xs" onClick={props.onInsert}>
          {richText(messages.new({ record: props.recordLabel }), {
            wide: (text) => <span className={classes.wide}>{text}</span>,
          })}
        </AddButton>
      )}
    </ToolBar>
  );
}
