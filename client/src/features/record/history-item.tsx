import { Button } from "@mantine/core";
import { IconArrowBackUp, IconArrowRight } from "@tabler/icons-react";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Field, Table } from "../../../../shared/model/model.ts";
import type { TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { HistoryEntry } from "../../../../shared/protocol/history.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { richText } from "../../messages/rich-text.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { pageCore } from "../../sync/page/page-core.ts";
import { pageLabels } from "../../sync/page/page-labels.ts";
import { formatInstant } from "../../ui/fields/instant.ts";
import { readOnlyReason } from "../../ui/fields/read-only-reason.ts";
import { isSameValue } from "../../ui/fields/same-value.ts";
import { ValueMark } from "../../ui/fields/value-mark.tsx";
import { formatMoment } from "../../ui/numbers.ts";
import { toast, toastFailure } from "../../ui/toast.tsx";
import { runUndoStep } from "../../ui/undo.ts";
import { authorLabel, entryText } from "./history-labels.ts";
import classes from "./record.module.css";

interface Props {
  entry: HistoryEntry;
  table: Table;
  abilities: TableAbilities;
  record: RecordView;
}

/** An entry of the history. Replaced values can be restored by an ordinary edit. */
export function HistoryItem({ entry, table, abilities, record }: Props) {
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
      <p className={classes.entryHead}>
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
        <time dateTime={entry.at} title={formatMoment(entry.at)}>
          {formatInstant(entry.at)}
        </time>
      </p>
      {entry.reason && <p className={classes.note}>“{entry.reason}”</p>}
      {entry.kind !== "delete" && (
        <ul className={classes.changes}>
          {changed.map(({ field, isErased, before, after }) => (
            <li key={field.name} className={classes.change}>
              <span className={classes.changeName}>{field.label}</span>
              <span className={classes.changeValues}>
                {entry.kind === "update" && (
                  <>
                    <ValueMark
                      field={field}
                      value={before}
                      lookUp={pageLabels()}
                      isErased={isErased}
                    />
                    <IconArrowRight size={14} aria-label={messages.newValue()} />
                  </>
                )}
                <ValueMark field={field} value={after} lookUp={pageLabels()} isErased={isErased} />
              </span>
              {entry.kind === "update" && !isErased && (
                <Restore
                  table={table}
                  field={field}
                  abilities={abilities}
                  record={record}
                  value={before}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

interface RestoreProps {
  table: Table;
  field: Field;
  abilities: TableAbilities;
  record: RecordView;
  value: Json;
}

function Restore({ table, field, abilities, record, value }: RestoreProps) {
  const now = record.values[field.name] ?? null;
  const possible = readOnlyReason(table, field, abilities, record) === null;
  if (!possible || isSameValue(now, value)) return null;
  const restore = async () => {
    const { edits, undo } = pageCore();
    const set = { [field.name]: value };
    const edit = { record: record.id, set, base: { [field.name]: now } };
    const { batch, outcomes } = edits.editMany(table.name, [edit]);
    const [outcome] = await outcomes;
    const label = field.label;
    if (outcome?.kind === "refused") {
      toastFailure(messages.notRestored({ field: label, reason: outcome.message }));
    } else {
      const undoRestore = () => void runUndoStep(undo, "undo", { batch });
      toast(messages.restored({ field: label }), undoRestore);
    }
  };
  return (
    <Button
      variant="subtle"
      size="compact-xs"
      leftSection={<IconArrowBackUp size={14} aria-hidden="true" />}
      aria-label={messages.restoreValue({ field: field.label })}
      onClick={() => void restore()}
    >
      {messages.restore()}
    </Button>
  );
}
