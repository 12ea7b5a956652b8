import { IconLayoutKanban, IconTable } from "@tabler/icons-react";
import { Link, useSearchParams } from "wouter";
import type { Table } from "../../../../shared/model/model.ts";
import { boardFields } from "../../../../shared/model/view/board-fields.ts";
import { tableAddress } from "../../../../shared/record-address.ts";
import { viewMessages as messages } from "../../messages/en/views.ts";
import { boardAddress } from "../record-address.ts";
import { searchOfView } from "../views/view-address.ts";
import classes from "./toolbar.module.css";

interface Props {
  table: Table;
  shown: "table" | "board";
}

/** Goes from the rows of a table to its board and back, in the same view. Absent for a table without a field for columns. */
export function TableOrBoard({ table, shown }: Props) {
  const [params] = useSearchParams();
  if (boardFields(table).length === 0) return null;
  const query = searchOfView(params);
  const places = [
    { name: "table", label: messages.asTable(), Icon: IconTable, to: tableAddress(table.name) },
    {
      name: "board",
      label: messages.asBoard(),
      Icon: IconLayoutKanban,
      to: boardAddress(table.name),
    },
  ];
  return (
    <span className={classes.switch}>
      {places.map(({ name, label, Icon, to }) => (
        <Link
          key={name}
          href={`${to}${query}`}
          className={classes.place}
          aria-current={name === shown ? "page" : undefined}
          title={label}
        >
          <Icon size={16} aria-hidden="true" />
          <span className={classes.wide}>{label}</span>
        </Link>
      ))}
    </span>
  );
}
