import { Button } from "@mantine/core";
import { IconLayoutKanban } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { useAbilities, useTable } from "../../state/use-account.ts";
import { Notice } from "../../ui/notice.tsx";
import { useStable } from "../../ui/use-stable.ts";
import { useTitle } from "../../ui/use-title.ts";
import { BoardView } from "./board-view.tsx";
import "../../ui/fields/marks.css";
import { tableAddress } from "../../ui/record-address.ts";

interface Props {
  table: string;
  /** The panel of the record in the address, if there is one. */
  panel: ReactNode;
}

/** A table as cards by what has options; a table without any has no board. */
export function BoardScreen({ table: name, panel }: Props) {
  const table = useStable(useTable(name));
  const abilities = useStable(useAbilities().tables[name]);
  useTitle(table && `${table.label} board`);
  if (table && abilities?.read && boardFields(table).length > 0) {
    return <BoardView table={table} abilities={abilities} panel={panel} />;
  }
  return (
    <Notice
      icon={<IconLayoutKanban size={28} stroke={1.5} />}
      title="There is no board here"
      text={
        table
          ? `No field of ${table.label} has options to put cards under.`
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
