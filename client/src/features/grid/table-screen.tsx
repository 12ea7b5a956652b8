import { Button } from "@mantine/core";
import { IconLock, IconTable } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { gridMessages as messages } from "../../messages/en/grid.ts";
import { notFoundMessages } from "../../messages/en/not-found.ts";
import { useAbilities, useMe, useTable } from "../../state/use-account.ts";
import { useRecordTitle } from "../../state/use-record-title.ts";
import { Notice } from "../../ui/notice.tsx";
import { useStable } from "../../ui/use-stable.ts";
import { useTitle } from "../../ui/use-title.ts";
import { TableView } from "./table-view.tsx";
import "../../records/fields/marks.css";
import "./grid.css";

interface Props {
  table: string;
  record: string | undefined;
  /** The panel of the record in the address; the grid shrinks beside it. */
  panel: ReactNode;
}

/** A table, and the panel of the record that the address names. */
export function TableScreen({ table, record, panel }: Props) {
  const found = useStable(useTable(table));
  const { roleName } = useMe();
  const { rights, tables } = useAbilities();
  const abilities = useStable(tables[table]);
  const title = useRecordTitle(found, record);
  // Its id says nothing to anybody, and is read aloud.
  useTitle(title ?? undefined, found?.label);
  if (!found) {
    return (
      <Notice
        icon={IconTable}
        title={messages.noTable()}
        text={
          rights.includes("model")
            ? messages.noSuchTable({ table })
            : messages.noTableText({ role: roleName })
        }
      >
        <Button component={Link} href="/" variant="default">
          {notFoundMessages.back()}
        </Button>
      </Notice>
    );
  }
  if (!abilities?.read) {
    return (
      <Notice
        icon={IconLock}
        title={messages.noAccessToTable({ table: found.label })}
        text={messages.noAccessText()}
      />
    );
  }
  return <TableView table={found} abilities={abilities} record={record} panel={panel} />;
}
