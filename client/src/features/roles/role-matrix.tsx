import { Table as Rows } from "@mantine/core";
import { useState } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { columnLabels, columns } from "./columns.ts";
import { keyOf } from "./grant-edits.ts";
import { GrantRow } from "./grant-row.tsx";
import matrix from "./role-matrix.module.css";

interface Props {
  form: RoleForm;
  tables: readonly Table[];
  onForm: ((form: RoleForm) => void) | null;
}

/** Tables by rights. A row opens to limit records, fields and transitions. */
export function RoleMatrix({ form, tables, onForm }: Props) {
  const [opened, setOpened] = useState<string | null>(null);
  const row = (key: string, table: Table | null) => (
    <GrantRow
      key={key}
      grantKey={key}
      table={table}
      form={form}
      onForm={onForm}
      opened={opened === key}
      onOpened={() => setOpened(opened === key ? null : key)}
    />
  );
  return (
    <section className={matrix.frame} aria-label={messages.matrix()}>
      <Rows className={matrix.matrix} verticalSpacing={6} borderColor="var(--wf-line)">
        <Rows.Thead>
          <Rows.Tr>
            <Rows.Th>{messages.table()}</Rows.Th>
            {columns.map((column) => (
              <Rows.Th key={column}>{columnLabels[column]()}</Rows.Th>
            ))}
          </Rows.Tr>
        </Rows.Thead>
        <Rows.Tbody>
          {tables.map((table) => row(keyOf(form, table), table))}
          {row("*", null)}
        </Rows.Tbody>
      </Rows>
    </section>
  );
}
