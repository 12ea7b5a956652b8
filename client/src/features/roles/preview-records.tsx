import { Table as Rows } from "@mantine/core";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { RolePreview } from "../../../../shared/protocol/roles.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { useLabelUpdates } from "../../ui/fields/use-label-updates.ts";
import { ValueMark } from "../../ui/fields/value-mark.tsx";
import { formatCount } from "../../ui/numbers.ts";
import matrix from "./role-matrix.module.css";
import classes from "./roles.module.css";

const COLUMNS_MAX = 6;

/** What would be seen of a table, in a sentence and as its first records. */
export function PreviewRecords({ preview, table }: { preview: RolePreview; table: Table }) {
  const lookUp = pageLabels();
  useLabelUpdates(lookUp);
  const shown = firstColumns(table, preview.fields);
  return (
    <section aria-label="What they would see">
      <p className={classes.sentence} role="status">
        {sentenceOf(preview, table)}
      </p>
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
                      <ValueMark field={field} value={values[field.name]} lookUp={lookUp} />
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
  if (!readable) return `Nothing: for them there is no table “${table.label}”.`;
  const count = `${totalExact ? "" : "about "}${formatCount(total)}`;
  const all = `${outOfExact ? "" : "about "}${formatCount(outOf)}`;
  const rows = `${count} of ${all} ${table.label.toLowerCase()}`;
  const first = records.length > 0 && records.length < total ? " The first ones:" : "";
  return `${rows}, ${fields.length} of ${table.fields.length} fields.${first}`;
}
