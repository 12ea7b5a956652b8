import { Group } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { type Field, findField, type Table, type Values } from "../../../../shared/model/model.ts";
import type { TransitionOption } from "../../../../shared/policy/possible-transitions.ts";
import { transitionMessages as messages } from "../../messages/en/transitions.ts";
import { ValueMark } from "../fields/value-mark.tsx";
import { FieldsForm, type FieldsInput } from "./fields-form.tsx";

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
