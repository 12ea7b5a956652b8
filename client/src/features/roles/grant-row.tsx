import { Checkbox, Table as Rows, UnstyledButton } from "@mantine/core";
import { IconChevronRight, IconStack2 } from "@tabler/icons-react";
import { memo } from "react";
import { deepEqual } from "../../../../shared/document/deep-equal.ts";
import type { Table } from "../../../../shared/model/model.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import type { RoleForm } from "../../../../shared/policy/role-tree.ts";
import { rolesMessages as messages } from "../../messages/en/roles.ts";
import { TableIcon } from "../../ui/table-icon.tsx";
import { Dim, Hint } from "../../ui/texts.ts";
import { type Column, columnLabels, columns } from "./columns.ts";
import { accessOf, grantAt, isOwn, rowsOf } from "./grant-edits.ts";
import matrix from "./role-matrix.module.css";

/** What a row shows of a grant, and nothing else. */
interface ShownGrant {
  key: string;
  /** The name of the table; null in the row of all other tables. */
  table: string | null;
  label: string;
  /** The table has no grant of its own. */
  follows: boolean;
  rights: readonly ShownRight[];
}

interface ShownRight {
  column: Column;
  isGranted: boolean;
  needsRead: boolean;
  /** The text of its limits, if it has any. */
  limit: string | null;
  /** The table has no states. */
  isMissing: boolean;
}

/** The same as long as the row looks the same, whatever else changes in the role or the model. */
export function shownGrant(form: RoleForm, key: string, table: Table | null): ShownGrant {
  const grant = grantAt(form, key);
  return {
    key,
    table: table?.name ?? null,
    label: table?.label ?? messages.otherTables(),
    follows: table !== null && !isOwn(form, key),
    rights: columns.map((column) => {
      const needsRead = column !== "read" && !grant.read;
      return {
        column,
        needsRead,
        isGranted: Boolean(grant[column]) && !needsRead,
        limit: table && limitOf(grant, column, table),
        isMissing: column === "transitions" && table !== null && !table.workflow,
      };
    }),
  };
}

/** The same objects at every render, so that a row that looks the same is not drawn again. */
export interface GrantRowActions {
  toggle(key: string): void;
  set(key: string, right: Column, value: Grant[Column] & boolean): void;
}

interface Props {
  shown: ShownGrant;
  canEdit: boolean;
  opened: boolean;
  actions: GrantRowActions;
}

/**
 * One table of the matrix: a checkbox for each right, or the limits of the right. With hundreds of tables an edit, or a
 * version of the model, draws only the rows that look different afterwards.
 */
export const GrantRow = memo(function GrantRow({ shown, canEdit, opened, actions }: Props) {
  const { key, table, label, follows, rights } = shown;
  return (
    <Rows.Tr className={follows ? matrix.follows : undefined}>
      <Rows.Th scope="row">
        {table !== null ? (
          <UnstyledButton
            className={matrix.opener}
            aria-expanded={opened}
            onClick={() => actions.toggle(key)}
          >
            <IconChevronRight size={15} className={matrix.chevron} aria-hidden="true" />
            <TableIcon table={table} size={17} />
            <span>
              {label}
              {follows && (
                <Hint span display="block" fz="xs" fw={400}>
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
              <Hint span display="block" fz="xs" fw={400}>
                {messages.futureTables()}
              </Hint>
            </span>
          </span>
        )}
      </Rows.Th>
      {rights.map((right) => (
        <Rows.Td key={right.column}>
          <RightCell shown={shown} right={right} canEdit={canEdit} actions={actions} />
        </Rows.Td>
      ))}
    </Rows.Tr>
  );
}, deepEqual);

interface RightCellProps extends Pick<Props, "shown" | "canEdit" | "actions"> {
  right: ShownRight;
}

function RightCell({ shown, right, canEdit, actions }: RightCellProps) {
  const { key, label } = shown;
  const { column, isGranted, needsRead, limit, isMissing } = right;
  if (isMissing) {
    return (
      <Dim ps={6} title={messages.noStates()}>
        –
      </Dim>
    );
  }
  if (limit !== null) {
    return (
      <UnstyledButton
        className={matrix.limit}
        aria-label={messages.rightLimited({ table: label, right: columnLabels[column](), limit })}
        onClick={() => actions.toggle(key)}
      >
        {limit}
      </UnstyledButton>
    );
  }
  return (
    <Checkbox
      aria-label={messages.right({ table: label, right: columnLabels[column]() })}
      title={needsRead ? messages.needsRead() : undefined}
      checked={isGranted}
      disabled={!canEdit || needsRead}
      onChange={(event) => actions.set(key, column, event.currentTarget.checked)}
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
