import { Button } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { useCallback, useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { tableAddress } from "../../records/record-address.ts";
import { FilterMenu } from "../../records/toolbar/filter-menu.tsx";
import { SearchBox } from "../../records/toolbar/search-box.tsx";
import { ToolBar } from "../../records/toolbar/tool-bar.tsx";
import bar from "../../records/toolbar/toolbar.module.css";
import { UndoButtons } from "../../records/toolbar/undo-buttons.tsx";
import type { CurrentView } from "../../records/views/use-current-view.ts";
import type { ShownViewState } from "../../records/views/use-shown-view.ts";
import { searchOfView } from "../../records/views/view-address.ts";
import { ViewTools } from "../../records/views/view-tools.tsx";
import { pageCore } from "../../sync/page/page-core.ts";
import classes from "./board.module.css";
import { GroupMenu } from "./group-menu.tsx";
import { type Grouping, groupName } from "./grouping.ts";

interface Props extends ShownViewState {
  table: Table;
  current: CurrentView;
  grouping: Grouping;
}

/** The tools above the columns of the board. */
export function BoardBar({ table, current, grouping, shown, setShown, clearShown }: Props) {
  const [params] = useSearchParams();
  const [filtering, setFiltering] = useState(false);
  const { filter, sort, search, group } = shown;
  const onSearch = useCallback((text: string) => setShown({ search: text }), [setShown]);
  const saved = current.view?.group ?? null;
  const main = (
    <>
      <ViewTools
        table={table}
        current={current}
        shown={{ filter, sort: [...sort], group }}
        onClear={clearShown}
      />
      <SearchBox value={search} onChange={onSearch} />
      <FilterMenu
        fields={table.fields}
        filter={filter}
        opened={filtering}
        onOpened={setFiltering}
        onFilter={(next) => setShown({ filter: next })}
      />
    </>
  );
  return (
    <>
      <h1 className="wf-visually-hidden">{table.label}</h1>
      <ToolBar label={messages.toolbar()} main={main}>
        <GroupMenu
          fields={boardFields(table)}
          current={grouping.field}
          onGroup={(field) => setShown({ group: groupName(table, field, saved) })}
        />
        <span className={classes.hint}>{messages.hint()}</span>
        <Button
          component={Link}
          href={`${tableAddress(table.name)}${searchOfView(params)}`}
          className={bar.iconic ?? ""}
          variant="default"
          size="xs"
          leftSection={<IconTable size={16} aria-hidden="true" />}
        >
          <span className={bar.wide}>{messages.table()}</span>
        </Button>
        <UndoButtons undo={pageCore().undo} table={table.name} />
      </ToolBar>
    </>
  );
}
