import { Button, Table } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { uiMessages as messages } from "../messages/en/ui.ts";
import classes from "./resource-list.module.css";

/** How many more rows a click shows: long lists make the page slow. */
const ROWS_STEP = 100;

export interface Column<T> {
  name: string;
  cell: (item: T) => ReactNode;
  /** Hidden on narrow screens, where a `narrowPart` of another column may show it. */
  wide?: boolean;
  /** Its cells hold numbers. */
  number?: boolean;
}

interface Props<T> {
  label: string;
  items: readonly T[];
  columns: readonly Column<T>[];
  /** What can be done with an item; undefined: nothing. */
  actions?: (item: T) => ReactNode;
  keyOf: (item: T, index: number) => string;
  /** The class of the row of an item. */
  rowClass?: (item: T) => string | undefined;
  className?: string | undefined;
}

/** A list of what an admin manages: one item in a row, a column for each fact, and its actions at the end. */
export function ResourceList<T>(props: Props<T>) {
  const { label, items, columns, actions, keyOf, rowClass, className = "" } = props;
  const [shown, setShown] = useState(ROWS_STEP);
  return (
    <>
      <section className={`${classes.frame} ${className}`} aria-label={label}>
        <Table
          verticalSpacing="sm"
          horizontalSpacing="lg"
          highlightOnHover
          borderColor="var(--wf-line)"
        >
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.name} className={classOf(column)}>
                  {column.name}
                </Table.Th>
              ))}
              {actions && (
                <Table.Th>
                  <span className="wf-visually-hidden">{messages.actions()}</span>
                </Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {items.slice(0, shown).map((item, index) => (
              <Table.Tr
                key={keyOf(item, index)}
                data-item={keyOf(item, index)}
                className={rowClass?.(item)}
              >
                {columns.map((column) => (
                  <Table.Td key={column.name} className={classOf(column)}>
                    {column.cell(item)}
                  </Table.Td>
                ))}
                {actions && <Table.Td ta="end">{actions(item)}</Table.Td>}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {items.length > shown && (
        <Button variant="subtle" mt="md" onClick={() => setShown(shown + ROWS_STEP)}>
          {messages.showMore({ count: items.length - shown })}
        </Button>
      )}
    </>
  );
}

function classOf({ wide, number }: Column<never>): string | undefined {
  return [wide && classes.wide, number && classes.number].filter(Boolean).join(" ") || undefined;
}

/** The class of what is shown in place of wide columns where they are hidden. */
export const narrowPart = classes.narrow;
