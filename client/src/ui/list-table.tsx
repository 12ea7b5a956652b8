import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./list-table.module.css";

interface Props {
  label: string;
  /** The names of the columns; those of `wideColumns` are there only where there is room. */
  columns: readonly string[];
  wideColumns?: readonly string[];
  className?: string | undefined;
  /** The rows, each with a cell for its actions at the end. */
  children: ReactNode;
}

/** The table of a screen that lists things, one a row, each with its actions. */
export function ListTable({ label, columns, wideColumns = [], className = "", children }: Props) {
  return (
    <section className={`${classes.frame} ${className}`} aria-label={label}>
      <Table
        verticalSpacing="sm"
        horizontalSpacing="lg"
        highlightOnHover
        borderColor="var(--wf-line)"
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((name) => (
              <Table.Th key={name}>{name}</Table.Th>
            ))}
            {wideColumns.map((name) => (
              <Table.Th key={name} className={wideCell}>
                {name}
              </Table.Th>
            ))}
            <Table.Th>
              <span className="wf-visually-hidden">Actions</span>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </section>
  );
}

/** The class of a cell of a wide column. */
export const wideCell = classes.wide;
