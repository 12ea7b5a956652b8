import { Table as Rows } from "@mantine/core";
import { type KeyboardEvent, useId } from "react";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../../shared/policy/abilities.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { isLong } from "../../../records/fields/field-input.tsx";
import type { RecordPlace } from "../../../records/record-trail.ts";
import { useAbilities } from "../../../state/use-account.ts";
import type { LinkedRecords } from "../../../sync/calls/linked-records.ts";
import { FieldEditStatus, FieldValue } from "../field-value.tsx";
import { useOpenRecord } from "../use-open-record.ts";
import classes from "./linked.module.css";
import { RecordLink } from "./record-link.tsx";

/** More are in the record itself. */
const COLUMNS_MAX = 3;

/** Above so many line heights, a text has a second line: the height is rounded. */
const LINES_WRAPPED = 1.5;

/** The records that link to one by a field: live rows whose first fields can be edited in place. */
export function LinkedTable({ linked }: { linked: LinkedRecords }) {
  const { table, field, records } = linked;
  const abilities = useAbilities().tables[table.name];
  const display = table.fields.find(({ name }) => name === table.display);
  if (!abilities) return null;
  const columns = columnsOf(table, abilities, field);
  const among = records.map(({ id }) => ({ table: table.name, record: id }));
  return (
    <div className={classes.scroll}>
      <Rows
        className={classes.table ?? ""}
        fz="sm"
        verticalSpacing={4}
        horizontalSpacing={6}
        borderColor="var(--wf-line)"
        aria-label={messages.linkedBy({ table: table.label, field: field.label })}
        onKeyDown={goToNextRow}
      >
        <Rows.Thead>
          <Rows.Tr>
            <Rows.Th scope="col">{display?.label ?? table.recordLabel}</Rows.Th>
            {columns.map(({ name, label }) => (
              <Rows.Th key={name} scope="col">
                {label}
              </Rows.Th>
            ))}
          </Rows.Tr>
        </Rows.Thead>
        <Rows.Tbody>
          {records.map(({ id, title }) => (
            <LinkedRow
              key={id}
              {...{ table, abilities, columns, among, title }}
              place={{ table: table.name, record: id }}
            />
          ))}
        </Rows.Tbody>
      </Rows>
    </div>
  );
}

interface RowProps {
  table: Table;
  abilities: TableAbilities;
  columns: readonly Field[];
  place: RecordPlace;
  among: readonly RecordPlace[];
  title: string;
}

function LinkedRow({ table, abilities, columns, place, among, title }: RowProps) {
  const id = useId();
  const state = useOpenRecord(place.table, place.record);
  const record = state.kind === "shown" ? state.record : null;
  return (
    <Rows.Tr aria-busy={state.kind === "loading"}>
      <Rows.Th scope="row">
        <RecordLink {...place} among={among} className={classes.chip}>
          {title}
        </RecordLink>
      </Rows.Th>
      {columns.map((field) => (
        <Rows.Td key={field.name} data-state={record?.cells[field.name]?.kind}>
          {record && (
            <>
              <FieldValue
                id={`${id}-${field.name}`}
                label={messages.fieldOf({ field: field.label, record: title })}
                {...{ table, field, abilities, record }}
                takesLockedText={abilities.update.length > 0}
                wraps={field.type === "text"}
              />
              <FieldEditStatus id={`${id}-${field.name}`} field={field} record={record} />
            </>
          )}
        </Rows.Td>
      ))}
    </Rows.Tr>
  );
}

/** The first columns of the table, besides the label and the link itself. */
function columnsOf(table: Table, { fields }: TableAbilities, link: Field): Field[] {
  return table.columns
    .filter((name) => fields.includes(name) && name !== table.display && name !== link.name)
    .flatMap((name) => table.fields.find((one) => one.name === name) ?? [])
    .filter(({ type }) => !isLong(type))
    .slice(0, COLUMNS_MAX);
}

/**
 * As in the grid, Enter goes down and arrows go up and down, except in a list of choices and in a text that is wrapped. A row without an input is passed
 * over, unless it is still loading: a series of values that is typed down the column would miss it.
 */
function goToNextRow({ key, target, currentTarget }: KeyboardEvent<HTMLElement>): void {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return;
  const isArrow = key === "ArrowDown" || key === "ArrowUp";
  if (key !== "Enter" && (!isArrow || target.role === "combobox" || isWrapped(target))) return;
  const column = target.closest("td")?.cellIndex ?? 0;
  const inputOf = (row: HTMLTableRowElement) =>
    row.cells[column]?.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
  const rows = [...currentTarget.querySelectorAll("tr")];
  const place = rows.findIndex((row) => row.contains(target));
  const following = key === "ArrowUp" ? rows.slice(0, place).reverse() : rows.slice(place + 1);
  const next = following.find((row) => row.ariaBusy === "true" || inputOf(row));
  const input = next && inputOf(next);
  input?.focus();
  input?.select();
}

/** Whether an input shows more than one line, between which the arrows go. */
function isWrapped(input: HTMLInputElement | HTMLTextAreaElement): boolean {
  const { lineHeight, paddingBlockStart, paddingBlockEnd } = getComputedStyle(input);
  const height =
    input.scrollHeight - Number.parseFloat(paddingBlockStart) - Number.parseFloat(paddingBlockEnd);
  return (
    input instanceof HTMLTextAreaElement && height > LINES_WRAPPED * Number.parseFloat(lineHeight)
  );
}
