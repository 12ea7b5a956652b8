import { NativeSelect, Table } from "@mantine/core";
import { importMessages as messages } from "../../messages/en/import.ts";
import { columnLabel } from "./file-format.ts";
import classes from "./file-import.module.css";

interface Props {
  /** Without a header the columns are numbered. */
  hasHeader: boolean;
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** The choice of each column. */
  chosen: readonly string[];
  choices: readonly { value: string; label: string }[];
  onChoose(index: number, value: string): void;
  /** What is chosen for a column, for screen readers. */
  labelOf?(column: string): string;
}

const SHOWN_ROWS = 5;

/** The first rows of a file, with what is done with each column in its head. */
export function ColumnTable(props: Props) {
  const { hasHeader, header, rows, chosen, choices, onChoose } = props;
  const { labelOf = (column) => messages.fieldOf({ column }) } = props;
  const labels = header.map((name, index) => columnLabel(hasHeader ? name : "", index));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className={classes.sample} aria-label={messages.sample()} tabIndex={0}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            {header.map((_, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity.
              <Table.Th key={index} scope="col">
                <span className={classes.name} dir="auto">
                  {labels[index]}
                </span>
                <NativeSelect
                  size="xs"
                  aria-label={labelOf(labels[index] ?? "")}
                  value={chosen[index] ?? ""}
                  data={[...choices]}
                  onChange={(event) => onChoose(index, event.currentTarget.value)}
                />
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity.
            <Table.Tr key={line}>
              {header.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity.
                <Table.Td key={index} data-ignored={!chosen[index] || undefined} dir="auto">
                  {row[index] ?? ""}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
