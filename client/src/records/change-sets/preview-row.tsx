import { Button, Checkbox, Group, Stack } from "@mantine/core";
import { Link } from "wouter";
import { findField, findTable } from "../../../../shared/model/model.ts";
import type { PreviewItem } from "../../../../shared/protocol/change-sets.ts";
import { type ErrorBody, type FieldConflict, Refusal } from "../../../../shared/protocol/errors.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { changeSetMessages as messages } from "../../messages/en/change-sets.ts";
import { valueMessages } from "../../messages/en/values.ts";
import { useModel } from "../../state/use-account.ts";
import { problemText } from "../../ui/problem-text.ts";
import { Tag } from "../../ui/tag.tsx";
import { ErrorText, Hint } from "../../ui/texts.ts";
import { ConflictStatus } from "../fields/edit-status.tsx";
import { useLookUp } from "../fields/look-up.ts";
import { LabelText } from "../fields/value-mark.tsx";
import type { trailState } from "../record-trail.ts";
import classes from "./change-sets.module.css";
import { DiffCells } from "./diff-cells.tsx";
import { clashingCells, resolutionOf } from "./failing-ops.ts";
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

/** One op of a change set: its record, its cells before and after, its errors and conflicts. */
export function PreviewRow({ set, item, trail }: Props) {
  const lookUp = useLookUp();
  const table = findTable(useModel(), item.table);
  const isEnded = set.info?.state === "applied" || set.info?.state === "cancelled";
  const mark = itemMark(item, set.isOwn && isEnded);
  const conflicts = clashingCells(item);
  const isDecidable = set.isDraft && set.isOwn && conflicts.length > 0;
  const name = table
    ? recordName(table, item.record, [item.before, item.after], lookUp)
    : item.record;
  return (
    <li className={classes.row} data-left-out={set.skipped.has(item.index) || undefined}>
      <Group gap={10} wrap="nowrap" miw={0}>
        {set.isDraft && set.isOwn && <Include set={set} item={item} name={name} />}
        <Tag tone={mark.tone} flex="none" miw={78} ta="center">
          {mark.label}
        </Tag>
        {table && isStored(item) ? (
          <Link
            className={classes.record}
            dir="auto"
            href={recordAddress(table.name, item.record)}
            state={trail}
          >
            <LabelText text={name} />
          </Link>
        ) : (
          <span className={classes.record} dir="auto">
            {name}
          </span>
        )}
        <Hint span flex="none" ms="auto" fz="xs">
          {table?.label ?? item.table}
        </Hint>
      </Group>
      <div className={classes.rowBody}>
        {table && !isDecidable && (
          <DiffCells table={table} before={item.before} after={item.after} erased={item.erased} />
        )}
        {!isDecidable && <Errors errors={item.errors} />}
        {isDecidable && <Conflicts set={set} item={item} conflicts={conflicts} />}
      </div>
    </li>
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
