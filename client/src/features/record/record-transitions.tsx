import { Group, Stack, UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import type { Json } from "../../../../shared/filter/filter.ts";
import { type Field, findField, type Table } from "../../../../shared/model/model.ts";
import { governedBy, lockedFields } from "../../../../shared/model/state-of.ts";
import {
  type TransitionOption,
  transitionOptions,
} from "../../../../shared/policy/possible-transitions.ts";
import { recordMessages as messages } from "../../messages/en/record.ts";
import { optionLabel } from "../../records/fields/format-value.ts";
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
import { TitledPopover } from "../../ui/titled-popover.tsx";
import classes from "./record.module.css";

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
  const options = transitionOptions(table, record, author);
  const pick = (option: TransitionOption) => begin(record, [option]);
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
      <Group gap={8} justify="space-between">
        <Group gap={8} wrap="nowrap">
          <StateMenu
            table={table}
            field={field}
            value={record.values[field.name]}
            options={options}
            onPick={pick}
          />
          {record.pending === "transition" && (
            <Hint span fz="xs" fs="italic">
              {messages.notSavedYet()}
            </Hint>
          )}
        </Group>
        <TransitionList
          table={table}
          field={field}
          options={firstOptions(table, record.values[field.name], options)}
          primary
          onPick={pick}
        />
      </Group>
      {locks && <Hint>{locks}</Hint>}
      {dialog}
    </Stack>
  );
}

interface StateProps {
  table: Table;
  field: Field;
  value: Json | undefined;
  options: readonly TransitionOption[];
  onPick(option: TransitionOption): void;
}

/** The state, as a button that offers all its transitions. */
function StateMenu({ table, field, value, options, onPick }: StateProps) {
  const [opened, setOpened] = useState(false);
  if (options.length === 0) return <ValueMark field={field} value={value} />;
  return (
    <TitledPopover
      opened={opened}
      onOpened={setOpened}
      title={messages.moveTo()}
      aria-label={messages.state()}
      target={
        <UnstyledButton
          className={classes.state}
          aria-expanded={opened}
          aria-haspopup="dialog"
          aria-label={messages.changeState({ state: optionLabel(field, String(value ?? "")) })}
          onClick={() => setOpened(!opened)}
        >
          <ValueMark field={field} value={value} />
          <IconChevronDown size={14} aria-hidden="true" />
        </UnstyledButton>
      }
    >
      <TransitionList
        table={table}
        field={field}
        options={options}
        column
        onPick={(option) => {
          setOpened(false);
          onPick(option);
        }}
      />
    </TitledPopover>
  );
}

/**
 * The transitions that are buttons of their own: both of two, and of more the one that is most probably next. That begins the work in
 * the first state, and ends it later.
 */
function firstOptions(
  table: Table,
  state: Json | undefined,
  options: readonly TransitionOption[],
): readonly TransitionOption[] {
  if (options.length < 3) return options;
  const states = table.workflow?.states ?? [];
  const isOpen = ({ transition: { to } }: TransitionOption) =>
    states.find(({ value }) => value === to)?.open ?? false;
  const possible = options.filter(({ obstacle }) => obstacle === null);
  const isFirst = state === states[0]?.value;
  const next = possible.find((option) => isOpen(option) === isFirst) ?? possible[0] ?? options[0];
  return next ? [next] : [];
}

/** The fields that the state makes read-only; null if there are none. */
function lockedFieldsLabel(table: Table, { values }: RecordView): string | null {
  const locked = lockedFields(table, values);
  if (locked.length === 0) return null;
  if (locked.length >= table.fields.length - 1) return messages.allReadOnly();
  const labels = locked.map((name) => findField(table, name)?.label ?? name);
  return messages.someReadOnly({ fields: formatList(labels) });
}
