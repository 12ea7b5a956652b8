import { Menu } from "@mantine/core";
import { IconCheck, IconLayoutColumns } from "@tabler/icons-react";
import { useState } from "react";
import type { Field, Table } from "../../../../shared/model/model.ts";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { gridMessages } from "../../messages/en/grid.ts";
import { richText } from "../../messages/rich-text.tsx";
import { MoreMenu } from "../../records/toolbar/more-menu.tsx";
import { OtherPlaceItem } from "../../records/toolbar/table-or-board.tsx";
import { ToolBar } from "../../records/toolbar/tool-bar.tsx";
import { ToolButton } from "../../records/toolbar/tool-button.tsx";
import classes from "../../records/toolbar/toolbar.module.css";
import { UndoButtons } from "../../records/toolbar/undo-buttons.tsx";
import type { CurrentView } from "../../records/views/use-current-view.ts";
import type { ShownViewState } from "../../records/views/use-shown-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { AddButton } from "../../ui/add-button.tsx";
import { type Grouping, groupName } from "./grouping.ts";

interface Props extends ShownViewState {
  table: Table;
  current: CurrentView;
  grouping: Grouping;
  /** Begins a record; null for a user without the right. */
  onNew: (() => void) | null;
}

/** The tools above the columns of the board. */
export function BoardBar({ table, current, grouping, onNew, ...view }: Props) {
  const { shown, setShown, clearShown } = view;
  const { undo } = pageCore();
  const [filtering, setFiltering] = useState(false);
  const { filter, sort, search, group } = shown;
  const saved = current.view?.group ?? null;
  return (
    <>
      <h1 className="wf-visually-hidden">{table.label}</h1>
      <ToolBar
        label={messages.toolbar()}
        table={table}
        current={current}
        settings={{ filter, sort: [...sort], group }}
        search={search}
        setShown={setShown}
        onClear={clearShown}
        fields={table.fields}
        filtering={filtering}
        onFiltering={setFiltering}
        shownAs="board"
        end={
          <>
            <UndoButtons undo={undo} table={table.name} />
            <MoreMenu
              undo={undo}
              table={table.name}
              narrow={<OtherPlaceItem table={table} shown="board" />}
            >
              <Menu.Label maw={220}>{messages.hint()}</Menu.Label>
            </MoreMenu>
            {onNew && (
              <AddButton className={classes.new ?? ""} size="xs" onClick={onNew}>
                {richText(gridMessages.new({ record: table.recordLabel }), {
                  wide: (text) => <span className={classes.wide}>{text}</span>,
                })}
              </AddButton>
            )}
          </>
        }
      >
        <GroupMenu
          fields={boardFields(table)}
          current={grouping.field}
          onGroup={(field) => setShown({ group: groupName(table, field, saved) })}
        />
      </ToolBar>
    </>
  );
}

interface GroupMenuProps {
  /** The fields by which the board can be grouped. */
  fields: readonly Field[];
  current: Field;
  onGroup(field: Field): void;
}

/** Chooses the field by which the board is grouped. Hidden if there is only one. */
function GroupMenu({ fields, current, onGroup }: GroupMenuProps) {
  if (fields.length < 2) return null;
  return (
    <Menu position="bottom-start" width={220} returnFocus>
      <Menu.Target>
        <ToolButton
          icon={IconLayoutColumns}
          label={messages.by({ field: current.label })}
          aria-label={messages.groupByField({ field: current.label })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{messages.groupBy()}</Menu.Label>
        {fields.map((field) => (
          <Menu.Item
            key={field.name}
            aria-current={field === current || undefined}
            rightSection={field === current && <IconCheck size={16} aria-hidden="true" />}
            onClick={() => onGroup(field)}
          >
            {field.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
