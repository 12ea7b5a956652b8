import { Button, Group, Stack } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { type SubmitEvent, useEffect, useRef, useState } from "react";
import { type Field, findField, type Table, type Values } from "../../../../shared/model/model.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { DialogButtons } from "../../ui/dialog-buttons.tsx";
import { useLatest } from "../../ui/use-latest.ts";
import { LabelledInput } from "../fields/labelled-input.tsx";
import type { Parsed } from "../fields/parse-input.ts";
import { ValueMark } from "../fields/value-mark.tsx";
import { ReasonInput } from "./reason-input.tsx";

/** The entered values, the previous values, and the reason. */
export interface TransitionInput {
  set: Values;
  base: Values;
  reason?: string;
}

interface Props {
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
export function RunTransitionForm(props: Props) {
  const { table, field, option, values, onRun, onCancel, onTyping, onLeave } = props;
  const { transition, missing } = option;
  const drafts = useRef(new Map<string, Parsed>());
  const [reason, setReason] = useState("");
  const [problems, setProblems] = useState<Record<string, string>>({});
  const fields = missing.flatMap((name) => findField(table, name) ?? []);
  const inputOf = (): TransitionInput => {
    const set: Values = {};
    const base: Values = {};
    for (const { name } of fields) {
      const draft = drafts.current.get(name);
      if (draft?.ok) [set[name], base[name]] = [draft.value, values[name] ?? null];
    }
    return { set, base, ...(reason.trim() && { reason: reason.trim() }) };
  };
  const leave = useLatest(() => {
    onLeave(inputOf());
    for (const name of [...drafts.current.keys(), ...(reason ? [null] : [])]) onTyping(name, "");
  });
  useEffect(() => () => leave.current(), []);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = problemsOf(fields, drafts.current, transition.reason === true && !reason.trim());
    setProblems(found);
    if (Object.keys(found).length > 0) return;
    onRun(inputOf());
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Group gap={8} c="dimmed">
          <ValueMark field={field} value={values[field.name]} />
          <IconArrowRight size={16} aria-label={messages.newState()} />
          <ValueMark field={field} value={transition.to} />
        </Group>
        {fields.map((one) => (
          <LabelledInput
            key={one.name}
            field={one}
            problem={problems[one.name]}
            onDraft={(parsed, text) => {
              drafts.current.set(one.name, parsed);
              onTyping(one.name, text);
            }}
          />
        ))}
        {transition.reason && (
          <ReasonInput
            description={messages.reasonHint()}
            value={reason}
            error={problems[REASON]}
            autofocus={fields.length === 0}
            onReason={(text) => {
              setReason(text);
              onTyping(null, text);
            }}
          />
        )}
        <DialogButtons cancel={messages.cancel()} onCancel={onCancel}>
          <Button type="submit">{transition.label}</Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}

/** No field can have this name: names are never empty. */
const REASON = "";

function problemsOf(
  fields: readonly Field[],
  drafts: ReadonlyMap<string, Parsed>,
  lacksReason: boolean,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const { name, label } of fields) {
    const draft = drafts.get(name);
    if (draft && !draft.ok) problems[name] = draft.message;
    else if (!draft || draft.value === null)
      problems[name] = messages.fieldRequired({ field: label });
  }
  if (lacksReason) problems[REASON] = messages.reasonRequired();
  return problems;
}
