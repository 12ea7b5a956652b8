import { Button } from "@mantine/core";
import { IconLayoutKanban } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { boardMessages as messages } from "../../messages/en/board.ts";
import { useAbilities, useTable } from "../../state/use-account.ts";
import { Notice } from "../../ui/notice.tsx";
import { useStable } from "../../ui/use-stable.ts";
import { useTitle } from "../../ui/use-title.ts";
import { BoardView } from "./board-view.tsx";
import "../../records/fields/marks.css";
import { tableAddress } from "../../records/record-address.ts";

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
    return <BoardView table={table} abilities={abilities} panel={panel} />;
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
