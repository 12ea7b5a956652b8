import { Box, Group, Modal } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { recordTitle } from "../../../../shared/model/display-text.ts";
import { type Field, findField, type Table, type Values } from "../../../../shared/model/model.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import {
  missingFor,
  type TransitionOption,
} from "../../../../shared/policy/possible-transitions.ts";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { explanationText } from "../../messages/error-text.ts";
import { recordAtom } from "../../state/table-state.ts";
import { useAtom } from "../../state/use-atom.ts";
import { announce } from "../../ui/announce.ts";
import { toastFailure } from "../../ui/toast.tsx";
import { useGiveFocus } from "../../ui/use-give-focus.ts";
import { type Editing, type FieldAt, FieldEdit, untilLookedUp } from "../fields/field-edit.ts";
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
  editing,
  onRefused,
  onClosed,
  inPlace,
}: {
  table: Table;
  /** Runs the transition. Resolves to the text of a refusal, or to null. */
  run(table: string, record: string, step: TransitionStep): Promise<string | null>;
  /** Where what is entered for a transition is edited. */
  editing(): Editing;
  onRefused?(record: string): void;
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
  /** What was entered in the open form. */
  const entered = useRef<FieldEdit[]>([]);
  // Its author closes the form, having sent or cancelled what is in it.
  const close = () => {
    for (const edit of entered.current.splice(0)) edit.cancel();
    setPending(null);
  };
  const runTransition = async (
    record: TransitionRecord,
    { transition }: TransitionOption,
    input: Partial<TransitionInput> = {},
  ) => {
    const sent = [...entered.current];
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
    // What was entered was not saved, as when a colleague deletes the record or moves it first.
    for (const edit of sent) edit.leave(refusal);
    onRefused?.(record.id);
  };
  /** What was typed in its field just before counts as filled in, also while it is looked up what a text names. */
  const begin = (record: TransitionRecord, options: readonly TransitionOption[]) => {
    const lookedUp = options.some(({ missing }) => missing.length > 0) && untilLookedUp(table.name);
    if (lookedUp) void lookedUp.then(() => beginNow(record, options));
    else beginNow(record, options);
  };
  const beginNow = (shown: TransitionRecord, chosen: readonly TransitionOption[]) => {
    const { values } = editing().viewOf(table.name, shown.id) ?? shown;
    const options = chosen.map((option) => ({
      ...option,
      missing: missingIn(table, option, values),
    }));
    // The transition is from the state that its author saw.
    const state = field ? { [field.name]: shown.values[field.name] ?? null } : {};
    const record = { id: shown.id, values: { ...values, ...state } };
    const possible = options.filter(({ obstacle }) => obstacle === null);
    const [first] = possible;
    if (!first) {
      const [first] = options;
      toastFailure(first?.obstacle ? explanationText(first.obstacle) : messages.notAvailable());
      onRefused?.(record.id);
    } else if (possible.length > 1 || first.missing.length > 0 || first.transition.reason) {
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
          entered={entered}
          at={{ ...editing(), table, record: pending.record.id }}
          onRun={(input) => void runTransition(pending.record, only, input)}
          onCancel={close}
        />
      )}
    </>
  );
  const name = pending && recordTitle(table, pending.record.id, pending.record.values);
  const dialog = inPlace ? (
    content && <InPlace label={title ?? ""} content={content} onClose={close} />
  ) : (
    <Modal
      opened={pending !== null}
      onClose={close}
      closeOnClickOutside={isChoice}
      title={messages.ofRecord({ title: title ?? "", record: name ?? "" })}
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
      bdrs="md"
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
  at: Omit<FieldAt, "field">;
  /** Takes the edits of the form. */
  entered: RefObject<FieldEdit[]>;
  onRun(input: TransitionInput): void;
  onCancel(): void;
}

/** The required fields of a transition that it does not set itself and that are empty in these values. */
function missingIn(table: Table, { transition }: TransitionOption, values: Readonly<Values>) {
  return missingFor(table, transition, { ...values, ...transition.sets });
}

/** The place of a typed reason: no field has such a name. */
const REASON_PLACE = "#reason";

/**
 * Asks for what a transition still needs: its empty required fields and its reason. Where the form is taken away before its author has
 * sent or cancelled what they entered, it is listed as they typed it.
 */
function RunTransitionForm(props: RunTransitionFormProps) {
  const { table, field, option, values, at, entered, onRun } = props;
  const { transition } = option;
  const live = useAtom(useMemo(() => recordAtom(table.name, at.record), [table, at.record]));
  const empty = missingIn(table, option, live?.values ?? values);
  const [typed, setTyped] = useState<readonly string[]>([]);
  // One that its author fills in elsewhere meanwhile, as in the panel around the form, is not asked for any more.
  const missing = option.missing.filter((name) => empty.includes(name) || typed.includes(name));
  useEffect(
    () => () => {
      for (const edit of entered.current.splice(0)) edit.leave(messages.notSent());
    },
    [entered],
  );
  const begin = (of: Field | null) => {
    const reason: Field = { name: REASON_PLACE, label: messages.reason(), type: "longText" };
    const base = (of && values[of.name]) ?? null;
    const edit = new FieldEdit({ at: { ...at, field: of ?? reason }, base });
    entered.current.push(edit);
    if (of) setTyped((before) => [...before, of.name]);
    return edit;
  };
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
      begin={begin}
    >
      <Group gap={8} c="dimmed">
        <ValueMark field={field} value={values[field.name]} />
        <IconArrowRight size={16} aria-label={messages.newState()} />
        <ValueMark field={field} value={transition.to} />
      </Group>
    </FieldsForm>
  );
}
