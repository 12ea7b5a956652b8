import { Group, Stack } from "@mantine/core";
import { findField, type Table } from "../../../../shared/model/model.ts";
import { governedBy, lockedFields } from "../../../../shared/model/state-of.ts";
import { transitionOptions } from "../../../../shared/policy/possible-transitions.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { ValueMark } from "../../records/fields/value-mark.tsx";
import { TransitionList } from "../../records/transitions/transition-list.tsx";
import { useTransitions } from "../../records/transitions/use-transitions.tsx";
import type { RecordView } from "../../state/record-view.ts";
import { useTransitionAuthor } from "../../state/use-transition-author.ts";
import { isNewRecord } from "../../sync/edits/build-view.ts";
import { pageEditing } from "../../sync/page/page-labels.ts";
import { runTransition } from "../../sync/page/run-transition.ts";
import { formatList } from "../../ui/numbers.ts";
import { Hint } from "../../ui/texts.ts";

/** The state of the record and its transitions. Empty for tables without a workflow. */
export function RecordTransitions({ table, record }: { table: Table; record: RecordView }) {
  const author = useTransitionAuthor(table.name);
  const { begin, dialog } = useTransitions({
    table,
    editing: pageEditing,
    run: (of, record, step) => runTransition(of, record, step, "panel"),
    inPlace: true,
  });
  const governed = governedBy(table);
  const field = governed && findField(table, governed.stateField);
  if (!field || record.mark === "deleted" || isNewRecord(record)) return null;
  const locks = lockedFieldsLabel(table, record);
  return (
    <Stack
      component="section"
      gap={8}
      flex="none"
      pt={2}
      pb={12}
      px={16}
      aria-label={messages.state()}
    >
      <Group gap={8} wrap="nowrap">
        <ValueMark field={field} value={record.values[field.name]} />
        {record.pending === "transition" && (
          <Hint span fz="xs" fs="italic">
            {messages.notSavedYet()}
          </Hint>
        )}
      </Group>
      <TransitionList
        table={table}
        field={field}
        options={transitionOptions(table, record, author)}
        onPick={(option) => begin(record, [option])}
      />
      {locks && <Hint>{locks}</Hint>}
      {dialog}
    </Stack>
  );
}

/** The fields that the state makes read-only; null if there are none. */
function lockedFieldsLabel(table: Table, { values }: RecordView): string | null {
  const locked = lockedFields(table, values);
  if (locked.length === 0) return null;
  if (locked.length >= table.fields.length - 1) return messages.allReadOnly();
  const labels = locked.map((name) => findField(table, name)?.label ?? name);
  return messages.someReadOnly({ fields: formatList(labels) });
}
