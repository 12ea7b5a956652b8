import { Group, Radio, SegmentedControl, Title } from "@mantine/core";
import { useState } from "react";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Table } from "../../../../shared/model/model.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { FilterBuilder } from "../../records/filter/filter-builder.tsx";
import { Hint } from "../../ui/texts.ts";
import { columnLabels } from "./columns.ts";
import parts from "./grant-details.module.css";
import { type RowRight, rowsOf, setRows } from "./grant-edits.ts";

interface Props {
  grantKey: string;
  table: Table;
  form: RoleForm;
  grant: Grant;
  onForm: ((form: RoleForm) => void) | null;
}

const rights: readonly RowRight[] = ["read", "update", "delete"];

/** Which records a right covers: all, or those that match a filter. */
export function RowRights(props: Props) {
  const { table, grant } = props;
  const [shown, setShown] = useState<RowRight>("read");
  const granted = rights.filter((right) => grant[right]);
  const right = granted.includes(shown) ? shown : "read";
  return (
    <section className={parts.rows}>
      <Title order={4} mb={8}>
        {messages.recordsOf({ table: table.label })}
      </Title>
      {granted.length > 1 && (
        <SegmentedControl
          size="xs"
          value={right}
          data={granted.map((one) => ({ value: one, label: columnLabels[one]() }))}
          onChange={(next) => setShown(next as RowRight)}
          aria-label={messages.rightLabel()}
        />
      )}
      <RowChoice key={right} {...props} right={right} />
    </section>
  );
}

function RowChoice({ grantKey, table, form, grant, right, onForm }: Props & { right: RowRight }) {
  const filter = rowsOf(grant, right);
  const [some, setSome] = useState(filter !== null);
  const isFiltered = some || filter !== null;
  const set = (next: Filter | null) => onForm?.(setRows(form, grantKey, right, next));
  const all = right === "read" ? messages.allRecords() : messages.allVisible();
  return (
    <>
      <Radio.Group
        aria-label={messages.whichRecords({ right: columnLabels[right]() })}
        value={isFiltered ? "some" : "all"}
        onChange={(value) => {
          setSome(value === "some");
          if (value === "all") set(null);
        }}
      >
        <Group gap="8px 20px" align="stretch">
          <Radio value="all" label={all} disabled={!onForm} />
          <Radio value="some" label={messages.onlyWhere()} disabled={!onForm} />
        </Group>
      </Radio.Group>
      {isFiltered && (
        <fieldset disabled={!onForm}>
          <FilterBuilder
            fields={table.fields}
            filter={filter}
            emptyHint={messages.noCondition()}
            operands
            onFilter={set}
          />
          {right === "update" && (
            <Hint mt={8} fz="xs">
              {messages.beforeAndAfter()}
            </Hint>
          )}
        </fieldset>
      )}
    </>
  );
}
