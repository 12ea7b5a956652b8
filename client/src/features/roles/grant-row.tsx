import { Checkbox, Table as Rows, UnstyledButton } from "@mantine/core";
import { IconChevronRight, IconStack2 } from "@tabler/icons-react";
import type { Table } from "../../../../shared/model/model.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { TableIcon } from "../../ui/table-icon.tsx";
import { Dim, Hint } from "../../ui/texts.ts";
import { type Column, columnLabels, columns } from "./columns.ts";
import { GrantDetails } from "./grant-details.tsx";
import { accessOf, grantAt, isOwn, rowsOf, setGrant } from "./grant-edits.ts";
import matrix from "./role-matrix.module.css";

interface Props {
  grantKey: string;
  /** Null for the row of all other tables. */
  table: Table | null;
  form: RoleForm;
  onForm: ((form: RoleForm) => void) | null;
  opened: boolean;
  onOpened: () => void;
}

/** One table of the matrix: a checkbox for each right, or the limits of the right. */
export function GrantRow(props: Props) {
  const { grantKey, table, form, opened, onOpened } = props;
  const follows = table !== null && !isOwn(form, grantKey);
  const label = table?.label ?? messages.otherTables();
  return (
    <>
      <Rows.Tr className={follows ? matrix.follows : undefined}>
        <Rows.Th scope="row">
          {table ? (
            <UnstyledButton className={matrix.opener} aria-expanded={opened} onClick={onOpened}>
              <IconChevronRight size={15} className={matrix.chevron} aria-hidden="true" />
              <TableIcon table={table.name} size={17} />
              <span>
                {label}
                {follows && (
                  <Hint span display="block" fz="xs" fw={450}>
                    {messages.sameAsOthers()}
                  </Hint>
                )}
              </span>
            </UnstyledButton>
          ) : (
            <span className={matrix.opener}>
              <span className={matrix.chevron} />
              <IconStack2 size={17} stroke={1.6} aria-hidden="true" />
              <span>
                {label}
                <Hint span display="block" fz="xs" fw={450}>
                  {messages.futureTables()}
                </Hint>
              </span>
            </span>
          )}
        </Rows.Th>
        {columns.map((column) => (
          <Rows.Td key={column}>
            <RightCell {...props} column={column} label={label} />
          </Rows.Td>
        ))}
      </Rows.Tr>
      {opened && table && (
        <Rows.Tr>
          <Rows.Td colSpan={columns.length + 1} p={0}>
            <div className={matrix.details}>
              <GrantDetails {...props} table={table} />
            </div>
          </Rows.Td>
        </Rows.Tr>
      )}
    </>
  );
}

function RightCell(props: Props & { column: Column; label: string }) {
  const { grantKey, table, form, onForm, onOpened, column, label } = props;
  const grant = grantAt(form, grantKey);
  const name = messages.right({ table: label, right: columnLabels[column]() });
  if (column === "transitions" && table && !table.workflow) {
    return (
      <Dim ps={6} title={messages.noStates()}>
        –
      </Dim>
    );
  }
  const limit = table && limitOf(grant, column, table);
  if (limit) {
    return (
      <UnstyledButton
        className={matrix.limit}
        aria-label={messages.rightLimited({ table: label, right: columnLabels[column](), limit })}
        onClick={onOpened}
      >
        {limit}
      </UnstyledButton>
    );
  }
  const needsRead = column !== "read" && !grant.read;
  const toggle = (checked: boolean) =>
    onForm?.(setGrant(form, grantKey, column, checked as Grant[Column] & boolean));
  return (
    <Checkbox
      aria-label={name}
      title={needsRead ? messages.needsRead() : undefined}
      checked={Boolean(grant[column]) && !needsRead}
      disabled={!onForm || needsRead}
      onChange={(event) => toggle(event.currentTarget.checked)}
    />
  );
}

/** The limits of a right, short enough for a cell; null if it has none. */
function limitOf(grant: Grant, column: Column, table: Table): string | null {
  if (!grant.read) return null;
  switch (column) {
    case "read":
      return joinLimits(rowsOf(grant, "read") !== null, hiddenFieldsLabel(grant, table));
    case "update":
      return grant.update
        ? joinLimits(rowsOf(grant, "update") !== null, writableFieldsLabel(grant, table))
        : null;
    case "delete":
      return joinLimits(rowsOf(grant, "delete") !== null, null);
    case "transitions":
      return Array.isArray(grant.transitions)
        ? messages.countOf({
            count: grant.transitions.length,
            total: table.workflow?.transitions.length ?? 0,
          })
        : null;
    default:
      return null;
  }
}

function joinLimits(rows: boolean, fields: string | null): string | null {
  const parts = [rows && messages.someRecords(), fields].filter((one) => typeof one === "string");
  return parts.length > 0 ? parts.join(", ") : null;
}

function hiddenFieldsLabel(grant: Grant, table: Table): string | null {
  const hidden = [...accessOf(grant, table).values()].filter((one) => one === "hidden").length;
  if (hidden === 0) return null;
  return messages.hiddenFields({ count: hidden });
}

function writableFieldsLabel(grant: Grant, table: Table): string | null {
  if (typeof grant.update !== "object" || !grant.update.fields) return null;
  const writes = [...accessOf(grant, table).values()].filter((one) => one === "write").length;
  return messages.fieldCount({ count: writes });
}
