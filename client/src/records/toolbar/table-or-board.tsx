import { Menu } from "@mantine/core";
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

/** The rows of a table and its board, in the same view. None for a table without a field for columns. */
function usePlaces(table: Table) {
  const [params] = useSearchParams();
  if (boardFields(table).length === 0) return [];
  const query = searchOfView(params);
  const [toTable, toBoard] = [tableAddress(table.name), boardAddress(table.name)];
  return [
    { name: "table", label: messages.asTable(), Icon: IconTable, to: `${toTable}${query}` },
    { name: "board", label: messages.asBoard(), Icon: IconLayoutKanban, to: `${toBoard}${query}` },
  ];
}

/** Goes from the rows of a table to its board and back. */
export function TableOrBoard({ table, shown }: Props) {
  const places = usePlaces(table);
  if (places.length === 0) return null;
  return (
    <span className={classes.switch}>
      {places.map(({ name, label, Icon, to }) => (
        <Link
          key={name}
          href={to}
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

/** The same in the menu of rarer tools, where the bar has no place for it. */
export function OtherPlaceItem({ table, shown }: Props) {
  const other = usePlaces(table).find(({ name }) => name !== shown);
  if (!other) return null;
  const { label, Icon, to } = other;
  return (
    <Menu.Item component={Link} href={to} leftSection={<Icon size={16} />}>
      {label}
    </Menu.Item>
  );
}
