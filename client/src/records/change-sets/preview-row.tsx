import { Button, Checkbox, Group, Popover, Stack } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Json } from "../../../../shared/filter/filter.ts";
import { displayText } from "../../../../shared/model/display-text.ts";
import { isReference, traitsOf } from "../../../../shared/model/field-types.ts";
import { type Field, findField, findTable, type Table } from "../../../../shared/model/model.ts";
import type { PreviewItem } from "../../../../shared/protocol/change-sets.ts";
import {
  type ErrorBody,
  type FieldConflict,
  type FieldProblem,
  Refusal,
} from "../../../../shared/protocol/errors.ts";
import type { RejectedRow } from "../../../../shared/protocol/imports.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { explanationText, sentText } from "../../messages/error-text.ts";
import { useModel } from "../../state/use-account.ts";
import { problemText } from "../../ui/problem-text.ts";
import { Tag } from "../../ui/tag.tsx";
import { ErrorText } from "../../ui/texts.ts";
import { ConflictStatus } from "../fields/edit-status.tsx";
import { useLookUp } from "../fields/look-up.ts";
import { isSameValue } from "../fields/same-value.ts";
import { ValueChange } from "../fields/value-change.tsx";
import { LabelText } from "../fields/value-mark.tsx";
import type { trailState } from "../record-trail.ts";
import { FieldsForm } from "../transitions/fields-form.tsx";
import classes from "./change-sets.module.css";
import {
  clashingCells,
  fieldProblemsOf,
  isCorrectable,
  otherErrors,
  resolutionOf,
} from "./failing-ops.ts";
import { itemMark } from "./labels.ts";
import { recordName, titleBeside } from "./record-name.ts";
import type { OpenChangeSet } from "./use-change-set.ts";

interface Props {
  set: OpenChangeSet;
  item: PreviewItem;
  /** The records of the list. */
  trail: ReturnType<typeof trailState>;
}

/** Whether there is a record to open: one that the set has yet to create is nowhere. */
export function isStored({ status, outcome }: PreviewItem): boolean {
  return status !== "create" || outcome === "applied";
}

interface RowProps extends Props {
  table: Table | undefined;
  /** The fields that have a column. */
  fields: readonly Field[];
  /** What names the record. */
  naming: Field | undefined;
}

/** One op of a change set as a line of the table: its record, its cells before and after; below it what is to be decided. */
export function PreviewRow({ set, item, table, fields, naming, trail }: RowProps) {
  const lookUp = useLookUp();
  const isEnded = set.info?.state === "applied" || set.info?.state === "cancelled";
  const mark = itemMark(item, set.isOwn && isEnded);
  const conflicts = clashingCells(item);
  const isDecidable = set.isDraft && set.isOwn && conflicts.length > 0;
  const own = item.op === "create" && naming && displayText({ display: naming.name }, item.after);
  const values = [item.before, item.after];
  const name = table ? own || recordName(table, item.record, values, lookUp) : item.record;
  const title =
    table && isStored(item) ? titleBeside(table, item.record, values, lookUp) : undefined;
  const problems = fieldProblemsOf(item);
  const others = otherErrors(
    item,
    fields.map(({ name: field }) => field),
  );
  const hasChoice = set.isDraft && set.isOwn;
  return (
    <tbody data-left-out={set.skipped.has(item.index) || undefined}>
      <tr>
        {hasChoice && (
          <td>
            <Include set={set} item={item} name={name} />
          </td>
        )}
        <td>
          <Tag tone={mark.tone}>{mark.label}</Tag>
        </td>
        <th scope="row" className={classes.record} dir="auto">
          {table && isStored(item) ? (
            <Link href={recordAddress(table.name, item.record)} state={trail}>
              <LabelText text={name} />
            </Link>
          ) : (
            name
          )}
          {title !== undefined && (
            <span className={classes.title} dir="auto">
              {title}
            </span>
          )}
        </th>
        {table &&
          fields.map((field) => (
            <td key={field.name} data-bad={problems[field.name] ? true : undefined}>
              <Cell set={set} item={item} field={field} problem={problems[field.name]} />
            </td>
          ))}
      </tr>
      {(isDecidable || others.length > 0) && (
        <tr>
          <td colSpan={fields.length + (hasChoice ? 3 : 2)} className={classes.below}>
            {isDecidable ? (
              <Conflicts set={set} item={item} conflicts={conflicts} />
            ) : (
              <Errors errors={others} />
            )}
          </td>
        </tr>
      )}
    </tbody>
  );
}

interface CellProps {
  set: OpenChangeSet;
  item: PreviewItem;
  field: Field;
  problem: FieldProblem | undefined;
}

/** A cell before and after. One that is refused is corrected where it is. */
function Cell({ set, item, field, problem }: CellProps) {
  const { before, after, erased = [] } = item;
  const { name } = field;
  const isNamed = Object.hasOwn(before ?? {}, name) || Object.hasOwn(after ?? {}, name);
  const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
  const isEmpty = isSameValue(from, null) && isSameValue(to, null) && !erased.includes(name);
  // What a user or a link that does not exist is called is not known: it is shown as it was written.
  const isNowhere = problem !== undefined && isReference(field.type) && to !== null;
  return (
    <>
      {isNamed && !isEmpty && isNowhere && <span dir="auto">{`“${String(to)}”`}</span>}
      {isNamed && !isEmpty && !isNowhere && (
        <ValueChange
          field={field}
          before={before ? from : undefined}
          after={after ? to : undefined}
          isErased={erased.includes(name)}
        />
      )}
      {problem && (
        <Stack gap={4} align="flex-start">
          <ErrorText>{explanationText(problem)}</ErrorText>
          {set.isDraft && set.isOwn && isCorrectable(item) && (
            <MendCell
              field={field}
              isBusy={set.isBusy}
              correct={(value, isForAll) => set.correct(item, name, value, isForAll)}
            />
          )}
        </Stack>
      )}
    </>
  );
}

interface MendProps {
  field: Field;
  /** What the cell has now, to begin with where it is a text that is typed. */
  text?: string;
  isBusy: boolean;
  correct(value: Json, isForAll: boolean): Promise<void>;
}

/** Another value in the place of one that is refused, or none; also in all rows that have the same. */
function MendCell({ field, text, isBusy, correct }: MendProps) {
  const [isOpen, setOpen] = useState(false);
  const [isForAll, setForAll] = useState(false);
  const { names, kind } = traitsOf(field.type);
  const isTyped = names === undefined && kind !== "list" && kind !== "boolean";
  const take = (value: Json) => {
    setOpen(false);
    void correct(value, isForAll);
  };
  return (
    <Stack gap={4} align="flex-start" data-correct>
      <Group gap={4}>
        <Popover
          opened={isOpen}
          onChange={setOpen}
          position="bottom-start"
          width={320}
          trapFocus
          returnFocus
        >
          <Popover.Target>
            <Button
              size="compact-xs"
              variant="default"
              disabled={isBusy}
              onClick={() => setOpen(!isOpen)}
            >
              {messages.chooseValue()}
            </Button>
          </Popover.Target>
          <Popover.Dropdown>
            <FieldsForm
              fields={[field]}
              typed={isTyped ? text : undefined}
              emptyProblem={({ required, label }) =>
                required ? messages.valueRequired({ field: label }) : undefined
              }
              reasonHint={undefined}
              action={messages.useValue()}
              onSubmit={({ values }) => take(values[field.name] ?? null)}
              onCancel={() => setOpen(false)}
            />
          </Popover.Dropdown>
        </Popover>
        {!field.required && (
          <Button size="compact-xs" variant="subtle" disabled={isBusy} onClick={() => take(null)}>
            {messages.leaveEmpty()}
          </Button>
        )}
      </Group>
      <Checkbox
        size="xs"
        label={messages.forAllSuch()}
        disabled={isBusy}
        checked={isForAll}
        onChange={(event) => setForAll(event.currentTarget.checked)}
      />
    </Stack>
  );
}

interface RejectedRowProps {
  set: OpenChangeSet;
  row: RejectedRow;
  /** The field of each column of the file. */
  columns: readonly (string | null)[];
  /** The fields that have a column. */
  fields: readonly Field[];
  /** What names the record. */
  naming: Field | undefined;
}

/** A rejected row of the draft's file as a line of the table: its cells as they are in the file, and where one is refused, why. */
export function RejectedRowLine({ set, row, columns, fields, naming }: RejectedRowProps) {
  const textOf = (name: string | undefined) => cellText(row, columns, name);
  const names = fields.map(({ name }) => name);
  const others = row.errors.filter(({ field }) => field === undefined || !names.includes(field));
  return (
    <tbody>
      <tr>
        <td />
        <td>
          <Tag tone="bad">{messages.statusError()}</Tag>
        </td>
        <th scope="row" className={classes.record} dir="auto">
          {excerpt(textOf(naming?.name))}{" "}
          <span className={classes.line}>{messages.lineOf({ line: row.line })}</span>
        </th>
        {fields.map((field) => (
          <RejectedCell key={field.name} {...{ set, row, field }} text={textOf(field.name)} />
        ))}
      </tr>
      {others.length > 0 && (
        <tr>
          <td colSpan={fields.length + 3} className={classes.below}>
            {others.map((error) => (
              <ErrorText key={`${error.field} ${error.message}`}>
                {sentText(error.message, error)}
              </ErrorText>
            ))}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The text of a rejected row in the column of a field. */
export function cellText(
  { cells }: RejectedRow,
  columns: readonly (string | null)[],
  field: string | undefined,
): string {
  const index = field === undefined ? -1 : columns.indexOf(field);
  return cells[index] ?? "";
}

/** Characters of a cell that are shown. */
const SHOWN_CHARACTERS = 200;

function excerpt(text: string): string {
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}

interface RejectedCellProps extends Pick<RejectedRowProps, "set" | "row"> {
  field: Field;
  text: string;
}

function RejectedCell({ set, row: { line, errors }, field, text }: RejectedCellProps) {
  const own = errors.filter((error) => error.field === field.name);
  const shown = excerpt(text);
  if (own.length === 0) return <td dir="auto">{shown}</td>;
  return (
    <td data-bad>
      {text && <span dir="auto">{`“${shown}”`}</span>}
      <Stack gap={4} align="flex-start">
        {own.map((error) => (
          <ErrorText key={error.message}>{sentText(error.message, error)}</ErrorText>
        ))}
        <MendCell
          {...{ field, text }}
          isBusy={set.isBusy}
          correct={(value, isForAll) =>
            set.correctRejected({ line, field: field.name, text }, value, isForAll)
          }
        />
      </Stack>
    </td>
  );
}

/** Whether the change is applied with the others. What fails or does nothing has no choice. */
function Include({ set, item, name }: Pick<Props, "set" | "item"> & { name: string }) {
  const isFixed = item.status === "error" || item.status === "unchanged";
  return (
    <Checkbox
      size="xs"
      aria-label={messages.include({ record: name })}
      disabled={isFixed || set.isBusy}
      checked={!isFixed && !set.skipped.has(item.index)}
      onChange={(event) => set.setSkipped(item.index, !event.currentTarget.checked)}
    />
  );
}

function Errors({ errors }: { errors: PreviewItem["errors"] }) {
  return errors.map((error) => (
    <ErrorText key={`${error.code} ${error.message}`}>
      {problemText(Refusal.fromBody(error as ErrorBody))}
    </ErrorText>
  ));
}

function Conflicts(props: Pick<Props, "set" | "item"> & { conflicts: Conflict[] }) {
  const { set, item, conflicts } = props;
  const table = findTable(useModel(), item.table);
  const [first] = conflicts;
  if (item.op === "delete" && first) {
    const author = first[1].by?.name ?? valueMessages.someoneElse();
    const keepRecord = () => set.resolve([resolutionOf(item, first, "theirs")]);
    return (
      <Stack gap={8} align="flex-start">
        <ErrorText>{messages.deletedSince({ author })}</ErrorText>
        <Button size="compact-sm" variant="default" disabled={set.isBusy} onClick={keepRecord}>
          {messages.keepRecord()}
        </Button>
      </Stack>
    );
  }
  return (
    <div className={classes.conflicts}>
      {conflicts.map(([name, values]) => {
        const field = table && findField(table, name);
        const { base, mine, theirs, by, at } = values as ShownConflict;
        return (
          field && (
            <ConflictStatus
              key={name}
              field={field}
              state={{ base, mine, theirs, by, at }}
              onResolve={(keep) => void set.resolve([resolutionOf(item, [name, values], keep)])}
            />
          )
        );
      })}
    </div>
  );
}

type Conflict = [string, FieldConflict];
type ShownConflict = Parameters<typeof ConflictStatus>[0]["state"];
