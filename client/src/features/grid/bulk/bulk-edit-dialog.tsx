import { Checkbox, NativeSelect, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { traitsOf } from "../../../../../shared/model/field-types.ts";
import type { Field, Table } from "../../../../../shared/model/model.ts";
import type { BulkEdit } from "../../../../../shared/protocol/change-sets.ts";
import { bulkEditMessages as messages } from "../../../messages/en/bulk-edit.ts";
import { gridMessages } from "../../../messages/en/grid.ts";
import { changeSetAddress } from "../../../records/change-sets/change-set-address.ts";
import { FieldsForm, type FieldsInput } from "../../../records/transitions/fields-form.tsx";
import { rest } from "../../../transport/rest/rest.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { useGoOn } from "../../../ui/use-go-on.ts";
import { useIsMounted } from "../../../ui/use-is-mounted.ts";
import type { Total } from "../toolbar/use-total.ts";
import { type BulkChoice, keyOfChoice } from "./bulk-choices.ts";

/** The records that a bulk edit is about, and how many they are. */
export type BulkTarget = Pick<BulkEdit, "filter" | "search" | "zone"> & Total;

interface Props {
  table: Table;
  choices: readonly BulkChoice[];
  /** The choice to begin with; by default the first field whose values many records share. */
  first?: string | undefined;
  target: BulkTarget;
  /** Changes a field of all of them at once; undefined where they are too many for that. */
  setNow?: ((field: Field, value: Json) => void) | undefined;
  onClose(): void;
}

/** Asks for one edit to many records. A few are changed at once; of others it makes a draft, and opens its preview. */
export function BulkEditDialog({ table, choices, first, target, setNow, onClose }: Props) {
  const [key, setKey] = useState(() => first ?? firstKey(choices));
  const choice = choices.find((one) => keyOfChoice(one) === key);
  const title = target.isLowerBound ? messages.titleMoreThan : messages.titleAbout;
  const records = countText(table, target.total);
  const goOn = useGoOn();
  const isMounted = useIsMounted();
  // The form of another choice may be shown by then, or another dialog.
  const onMade = (draft: string) => {
    if (!isMounted.current) return;
    goOn(changeSetAddress(draft));
    onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      title={target.isExact ? messages.title({ records }) : title({ records })}
      size={460}
    >
      <Stack gap="md">
        <Text c="dimmed">
          {setNow && choice?.kind === "field" ? messages.leadDirect() : messages.lead()}
        </Text>
        <NativeSelect
          label={messages.change()}
          // A choice that is made already leads on to its value.
          data-autofocus={first === undefined || undefined}
          value={key}
          data={choiceGroups(choices)}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {choice && <ChoiceForm key={key} {...{ table, choice, target, setNow, onMade, onClose }} />}
      </Stack>
    </Dialog>
  );
}

/** Not the title, which is each record's own. */
function firstKey(choices: readonly BulkChoice[]): string {
  const isShared = (one: BulkChoice) =>
    one.kind === "field" && traitsOf(one.field.type).names !== undefined;
  const choice = choices.find(isShared) ?? choices[0];
  return choice ? keyOfChoice(choice) : "";
}

function choiceGroups(choices: readonly BulkChoice[]) {
  const items = (kind: BulkChoice["kind"]) =>
    choices.flatMap((choice) => {
      if (choice.kind !== kind) return [];
      const { label } = choice.kind === "field" ? choice.field : choice.transition;
      return [{ value: keyOfChoice(choice), label }];
    });
  return [
    { group: messages.fields(), items: items("field") },
    { group: messages.transitions(), items: items("transition") },
  ].filter((group) => group.items.length > 0);
}

interface ChoiceProps extends Omit<Props, "choices" | "first"> {
  choice: BulkChoice;
  /** The draft exists. */
  onMade(draft: string): void;
}

/** The value of the field, or what the transition needs; and the button that makes the draft. */
function ChoiceForm({ choice, table, target, setNow, onMade, onClose }: ChoiceProps) {
  const { run, problem, isBusy } = useAction();
  // The server finds the records.
  const createDraft = async (edit: ReturnType<typeof editOf>) => {
    const { filter, search, zone } = target;
    const bulk = { table: table.name, filter, search, zone, ...edit };
    const title = titleOf(choice, table, target);
    const { id } = await rest("POST /change-sets", { body: { title, bulk } });
    onMade(id);
  };
  const [isClearing, setClearing] = useState(false);
  const isField = choice.kind === "field";
  const isDirect = isField && setNow !== undefined;
  const records = countText(table, target.total);
  const submit = (input: FieldsInput) => {
    const given = isClearing ? { ...input, values: {} } : input;
    if (!isDirect) return void run(() => createDraft(editOf(choice, given)));
    onClose();
    setNow(choice.field, given.values[choice.field.name] ?? null);
  };
  const emptyProblem = ({ required, label: field }: Field) =>
    required ? messages.required({ field }) : messages.valueOrClear({ field });
  return (
    <FieldsForm
      fields={!isField ? choice.fields : isClearing ? [] : [choice.field]}
      {...(!isField && { hintOf: messages.keepHint })}
      emptyProblem={isField ? emptyProblem : () => undefined}
      reasonHint={!isField && choice.transition.reason ? messages.reasonHint() : undefined}
      action={isDirect ? messages.apply({ records }) : messages.preview()}
      isBusy={isBusy}
      onSubmit={submit}
      onCancel={onClose}
      below={
        isField &&
        !choice.field.required && (
          <Checkbox
            label={messages.clear()}
            checked={isClearing}
            onChange={(event) => setClearing(event.currentTarget.checked)}
          />
        )
      }
    >
      <FormProblem problem={problem} />
    </FieldsForm>
  );
}

/** The values to set; of a transition only those that were filled in. */
function editOf(
  choice: BulkChoice,
  { values, reason }: FieldsInput,
): Pick<BulkEdit, "set" | "transition" | "reason"> {
  if (choice.kind === "field") {
    const { name } = choice.field;
    return { set: { [name]: values[name] ?? null } };
  }
  const filled = Object.entries(values).filter(([, value]) => value !== null);
  return {
    transition: choice.transition.name,
    ...(filled.length > 0 && { set: Object.fromEntries(filled) }),
    ...(reason && { reason }),
  };
}

/** An estimate is no part of a title. */
function titleOf(choice: BulkChoice, table: Table, { total, isExact }: BulkTarget): string {
  const records = isExact ? countText(table, total) : table.label.toLowerCase();
  return choice.kind === "field"
    ? messages.setTitle({ field: choice.field.label, records })
    : messages.transitionTitle({ transition: choice.transition.label, records });
}

/** "1 incident", "241 incidents" */
function countText({ recordLabel: record, label }: Table, count: number): string {
  return gridMessages.recordCount({ count, record, records: label.toLowerCase() });
}
