import { Button, Checkbox, Menu, Stack } from "@mantine/core";
import { createContext, useContext, useState } from "react";
import { Link } from "wouter";
import { findTable, type Table, type Values } from "../../../../shared/model/model.ts";
import type { ActivityEntry } from "../../../../shared/protocol/records.ts";
import { recordAddress } from "../../../../shared/record-address.ts";
import { activityMessages as messages } from "../../messages/en/activity.ts";
import { richText } from "../../messages/rich-text.tsx";
import { changeSetAddress } from "../../records/change-sets/change-set-address.ts";
import { DiffCells } from "../../records/change-sets/diff-cells.tsx";
import { isOrdinary, originLabel } from "../../records/change-sets/labels.ts";
import { recordName } from "../../records/change-sets/record-name.ts";
import { LabelText } from "../../records/fields/value-mark.tsx";
import { trailState } from "../../records/record-trail.ts";
import { useModel } from "../../state/use-account.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { ActionsMenu } from "../../ui/actions-menu.tsx";
import { AuthorMark } from "../../ui/author-mark.tsx";
import { authorName } from "../../ui/author-name.ts";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";
import { Hint } from "../../ui/texts.ts";
import classes from "./activity.module.css";
import type { ActivityFilter } from "./activity-filter.ts";
import { changesText } from "./activity-labels.ts";
import { keyOf } from "./group-changes.ts";

interface Props {
  entries: readonly ActivityEntry[];
  isPartial: boolean;
  colourOf(user: string): string | undefined;
  isSelected: boolean;
  onSelect(entries: readonly ActivityEntry[], isSelected: boolean): void;
  onFilter(change: Partial<ActivityFilter>): void;
  onRevert(entries: readonly ActivityEntry[]): void;
}

/** The records of the timeline, so that the panel can step through them. */
export const Trail = createContext(trailState([]));

/**
 * Changes that were made together, as a sentence. A single change shows its cells before and after; for several they can
 * be expanded.
 */
export function ChangeRow(props: Props) {
  const { entries, isPartial, colourOf, isSelected, onSelect } = props;
  const [isOpen, setOpen] = useState(false);
  const [first] = entries;
  const table = findTable(useModel(), first?.table ?? "");
  if (!first || !table) return null;
  const { by, at, reason, origin, changeSet } = first;
  const text = changesText(table, entries, isPartial);
  const records = new Set(entries.map(({ record }) => record)).size;
  const title = titleOf(table, first);
  const plain = text
    .replace("<author></author>", () => authorName(by))
    .replace("<title></title>", () => title);
  return (
    <li className={classes.row}>
      <Checkbox
        size="xs"
        flex="none"
        mt={4}
        aria-label={messages.select({ change: plain })}
        checked={isSelected}
        onChange={(event) => onSelect(entries, event.currentTarget.checked)}
      />
      <AuthorMark by={by} colour={colourOf(by.id)} />
      <Stack gap={3} flex="1" miw={0}>
        <div className={classes.line}>
          <div className={classes.what}>
            <p className={classes.text}>
              {richText(text, {
                author: () => <strong>{authorName(by)}</strong>,
                title: () => <RecordLink table={table} entry={first} />,
              })}
            </p>
            {entries.length === 1 && (
              <div className={classes.cells}>
                <Cells table={table} entry={first} />
              </div>
            )}
            {records > 1 && (
              <Button
                variant="subtle"
                size="compact-xs"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? messages.hideRecords() : messages.showRecords({ count: records })}
              </Button>
            )}
          </div>
          <p className={classes.about}>
            <time dateTime={at} title={formatMoment(at)}>
              {formatAgo(at)}
            </time>
            <span>{table.label}</span>
            {origin && !isOrdinary(origin) && <span>{originLabel(origin)}</span>}
            {changeSet && (
              <span>
                <Link href={changeSetAddress(changeSet)}>{messages.inChangeSet()}</Link>
              </span>
            )}
          </p>
        </div>
        {reason && <Hint>{messages.reason({ reason })}</Hint>}
        {records === 1 &&
          entries.length > 1 &&
          entries.map((entry) => <Cells key={keyOf(entry)} table={table} entry={entry} />)}
        {isOpen && records > 1 && <Records table={table} entries={entries} />}
      </Stack>
      <RowMenu {...props} first={first} name={plain} />
    </li>
  );
}

function RecordLink({ table, entry }: { table: Table; entry: ActivityEntry }) {
  const title = titleOf(table, entry);
  const trail = useContext(Trail);
  return (
    <Link
      className={classes.record}
      dir="auto"
      href={recordAddress(table.name, entry.record)}
      state={trail}
    >
      <LabelText text={title} />
    </Link>
  );
}

function Records({ table, entries }: { table: Table; entries: readonly ActivityEntry[] }) {
  return (
    <ul className={classes.records}>
      {entries.map((entry) => (
        <li key={keyOf(entry)}>
          <RecordLink table={table} entry={entry} />
          <Cells table={table} entry={entry} />
        </li>
      ))}
    </ul>
  );
}

function Cells({ table, entry }: { table: Table; entry: ActivityEntry }) {
  const { before, after } = imagesOf(entry);
  if (entry.kind === "delete") return null;
  const { erased } = entry;
  return <DiffCells table={table} before={before} after={after} erased={erased} />;
}

function RowMenu(props: Props & { first: ActivityEntry; name: string }) {
  const { entries, isPartial, first, name, onFilter, onRevert } = props;
  const { table, record, by, changeSet } = first;
  return (
    <ActionsMenu label={messages.more({ change: name })}>
      {!isPartial && <Menu.Item onClick={() => onRevert(entries)}>{messages.revert()}</Menu.Item>}
      {entries.length === 1 && (
        <Menu.Item onClick={() => onFilter({ table, record })}>
          {messages.onlyThisRecord()}
        </Menu.Item>
      )}
      {by.kind === "user" && (
        <Menu.Item onClick={() => onFilter({ user: by.id })}>
          {messages.onlyThisUser({ user: by.name })}
        </Menu.Item>
      )}
      {changeSet && (
        <Menu.Item onClick={() => onFilter({ changeSet })}>
          {messages.onlyThisChangeSet()}
        </Menu.Item>
      )}
    </ActionsMenu>
  );
}

function titleOf(table: Table, entry: ActivityEntry): string {
  const { before, after } = imagesOf(entry);
  return recordName(table, entry.record, [after, before], pageLabels());
}

/** The values of the changed fields before and after; null where the record did not exist. */
function imagesOf({ kind, fields }: ActivityEntry) {
  const values = (side: "before" | "after"): Values =>
    Object.fromEntries(Object.entries(fields).map(([name, cell]) => [name, cell[side]]));
  return {
    before: kind === "insert" ? null : values("before"),
    after: kind === "delete" ? null : values("after"),
  };
}
