import { Button, Checkbox, Group, Popover, Stack } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { Json } from "../../../../shared/filter/filter.ts";
import { displayText } from "../../../../shared/model/display-text.ts";
import { isReference } from "../../../../shared/model/field-types.ts";
import { type Field, findField, findTable, type Table } from "../../../../shared/model/model.ts";
import type { PreviewItem } from "../../../../shared/protocol/change-sets.ts";
import {
  type ErrorBody,
  type FieldConflict,
  type FieldProblem,
  Refusal,
} from "../../../../shared/protocol/errors.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { explanationText } from "../../messages/error-text.ts";
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
import { recordName } from "./record-name.ts";
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
  const name = table
    ? own || recordName(table, item.record, [item.before, item.after], lookUp)
    : item.record;
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
            <MendCell set={set} item={item} field={field} />
          )}
        </Stack>
      )}
    </>
  );
}

/** Another value in the place of one that is refused, or none; also in all rows that have the same. */
function MendCell({ set, item, field }: Omit<CellProps, "problem">) {
  const [isOpen, setOpen] = useState(false);
  const [isForAll, setForAll] = useState(false);
  const correct = (value: Json) => {
    setOpen(false);
    void set.correct(item, field.name, value, isForAll);
  };
  return (
    <Group gap={4}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={320} trapFocus>
        <Popover.Target>
          <Button
            size="compact-xs"
            variant="default"
            disabled={set.isBusy}
            onClick={() => setOpen(!isOpen)}
          >
            {messages.chooseValue()}
          </Button>
        </Popover.Target>
        <Popover.Dropdown>
          <FieldsForm
            fields={[field]}
            emptyProblem={({ required, label }) =>
              required ? messages.valueRequired({ field: label }) : undefined
            }
            reasonHint={undefined}
            action={messages.useValue()}
            onSubmit={({ values }) => correct(values[field.name] ?? null)}
            onCancel={() => setOpen(false)}
          >
            <Checkbox
              size="xs"
              label={messages.forAllSuch()}
              checked={isForAll}
              onChange={(event) => setForAll(event.currentTarget.checked)}
            />
          </FieldsForm>
        </Popover.Dropdown>
      </Popover>
      {!field.required && (
        <Button
          size="compact-xs"
          variant="subtle"
          disabled={set.isBusy}
          onClick={() => correct(null)}
        >
          {messages.leaveEmpty()}
        </Button>
      )}
    </Group>
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
