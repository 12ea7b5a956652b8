import { Button } from "@mantine/core";
import { IconLayoutKanban } from "@tabler/icons-react";
import { type ReactNode, useMemo } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { useAbilities, useTable } from "../../state/use-account.ts";
import { Notice } from "../../ui/notice.tsx";
import { useStable } from "../../ui/use-stable.ts";
import { useTitle } from "../../ui/use-title.ts";
import "../../records/fields/marks.css";
import type { Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { searchWithRecord } from "../../records/record-address.ts";
import type { CurrentView } from "../../records/views/use-current-view.ts";
import { useShownView } from "../../records/views/use-shown-view.ts";
import { ViewAndPanel } from "../../records/views/view-and-panel.tsx";
import { valuesForNew } from "../../sync/page/new-values.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { BoardBar } from "./board-bar.tsx";
import { BoardColumns } from "./board-columns.tsx";
import { groupingOf } from "./grouping.ts";

interface Props {
  table: string;
  /** The panel of the record in the address, if there is one. */
  panel: ReactNode;
}

/** A table as cards grouped by a field with options. A table without such a field has no board. */
export function BoardScreen({ table: name, panel }: Props) {
  const table = useStable(useTable(name));
  const abilities = useStable(useAbilities().tables[name]);
  useTitle(table && messages.title({ table: table.label }));
  if (table && abilities?.read && boardFields(table).length > 0) {
    return (
      <ViewAndPanel table={table} panel={panel}>
        {(current) => <ShownBoard table={table} abilities={abilities} current={current} />}
      </ViewAndPanel>
    );
  }
  return (
    <Notice
      icon={IconLayoutKanban}
      title={messages.noBoard()}
      text={table ? messages.noBoardText({ table: table.label }) : messages.noTable()}
    >
      {table && (
        <Button component={Link} href={tableAddress(name)} variant="light">
          {messages.openTable()}
        </Button>
      )}
    </Notice>
  );
}

interface ShownProps {
  table: Table;
  abilities: TableAbilities;
  current: CurrentView;
}

/** Uses the table's own grouping if the view's is no longer possible. */
function ShownBoard({ table, abilities, current }: ShownProps) {
  const state = useShownView(table, current.view);
  const { group, ...query } = state.shown;
  const grouping = useMemo(() => groupingOf(table, group), [table, group]);
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  if (!grouping) return null;
  const begin = () => {
    const values = valuesForNew(table, abilities, query.filter, query.zone);
    navigate(searchWithRecord(params, pageCore().edits.draft(table.name, values)));
  };
  return (
    <>
      <BoardBar
        {...state}
        table={table}
        current={current}
        grouping={grouping}
        onNew={abilities.create ? begin : null}
      />
      <BoardColumns
        key={grouping.field.name}
        rules={{ table, abilities, grouping }}
        view={query}
        current={current}
        onClear={() => state.setShown({ filter: null, sort: table.sort, search: "" })}
      />
    </>
  );
}
