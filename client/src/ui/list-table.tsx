import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import { uiMessages as messages } from "../messages/en/ui.ts";
import classes from "./list-table.module.css";

interface Props {
  label: string;
  /** The names of the columns. `wideColumns` are hidden on narrow screens. */
  columns: readonly string[];
  wideColumns?: readonly string[];
  /** Those of them that hold numbers; their cells have `numberCell`. */
  numberColumns?: readonly string[];
  className?: string | undefined;
  /** False: nothing can be done with the items. */
  hasActions?: boolean;
  /** The rows, each with a cell for its actions at the end. */
  children: ReactNode;
}

/** A table with one item in a row and its actions at the end. */
export function ListTable(props: Props) {
  const { label, columns, wideColumns = [], numberColumns = [], children } = props;
  const { className = "", hasActions = true } = props;
  const numberClass = (name: string) => (numberColumns.includes(name) ? numberCell : "");
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
              <Table.Th key={name} className={numberClass(name)}>
                {name}
              </Table.Th>
            ))}
            {wideColumns.map((name) => (
              <Table.Th key={name} className={`${wideCell} ${numberClass(name)}`}>
                {name}
              </Table.Th>
            ))}
            {hasActions && (
              <Table.Th>
                <span className="wf-visually-hidden">{messages.actions()}</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </section>
  );
}

/** The class of a cell of a wide column. */
export const wideCell = classes.wide;
/** The class of what is shown in place of wide columns where they are hidden. */
export const narrowPart = classes.narrow;
/** The class of a cell with a number. */
export const numberCell = classes.number;
