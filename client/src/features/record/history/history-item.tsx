import { Button, Stack, Text } from "@mantine/core";
import { IconRestore } from "@tabler/icons-react";
import type { Table } from "../../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../../shared/policy/abilities.ts";
import type { HistoryEntry } from "../../../../../shared/protocol/records.ts";
import { recordMessages as messages } from "../../../messages/en/record.ts";
import { richText } from "../../../messages/rich-text.tsx";
import { changeSetAddress } from "../../../records/change-sets/change-set-address.ts";
import { isOrdinary, originLabel } from "../../../records/change-sets/labels.ts";
import { formatInstant } from "../../../records/fields/instant.ts";
import { isSameValue } from "../../../records/fields/same-value.ts";
import { ValueChange } from "../../../records/fields/value-change.tsx";
import type { RecordView } from "../../../state/record-view.ts";
import { rest } from "../../../transport/rest/rest.ts";
import { formatMoment } from "../../../ui/numbers.ts";
import { Dim, Hint } from "../../../ui/texts.ts";
import { useBusy } from "../../../ui/use-action.ts";
import { useGoOn } from "../../../ui/use-go-on.ts";
import classes from "../record.module.css";
import { authorLabel, entryText } from "./history-labels.ts";
import { RestoreValue } from "./restore-value.tsx";

interface Props {
  entry: HistoryEntry;
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
  /** The entries after it. */
  newer: readonly HistoryEntry[];
}

/** An entry of the history. Replaced values can be restored by an ordinary edit, the record as it was by a draft. */
export function HistoryItem({ entry, table, abilities, record, newer }: Props) {
  const changed = table.fields.flatMap((field) => {
    const change = entry.fields[field.name];
    const empty = change && isSameValue(change.before, null) && isSameValue(change.after, null);
    // Time and author are in the head of the entry.
    const isRecorded = field.recorded !== undefined;
    const isErased = entry.erased?.includes(field.name) ?? false;
    return change && (!empty || isErased) && !isRecorded ? [{ field, isErased, ...change }] : [];
  });
  return (
    <li className={classes.entry}>
      <Text mb={4} fz="sm">
        {richText(
          entryText(
            entry,
            table,
            changed.map(({ field }) => field.label),
          ),
          {
            author: () => <strong>{authorLabel(entry)}</strong>,
          },
        )}
        <Hint span display="block" fz="xs">
          <time dateTime={entry.at} title={formatMoment(entry.at)}>
            {formatInstant(entry.at)}
          </time>
          {entry.origin && !isOrdinary(entry.origin) && (
            <span className={classes.origin}>{originLabel(entry.origin)}</span>
          )}
        </Hint>
      </Text>
      {entry.reason && (
        <Hint p="2px 0 6px" fs="italic">
          “{entry.reason}”
        </Hint>
      )}
      {entry.kind !== "delete" && (
        <Stack component="ul" gap={4}>
          {changed.map(({ field, isErased, before, after }) => (
            <li key={field.name} className={classes.change}>
              <Dim>{field.label}</Dim>
              <ValueChange
                field={field}
                before={entry.kind === "update" ? (before ?? null) : undefined}
                after={after ?? null}
                isErased={isErased}
              />
              {entry.kind === "update" && !isErased && (
                <RestoreValue
                  table={table}
                  field={field}
                  abilities={abilities}
                  record={record}
                  value={before}
                />
              )}
            </li>
          ))}
        </Stack>
      )}
      {entry.kind !== "delete" && newer.length > 0 && mayRestore(abilities, newer) && (
        <RestoreVersion table={table} entry={entry} newer={newer} />
      )}
    </li>
  );
}

/** Whether some of what followed an entry can be taken back; the preview says of each part whether it can. */
function mayRestore(abilities: TableAbilities, newer: readonly HistoryEntry[]): boolean {
  const isDeleted = newer[0]?.kind === "delete";
  return isDeleted ? abilities.delete : abilities.update.length > 0;
}

interface RestoreVersionProps {
  table: Table;
  /** The entry as of which the record is restored. */
  entry: HistoryEntry;
  /** The changes after it. */
  newer: readonly HistoryEntry[];
}

/**
 * Restores the record as it was after an entry of its history: a draft that reverts what came later. Its preview names
 * what can't be restored.
 */
function RestoreVersion({ table, entry, newer }: RestoreVersionProps) {
  const { isBusy, run } = useBusy();
  const goOn = useGoOn();
  const restore = async () => {
    const title = messages.restoreTitle({
      record: table.recordLabel,
      time: formatMoment(entry.at),
    });
    const changes = newer.map(({ seq }) => ({ table: table.name, seq }));
    const { id } = await rest("POST /change-sets", { body: { title, revert: { changes } } });
    goOn(changeSetAddress(id));
  };
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      loading={isBusy}
      leftSection={<IconRestore size={14} aria-hidden="true" />}
      onClick={() => void run(restore)}
    >
      {messages.restoreVersion()}
    </Button>
  );
}
