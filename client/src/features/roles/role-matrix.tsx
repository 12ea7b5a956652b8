import { Table as Rows } from "@mantine/core";
import { Fragment, startTransition, useEffect, useMemo, useState } from "react";
import type { Table } from "../../../../shared/model/model.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { useLatest } from "../../ui/use-latest.ts";
import { columnLabels, columns } from "./columns.ts";
import { GrantDetails } from "./grant-details.tsx";
import { keyOf, setGrant } from "./grant-edits.ts";
import { GrantRow, type GrantRowActions, shownGrant } from "./grant-row.tsx";
import matrix from "./role-matrix.module.css";

interface Props {
  form: RoleForm;
  tables: readonly Table[];
  onForm: ((form: RoleForm) => void) | null;
}

/** More rows than a screen has follow in steps of so many, one a frame: hundreds at once would freeze the page. */
const ROWS_PER_FRAME = 20;

/** Tables by rights. A row opens to limit records, fields and transitions. */
export function RoleMatrix({ form, tables, onForm }: Props) {
  const [opened, setOpened] = useState<string | null>(null);
  const count = useGrowingCount(tables.length);
  const latest = useLatest({ form, onForm });
  const actions = useMemo<GrantRowActions>(
    () => ({
      toggle: (key) => setOpened((now) => (now === key ? null : key)),
      set(key, right, value) {
        const { current } = latest;
        current.onForm?.(setGrant(current.form, key, right, value));
      },
    }),
    [],
  );
  const row = (key: string, table: Table | null) => (
    <GrantRow
      shown={shownGrant(form, key, table)}
      canEdit={onForm !== null}
      opened={opened === key}
      actions={actions}
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
          {tables.slice(0, count).map((table) => {
            const key = keyOf(form, table);
            return (
              <Fragment key={key}>
                {row(key, table)}
                {opened === key && (
                  <Rows.Tr>
                    <Rows.Td colSpan={columns.length + 1} p={0}>
                      <div className={matrix.details}>
                        <GrantDetails grantKey={key} table={table} form={form} onForm={onForm} />
                      </div>
                    </Rows.Td>
                  </Rows.Tr>
                )}
              </Fragment>
            );
          })}
          {row("*", null)}
        </Rows.Tbody>
      </Rows>
    </section>
  );
}

/** How many of the rows are drawn: all of them after some frames. */
function useGrowingCount(total: number): number {
  const [count, setCount] = useState(ROWS_PER_FRAME);
  useEffect(() => {
    if (count >= total) return;
    const frame = requestAnimationFrame(() =>
      startTransition(() => setCount(count + ROWS_PER_FRAME)),
    );
    return () => cancelAnimationFrame(frame);
  }, [count, total]);
  return count;
}
