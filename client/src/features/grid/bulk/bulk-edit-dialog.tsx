import { Button, NativeSelect, Stack, Text } from "@mantine/core";
import { type SubmitEvent, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Field, Table, Values } from "../../../../../shared/model/model.ts";
import type { BulkEdit } from "../../../../../shared/protocol/change-sets.ts";
import { bulkEditMessages as messages } from "../../../messages/en/bulk-edit.ts";
import { gridMessages } from "../../../messages/en/grid.ts";
import { changeSetAddress } from "../../../records/change-sets/change-set-address.ts";
import { LabelledInput } from "../../../records/fields/labelled-input.tsx";
import type { Parsed } from "../../../records/fields/parse-input.ts";
import { ReasonInput } from "../../../records/transitions/reason-input.tsx";
import { rest } from "../../../transport/rest/rest.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogButtons } from "../../../ui/dialog-buttons.tsx";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { problemText } from "../../../ui/problem-text.ts";
import type { Total } from "../toolbar/use-total.ts";
import { type BulkChoice, keyOfChoice } from "./bulk-choices.ts";

/** The records that a bulk edit is about, and how many they are. */
export type BulkTarget = Pick<BulkEdit, "filter" | "search" | "zone"> & Total;

interface Props {
  table: Table;
  choices: readonly BulkChoice[];
  target: BulkTarget;
  onClose(): void;
}

/** Asks for one edit to many records, makes a draft of it, and opens its preview. */
export function BulkEditDialog({ table, choices, target, onClose }: Props) {
  const [key, setKey] = useState(() => choices.map(keyOfChoice)[0] ?? "");
  const choice = choices.find((one) => keyOfChoice(one) === key);
  const title = target.isLowerBound ? messages.titleAtLeast : messages.titleAbout;
  const records = countText(table, target.total);
  return (
    <Dialog
      onClose={onClose}
      title={target.isExact ? messages.title({ records }) : title({ records })}
      size={460}
      closeButtonProps={{ "aria-label": messages.close() }}
    >
      <Stack gap="md">
        <Text c="dimmed">{messages.lead()}</Text>
        <NativeSelect
          label={messages.change()}
          data-autofocus
          value={key}
          data={choiceGroups(choices)}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        {choice && (
          <ChoiceForm key={key} table={table} choice={choice} target={target} onClose={onClose} />
        )}
      </Stack>
    </Dialog>
  );
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

/** The value of the field, or what the transition needs; and the button that makes the draft. */
function ChoiceForm(props: Omit<Props, "choices"> & { choice: BulkChoice }) {
  const { choice, onClose } = props;
  const { run, failure, isBusy } = useCreateDraft(props);
  const drafts = useRef(new Map<string, Parsed>());
  const [reason, setReason] = useState("");
  const [problems, setProblems] = useState<Record<string, string>>({});
  const isTransition = choice.kind === "transition";
  const needsReason = isTransition && choice.transition.reason === true;
  const fields = isTransition ? choice.fields : [choice.field];
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const found = problemsOf(choice, drafts.current, needsReason && !reason.trim());
    setProblems(found);
    if (Object.keys(found).length > 0 || isBusy) return;
    void run(editOf(choice, drafts.current, reason.trim()));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <FormProblem problem={failure} />
        {fields.map((field) => (
          <LabelledInput
            key={field.name}
            field={field}
            {...hintOf(choice, field)}
            problem={problems[field.name]}
            onDraft={(parsed) => drafts.current.set(field.name, parsed)}
          />
        ))}
        {needsReason && (
          <ReasonInput
            description={messages.reasonHint()}
            value={reason}
            error={problems[REASON]}
            onReason={setReason}
          />
        )}
        <DialogButtons cancel={messages.cancel()} onCancel={onClose}>
          <Button type="submit" loading={isBusy}>
            {messages.preview()}
          </Button>
        </DialogButtons>
      </Stack>
    </form>
  );
}

/** Makes the draft of an edit on the server, which finds the records, and opens its preview. */
function useCreateDraft({
  table,
  choice,
  target,
  onClose,
}: Omit<Props, "choices"> & { choice: BulkChoice }) {
  const [, navigate] = useLocation();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const run = async (edit: ReturnType<typeof editOf>) => {
    setBusy(true);
    setFailure(null);
    try {
      const { filter, search, zone } = target;
      const bulk = { table: table.name, filter, search, zone, ...edit };
      const set = await rest("POST /change-sets", {
        body: { title: titleOf(choice, table, target), bulk },
      });
      onClose();
      navigate(changeSetAddress(set.id));
    } catch (error) {
      setFailure(problemText(error));
      setBusy(false);
    }
  };
  return { run, failure, isBusy };
}

/** No field can have this name: names are never empty. */
const REASON = "";

function hintOf(choice: BulkChoice, field: Field): { hint?: string } {
  if (choice.kind === "transition") return { hint: messages.keepHint() };
  return field.required ? {} : { hint: messages.clearHint() };
}

function problemsOf(
  choice: BulkChoice,
  drafts: ReadonlyMap<string, Parsed>,
  lacksReason: boolean,
): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const [name, draft] of drafts) if (!draft.ok) problems[name] = draft.message;
  if (choice.kind === "field" && choice.field.required) {
    const { name, label } = choice.field;
    const draft = drafts.get(name);
    if (!draft || (draft.ok && draft.value === null)) {
      problems[name] = messages.required({ field: label });
    }
  }
  if (lacksReason) problems[REASON] = messages.reasonRequired();
  return problems;
}

/** The values to set; of a transition only those that were filled in. */
function editOf(
  choice: BulkChoice,
  drafts: ReadonlyMap<string, Parsed>,
  reason: string,
): Pick<BulkEdit, "set" | "transition" | "reason"> {
  const typedValue = (name: string) => {
    const draft = drafts.get(name);
    return draft?.ok ? draft.value : null;
  };
  if (choice.kind === "field")
    return { set: { [choice.field.name]: typedValue(choice.field.name) } };
  const filled = choice.fields.filter(({ name }) => typedValue(name) !== null);
  const set: Values = Object.fromEntries(filled.map(({ name }) => [name, typedValue(name)]));
  return {
    transition: choice.transition.name,
    ...(filled.length > 0 && { set }),
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
