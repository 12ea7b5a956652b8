import { Table as Rows, Text } from "@mantine/core";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { RolePreview } from "../../../../shared/protocol/roles.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { useLabelUpdates } from "../../records/fields/use-label-updates.ts";
import { ValueMark } from "../../records/fields/value-mark.tsx";
import matrix from "./role-matrix.module.css";
import classes from "./roles.module.css";

const COLUMNS_MAX = 6;

/** What a user would see of a table: counts and the first records. */
export function PreviewRecords({ preview, table }: { preview: RolePreview; table: Table }) {
  useLabelUpdates();
  const shown = firstColumns(table, preview.fields);
  return (
    <section aria-label={messages.previewLabel()}>
      <Text mb={10} fw={600} role="status">
        {sentenceOf(preview, table)}
      </Text>
      {preview.records.length > 0 && (
        <div className={matrix.frame}>
          <Rows verticalSpacing={6} horizontalSpacing="md" borderColor="var(--wf-line)">
            <Rows.Thead>
              <Rows.Tr>
                {shown.map(({ name, label }) => (
                  <Rows.Th key={name}>{label}</Rows.Th>
                ))}
              </Rows.Tr>
            </Rows.Thead>
            <Rows.Tbody>
              {preview.records.map(({ id, values }) => (
                <Rows.Tr key={id}>
                  {shown.map((field) => (
                    <Rows.Td key={field.name} className={classes.value}>
                      <ValueMark field={field} value={values[field.name]} />
                    </Rows.Td>
                  ))}
                </Rows.Tr>
              ))}
            </Rows.Tbody>
          </Rows>
        </div>
      )}
    </section>
  );
}

function firstColumns(table: Table, fields: readonly string[]): Field[] {
  const inOrder = [...new Set([table.display, ...table.columns, ...fields])];
  return inOrder
    .filter((name) => fields.includes(name))
    .flatMap((name) => table.fields.find((field) => field.name === name) ?? [])
    .slice(0, COLUMNS_MAX);
}

function sentenceOf(preview: RolePreview, table: Table): string {
  const { readable, total, totalExact, outOf, outOfExact, fields, records } = preview;
  if (!readable) return messages.previewNothing({ table: table.label });
  const text = messages.previewCount({
    count: countText(total, totalExact),
    all: countText(outOf, outOfExact),
    table: table.label.toLowerCase(),
    fields: fields.length,
    total: table.fields.length,
  });
  const isPart = records.length > 0 && records.length < total;
  return isPart ? `${text} ${messages.previewFirst()}` : text;
}

function countText(count: number, isExact: boolean): string {
  return isExact ? messages.exactly({ count }) : messages.moreThan({ count });
}
