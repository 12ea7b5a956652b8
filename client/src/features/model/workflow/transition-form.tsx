import { MultiSelect, NativeSelect, Stack, Switch, TextInput } from "@mantine/core";
import { patched } from "../../../../../shared/model/pick-values.ts";
import type { Transition } from "../../../../../shared/model/workflow.ts";
import { modelMessages } from "../../../messages/en/model.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { FilterBuilder } from "../../../records/filter/filter-builder.tsx";
import { listRoles } from "../../../sync/calls/users.ts";
import { noFill } from "../../../ui/no-fill.ts";
import { ErrorText } from "../../../ui/texts.ts";
import { useRemote } from "../../../ui/use-remote.ts";
import { nameFor } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { changeTransition, removeTransition, stateLabel } from "./edit-workflow.ts";
import { InspectorForm } from "./inspector-form.tsx";
import type { Selection } from "./selection.ts";
import { TransitionSets } from "./transition-sets.tsx";

interface Props {
  transition: Transition;
  onSelect(selection: Selection): void;
}

type Patch = { [K in keyof Transition]?: Transition[K] | undefined };

/** The settings of a transition: states, roles, condition, required fields, values to set. */
export function TransitionForm({ transition, onSelect }: Props) {
  const { table, change, problem } = useTableEditor();
  const { name, label } = transition;
  const all = table.workflow?.transitions ?? [];
  const index = all.findIndex((one) => one.name === name);
  const at = (...path: (string | number)[]) => problem("workflow", "transitions", index, ...path);
  const patch = (part: Patch, tag?: string) =>
    change(
      (one) => changeTransition(one, name, (was) => patched(was, part)),
      tag && `transition ${index} ${tag}`,
    );
  return (
    <InspectorForm
      title={messages.transition()}
      name={messages.transitionNamed({ name: label })}
      subject={label}
      removal={messages.removeTransition()}
      remove={(one) => removeTransition(one, name)}
      onRemoved={() => onSelect(null)}
    >
      <Name transition={transition} error={at("label") ?? at("name")} onSelect={onSelect} />
      <RouteFields transition={transition} at={at} patch={patch} />
      <RolesField transition={transition} patch={patch} />
      <Guard transition={transition} problem={at("guard")} patch={patch} />
      <MultiSelect
        {...noFill}
        label={messages.requires()}
        description={messages.requiresText()}
        placeholder={transition.requires?.length ? "" : messages.noFields()}
        data={table.fields
          .filter((field) => field.name !== table.stateField && field.expression === undefined)
          .map((field) => ({ value: field.name, label: field.label }))}
        value={transition.requires ?? []}
        onChange={(requires) => patch({ requires: requires.length ? requires : undefined })}
      />
      <Switch
        label={messages.reason()}
        description={messages.reasonText()}
        checked={transition.reason ?? false}
        onChange={(event) => patch({ reason: event.currentTarget.checked || undefined })}
      />
      <TransitionSets transition={transition} at={at} onSets={(sets) => patch({ sets })} />
    </InspectorForm>
  );
}

interface NameProps extends Props {
  error: string | undefined;
}

/** The label of the button. The name, which roles refer to, is derived from it until the transition is published. */
function Name({ transition, error, onSelect }: NameProps) {
  const { id, table, change } = useTableEditor();
  const { base } = useDraft();
  const { name, label } = transition;
  const others = (table.workflow?.transitions ?? [])
    .filter((one) => one !== transition)
    .map((one) => one.name);
  const published = base.tables.find((one) => one.id === id)?.workflow?.transitions;
  const isNew = !published?.some((one) => one.name === name);
  const write = (text: string) => {
    const next = isNew ? nameFor(text, others, "transition") : name;
    change(
      (one) => changeTransition(one, name, (was) => ({ ...was, label: text, name: next })),
      "transition-label",
    );
    if (next !== name) onSelect({ kind: "transition", name: next });
  };
  return (
    <TextInput
      {...noFill}
      label={modelMessages.label()}
      description={messages.transitionLabelText()}
      value={label}
      error={error}
      onChange={(event) => write(event.currentTarget.value)}
    />
  );
}

interface PartProps {
  transition: Transition;
  at(...path: (string | number)[]): string | undefined;
  patch(part: Patch): void;
}

function RouteFields({ transition, at, patch }: PartProps) {
  const { table } = useTableEditor();
  const states = (table.workflow?.states ?? []).map(({ value }) => ({
    value,
    label: stateLabel(table, value),
  }));
  const stateProblem = transition.from.map((_, index) => at("from", index)).find(Boolean);
  return (
    <>
      <MultiSelect
        {...noFill}
        label={messages.from()}
        data={states}
        value={transition.from}
        error={at("from") ?? stateProblem}
        onChange={(from) => patch({ from })}
      />
      <NativeSelect
        label={messages.to()}
        data={states}
        value={transition.to}
        error={at("to")}
        onChange={(event) => patch({ to: event.currentTarget.value })}
      />
    </>
  );
}

function RolesField({ transition, patch }: Pick<PartProps, "transition" | "patch">) {
  const { data } = useRemote(listRoles, { on: ["people"] });
  const roles = (data ?? []).filter(({ id }) => id !== "display");
  const chosen = transition.roles ?? [];
  const missingRoles = chosen.filter((id) => data && !data.some((role) => role.id === id));
  return (
    <MultiSelect
      {...noFill}
      label={messages.roles()}
      description={messages.rolesText()}
      placeholder={chosen.length ? "" : messages.rolesAll()}
      data={[
        ...roles.map(({ id, name }) => ({ value: id, label: name })),
        ...missingRoles.map((id) => ({ value: id, label: messages.unknownRole({ id }) })),
      ]}
      value={chosen}
      onChange={(ids) => patch({ roles: ids.length ? ids : undefined })}
    />
  );
}

interface GuardProps extends Pick<PartProps, "transition" | "patch"> {
  problem: string | undefined;
}

function Guard({ transition, problem, patch }: GuardProps) {
  const { table } = useTableEditor();
  return (
    <Stack component="fieldset" gap={8}>
      <legend>{messages.guard()}</legend>
      <FilterBuilder
        key={transition.name}
        fields={table.fields}
        filter={transition.guard ?? null}
        operands
        emptyHint={messages.noGuard()}
        onFilter={(guard) => patch({ guard: guard ?? undefined })}
      />
      {problem && <ErrorText>{problem}</ErrorText>}
    </Stack>
  );
}
