import { Box, Group, Modal } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { type Field, findField, type Table, type Values } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { explanationText } from "../../messages/error-text.ts";
import { announce } from "../../ui/announce.ts";
import { toastFailure } from "../../ui/toast.tsx";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import { optionLabel } from "../fields/format-value.ts";
import { ValueMark } from "../fields/value-mark.tsx";
import { FieldsForm, type FieldsInput } from "./fields-form.tsx";
import { TransitionList } from "./transition-list.tsx";

interface TransitionRecord {
  id: string;
  values: Readonly<Values>;
}

interface TransitionStep extends Partial<TransitionInput> {
  transition: string;
  from: string;
}

interface PendingChoice {
  record: TransitionRecord;
  options: readonly TransitionOption[];
}

/**
 * Runs a chosen transition, for panel, grid and board: says why it is not available, asks for what it still needs or
 * which one of several to run, runs it, and shows a refusal.
 */
export function useTransitions({
  table,
  run,
  onRefused,
  onTyping,
  onLost,
  onClosed,
  inPlace,
}: {
  table: Table;
  /** Runs the transition. Resolves to the text of a refusal, or to null. */
  run(table: string, record: string, step: TransitionStep): Promise<string | null>;
  onRefused?(record: string): void;
  /** The text that is being typed for a field, or as the reason (null). It is empty once it was sent or discarded. */
  onTyping(table: string, record: string, field: string | null, text: string): void;
  /** What was entered was not sent, as when a colleague deletes the record or moves it first. */
  onLost(table: string, record: string, input: Partial<TransitionInput>, reason: string): void;
  /** The dialog has closed. */
  onClosed?(): void;
  /** Asks for what a transition needs where `dialog` is rendered, not in a dialog on top of the page. */
  inPlace?: boolean;
}): {
  begin(record: TransitionRecord, options: readonly TransitionOption[]): void;
  dialog: ReactNode;
} {
  const [pending, setPending] = useState<PendingChoice | null>(null);
  const governed = governedBy(table);
  const field = governed && findField(table, governed.stateField);
  // Its author closed the form; otherwise it is taken away from them.
  const isClosed = useRef(true);
  const close = () => {
    isClosed.current = true;
    setPending(null);
  };
  const runTransition = async (
    record: TransitionRecord,
    { transition }: TransitionOption,
    input: Partial<TransitionInput> = {},
  ) => {
    close();
    const from = String(record.values[field?.name ?? ""] ?? "");
    const refusal = await run(table.name, record.id, {
      transition: transition.name,
      from,
      ...input,
    });
    if (refusal === null)
      return announce(
        messages.changedTo({ state: field ? optionLabel(field, transition.to) : transition.to }),
      );
    toastFailure(refusal);
    onLost(table.name, record.id, input, refusal);
    onRefused?.(record.id);
  };
  const begin = (record: TransitionRecord, options: readonly TransitionOption[]) => {
    const possible = options.filter(({ obstacle }) => obstacle === null);
    const [first] = possible;
    if (!first) {
      const [first] = options;
      toastFailure(first?.obstacle ? explanationText(first.obstacle) : messages.notAvailable());
      onRefused?.(record.id);
    } else if (possible.length > 1 || first.missing.length > 0 || first.transition.reason) {
      isClosed.current = false;
      setPending({ record, options: possible });
    } else void runTransition(record, first);
  };
  const [only] = pending?.options ?? [];
  const isChoice = (pending?.options.length ?? 0) > 1;
  const title = isChoice
    ? messages.changeState({ record: table.recordLabel })
    : only?.transition.label;
  const content = pending && field && (
    <>
      {isChoice && (
        <TransitionList
          table={table}
          field={field}
          options={pending.options}
          column
          onPick={(option) => begin(pending.record, [option])}
        />
      )}
      {only && !isChoice && (
        <RunTransitionForm
          key={only.transition.name}
          table={table}
          field={field}
          option={only}
          values={pending.record.values}
          onRun={(input) => void runTransition(pending.record, only, input)}
          onCancel={close}
          onTyping={(name, text) => onTyping(table.name, pending.record.id, name, text)}
          onLeave={(input) => {
            if (!isClosed.current) onLost(table.name, pending.record.id, input, messages.notSent());
          }}
        />
      )}
    </>
  );
  const dialog = inPlace ? (
    content && <InPlace label={title ?? ""} content={content} onClose={close} />
  ) : (
    <Modal
      opened={pending !== null}
      onClose={close}
      closeOnClickOutside={isChoice}
      title={title}
      size={440}
      {...(onClosed && { onExitTransitionEnd: onClosed })}
    >
      {content}
    </Modal>
  );
  return { begin, dialog };
}

interface Props {
  label: string;
  content: ReactNode;
  onClose(): void;
}

/**
 * A part of a panel that takes the focus when it opens, and returns it when it closes: to the panel itself if the button that opened
 * it is gone. Esc closes it.
 */
function InPlace({ label, content, onClose }: Props) {
  const part = useRef<HTMLElement>(null);
  const giveFocus = useGiveFocus();
  const attach = useCallback(
    (element: HTMLElement) => {
      part.current = element;
      return giveFocus(element);
    },
    [giveFocus],
  );
  useEffect(() => {
    const before = document.activeElement;
    part.current?.querySelector<HTMLElement>("input, textarea, button")?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <Box
      component="section"
      ref={attach}
      p={14}
      bd="1px solid var(--wf-line-strong)"
      bdrs={8}
      bg="var(--wf-raised)"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.stopPropagation();
        onClose();
      }}
    >
      {content}
    </Box>
  );
}

/** The entered values, the previous values, and the reason. */
interface TransitionInput {
  set: Values;
  base: Values;
  reason?: string;
}

interface RunTransitionFormProps {
  table: Table;
  field: Field;
  option: TransitionOption;
  values: Readonly<Values>;
  onRun(input: TransitionInput): void;
  onCancel(): void;
  /** The text in the input of a field, or of the reason (null). It is empty when the form closes. */
  onTyping(field: string | null, text: string): void;
  /** The form is taken away, with what was entered up to then. */
  onLeave(input: TransitionInput): void;
}

/** Asks for what a transition still needs: its empty required fields and its reason. */
function RunTransitionForm(props: RunTransitionFormProps) {
  const { table, field, option, values, onRun, onLeave } = props;
  const { transition, missing } = option;
  const inputOf = ({ values: set, reason }: FieldsInput): TransitionInput => {
    const base = Object.keys(set).map((name) => [name, values[name] ?? null]);
    return { set, base: Object.fromEntries(base), ...(reason && { reason }) };
  };
  return (
    <FieldsForm
      fields={missing.flatMap((name) => findField(table, name) ?? [])}
      hintOf={({ help }) => help}
      emptyProblem={({ label }) => messages.fieldRequired({ field: label })}
      reasonHint={transition.reason ? messages.reasonHint() : undefined}
      action={transition.label}
      onSubmit={(input) => onRun(inputOf(input))}
      onCancel={props.onCancel}
      onTyping={props.onTyping}
      onLeave={(input) => onLeave(inputOf(input))}
    >
      <Group gap={8} c="dimmed">
        <ValueMark field={field} value={values[field.name]} />
        <IconArrowRight size={16} aria-label={messages.newState()} />
        <ValueMark field={field} value={transition.to} />
      </Group>
    </FieldsForm>
  );
}
