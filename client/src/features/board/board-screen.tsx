import { Button } from "@mantine/core";
import { IconLayoutKanban } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { useAbilities, useTable } from "../../state/use-account.ts";
import { Notice } from "../../ui/notice.tsx";
import { useTitle } from "../../ui/use-title.ts";
import { BoardView } from "./board-view.tsx";
import "../../ui/fields/marks.css";
import { tableAddress } from "../../ui/record-address.ts";

interface Props {
  table: string;
  /** The panel of the record in the address, if there is one. */
  panel: ReactNode;
}

/** A table as cards by state; only tables with a workflow have one. */
export function BoardScreen({ table: name, panel }: Props) {
  const table = useTable(name);
  const abilities = useAbilities().tables[name];
  useTitle(table && `${table.label} board`);
  if (table && abilities?.read && governedBy(table)) {
    return <BoardView table={table} abilities={abilities} panel={panel} />;
  }
  return (
    <Notice
      icon={<IconLayoutKanban size={28} stroke={1.5} />}
      title="There is no board here"
      text={
        table
          ? `${table.label} have no workflow, so there are no states to put cards under.`
          : "There is no such table, or your role does not include it."
      }
    >
      {table && (
        <Button component={Link} href={tableAddress(name)} variant="light">
          Open the table
        </Button>
      )}
    </Notice>
  );
}
