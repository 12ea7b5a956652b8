import { Group, Stack, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconLock } from "@tabler/icons-react";
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
import { locksAll } from "../../records/fields/read-only-reason.ts";
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
  const value = record.values[field.name];
  const options = transitionOptions(table, record, author);
  const isLocked = locksAll(table, record.values);
  const isFinal = isLocked && options.length === 0;
  const of = { record: table.recordLabel, state: optionLabel(field, String(value ?? "")) };
  const locks = isLocked
    ? isFinal
      ? messages.lockedForGood(of)
      : messages.locked(of)
    : lockedFieldsLabel(table, record);
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
          <StateMenu table={table} field={field} value={value} options={options} onPick={pick} />
          {record.pending === "transition" && (
            <Hint span fz="xs" fs="italic">
              {messages.notSavedYet()}
            </Hint>
          )}
        </Group>
        {!isFinal && (
          <TransitionList
            table={table}
            field={field}
            options={firstOptions(table, value, options, isLocked)}
            primary
            onPick={pick}
          />
        )}
      </Group>
      {locks && (
        <Hint className={classes.locked ?? ""}>
          <IconLock size={14} stroke={1.8} aria-hidden="true" />
          {locks}
        </Hint>
      )}
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
 * the first state, and in one whose fields can't be edited, and ends it in others.
 */
function firstOptions(
  table: Table,
  state: Json | undefined,
  options: readonly TransitionOption[],
  isLocked: boolean,
): readonly TransitionOption[] {
  if (options.length < 3) return options;
  const states = table.workflow?.states ?? [];
  const isOpen = ({ transition: { to } }: TransitionOption) =>
    states.find(({ value }) => value === to)?.open ?? false;
  const possible = options.filter(({ obstacle }) => obstacle === null);
  const isFirst = state === states[0]?.value;
  const next =
    possible.find((option) => isOpen(option) === (isFirst || isLocked)) ??
    possible[0] ??
    options[0];
  return next ? [next] : [];
}

/** The fields that the state makes read-only, of several; null if there are none. */
function lockedFieldsLabel(table: Table, { values }: RecordView): string | null {
  const locked = lockedFields(table, values);
  if (locked.length === 0) return null;
  const labels = locked.map((name) => findField(table, name)?.label ?? name);
  return messages.someReadOnly({ fields: formatList(labels) });
}
