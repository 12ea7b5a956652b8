import { Button, Stack, Text, Textarea } from "@mantine/core";
import { type ReactNode, type SubmitEvent, useEffect, useId, useRef, useState } from "react";
import type { Field, Values } from "../../../../shared/model/model.ts";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { DialogButtons } from "../../ui/dialog-buttons.tsx";
import { noFill } from "../../ui/no-fill.ts";
import { ErrorText, Hint } from "../../ui/texts.ts";
import { FieldEdit } from "../fields/field-edit.ts";
import { FieldInput } from "../fields/field-input.tsx";
import type { Parsed } from "../fields/typed-text.ts";

/** The values that were entered and can be read, and the reason. */
export interface FieldsInput {
  values: Values;
  reason: string;
}

interface Props {
  fields: readonly Field[];
  /** What the inputs begin with, as if it was typed. */
  typed?: string | undefined;
  /** A sentence below the label of a field. */
  hintOf?(field: Field): string | undefined;
  /** What is wrong if a field is left empty; undefined if it may be. */
  emptyProblem(field: Field): string | undefined;
  /** What becomes of the reason; undefined if none is needed. */
  reasonHint: string | undefined;
  action: string;
  isBusy?: boolean;
  onSubmit(input: FieldsInput): void;
  onCancel(): void;
  /** Begins the edit of a field, or of the reason (null), with the first key. Without this the form is of no record. */
  begin?(field: Field | null): FieldEdit;
  /** Shown above the inputs. */
  children?: ReactNode;
  /** Shown below them. */
  below?: ReactNode;
}

/** No field can have this name: names are never empty. */
const REASON = "";

/**
 * Typing begins in the first input: not on the button that closes the dialog, which a blank would press. A dialog that opens with the form
 * looks for the mark; where the form takes the place of something else in it, the dialog has the focus by then (`useGiveFocus`).
 */
function focusFirstInput(form: HTMLFormElement | null): void {
  const input = form?.querySelector<HTMLElement>("input, textarea");
  input?.toggleAttribute("data-autofocus", true);
  if (form?.closest('[role="dialog"]') === document.activeElement) input?.focus();
}

/** Asks for the values of fields, and for the reason of a transition. */
export function FieldsForm(props: Props) {
  const { fields, reasonHint, isBusy = false } = props;
  const edits = useRef(new Map<string, FieldEdit>());
  const [reason, setReason] = useState("");
  const [problems, setProblems] = useState<Record<string, string>>({});
  const inputOf = (): FieldsInput => {
    const values: Values = {};
    for (const { name } of fields) {
      const { parsed } = edits.current.get(name) ?? {};
      if (parsed?.ok) values[name] = parsed.value;
    }
    return { values, reason: reason.trim() };
  };
  const type = (field: Field | null, parsed: Parsed, text: string) => {
    const name = field?.name ?? REASON;
    const edit = edits.current.get(name) ?? props.begin?.(field) ?? new FieldEdit({ base: null });
    edits.current.set(name, edit);
    edit.type(parsed, text);
    if (!parsed.ok && parsed.unsearched) waitsFor.current = null;
    else if (waitsFor.current) {
      waitsFor.current = "choice";
      setAnswers((count) => count + 1);
    }
  };
  // The form is sent once the server has said what a text names that was typed right before, and the input has chosen by that (in an effect of
  // its own, so in one that runs after it): until then the text looks as if it named nothing.
  const waitsFor = useRef<"answer" | "choice" | null>(null);
  const [, setAnswers] = useState(0);
  useEffect(() => {
    if (waitsFor.current === "choice") send();
  });
  const isUnsearched = () =>
    [...edits.current.values()].some(({ parsed }) => parsed && !parsed.ok && parsed.unsearched);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!waitsFor.current && isUnsearched()) waitsFor.current = "answer";
    else send();
  };
  const send = () => {
    waitsFor.current = null;
    const found: Record<string, string> = {};
    for (const field of fields) {
      const draft = edits.current.get(field.name)?.parsed;
      const isEmpty = !draft || (draft.ok && draft.value === null);
      const problem = isEmpty ? props.emptyProblem(field) : !draft.ok && draft.message;
      if (problem) found[field.name] = problem;
    }
    if (reasonHint && !reason.trim()) found[REASON] = messages.reasonRequired();
    setProblems(found);
    if (Object.keys(found).length === 0 && !isBusy) props.onSubmit(inputOf());
  };
  return (
    <form ref={focusFirstInput} onSubmit={submit} noValidate>
      <Stack gap="md">
        {props.children}
        {fields.map((field) => (
          <LabelledInput
            key={field.name}
            field={field}
            typed={props.typed}
            hint={props.hintOf?.(field)}
            problem={problems[field.name]}
            onDraft={(parsed, text) => type(field, parsed, text)}
          />
        ))}
        {reasonHint && (
          <Textarea
            {...noFill}
            label={messages.reason()}
            description={reasonHint}
            autosize
            minRows={2}
            maxLength={2_000}
            value={reason}
            error={problems[REASON]}
            onChange={({ currentTarget: { value } }) => {
              setReason(value);
              type(null, { ok: true, value }, value);
            }}
          />
        )}
        {props.below}
        <DialogButtons onCancel={props.onCancel}>
          <Button type="submit" loading={isBusy}>
            {props.action}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}

interface InputProps {
  field: Field;
  typed: string | undefined;
  /** A sentence below the label. */
  hint: string | undefined;
  problem: string | undefined;
  onDraft(parsed: Parsed, text: string): void;
}

/** An empty input for a field in a dialog, with its label, a hint and a problem. */
function LabelledInput({ field, typed, hint, problem, onDraft }: InputProps) {
  const id = useId();
  const texts = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean);
  return (
    // What is wrong with a text to begin with is said at once, below the input.
    <Stack gap={4} pb={typed === undefined ? 0 : 20}>
      <Text component="label" fw={600} htmlFor={id}>
        {field.label}
      </Text>
      {hint && (
        <Hint id={`${id}-hint`} fz="xs">
          {hint}
        </Hint>
      )}
      <FieldInput
        id={id}
        field={field}
        value={null}
        typed={typed}
        look="form"
        describedBy={texts.length > 0 ? texts.join(" ") : undefined}
        onDraft={onDraft}
        onDone={() => {}}
      />
      {problem && (
        <ErrorText id={`${id}-problem`} role="alert">
          {problem}
        </ErrorText>
      )}
    </Stack>
  );
}
