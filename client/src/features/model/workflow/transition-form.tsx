import { Button, MultiSelect, NativeSelect, Switch, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { Transition } from "../../../../../shared/model/workflow.ts";
import { listRoles } from "../../../sync/calls/users.ts";
import { FilterBuilder } from "../../../ui/filter/filter-builder.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useRemote } from "../../../ui/use-remote.ts";
import { patched } from "../document/edit-model.ts";
import { nameFor } from "../document/new-names.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { useDraftLookUp } from "../fields/use-draft-look-up.ts";
import { changeTransition, removeTransition, stateLabel } from "./edit-workflow.ts";
import type { Selection } from "./selection.ts";
import { TransitionSets } from "./transition-sets.tsx";
import classes from "./workflow.module.css";

interface Props {
  transition: Transition;
  onSelect(selection: Selection): void;
}

type Patch = { [K in keyof Transition]?: Transition[K] | undefined };

const ROLES_FRESH_MS = 60_000;

/** Everything about one transition: the way, who may, under which condition, what it asks for and sets. */
export function TransitionForm({ transition, onSelect }: Props) {
  const { table, change, problem } = useTableEditor();
  const { store } = useDraft();
  const { name, label } = transition;
  const all = table.workflow?.transitions ?? [];
  const index = all.findIndex((one) => one.name === name);
  const at = (...path: (string | number)[]) => problem("workflow", "transitions", index, ...path);
  const patch = (part: Patch, tag?: string) =>
    change(
      (one) => changeTransition(one, name, (was) => patched(was, part)),
      tag && `move ${index} ${tag}`,
    );
  const remove = () => {
    change((one) => removeTransition(one, name));
    onSelect(null);
    toast(`The transition ${label} is taken out of the draft.`, () => store.undo());
  };
  return (
    <form
      className={classes.form}
      aria-label={`Transition ${label}`}
      onSubmit={(event) => event.preventDefault()}
    >
      <h3 className={classes.title}>Transition</h3>
      <Name transition={transition} error={at("label") ?? at("name")} onSelect={onSelect} />
      <RouteFields transition={transition} at={at} patch={patch} />
      <RolesField transition={transition} patch={patch} />
      <Guard transition={transition} problem={at("guard")} patch={patch} />
      <MultiSelect
        label="Must be filled"
        description="Asked for as part of the move where it is empty."
        placeholder={transition.requires?.length ? "" : "Nothing"}
        data={table.fields
          .filter((field) => field.name !== table.stateField && field.expression === undefined)
          .map((field) => ({ value: field.name, label: field.label }))}
        value={transition.requires ?? []}
        onChange={(requires) => patch({ requires: requires.length ? requires : undefined })}
      />
      <Switch
        label="Needs a reason"
        description="Kept in the record’s history."
        checked={transition.reason ?? false}
        onChange={(event) => patch({ reason: event.currentTarget.checked || undefined })}
      />
      <TransitionSets transition={transition} at={at} onSets={(sets) => patch({ sets })} />
      <Button
        variant="default"
        c="var(--wf-bad)"
        leftSection={<IconTrash size={16} aria-hidden="true" />}
        onClick={remove}
      >
        Remove the transition
      </Button>
    </form>
  );
}

interface NameProps extends Props {
  error: string | undefined;
}

/** The label on the button. The name, which roles speak of, follows it until the transition is in force. */
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
    const next = isNew ? nameFor(text, others, "move") : name;
    change(
      (one) => changeTransition(one, name, (was) => ({ ...was, label: text, name: next })),
      "move label",
    );
    if (next !== name) onSelect({ kind: "transition", name: next });
  };
  return (
    <TextInput
      label="Label"
      description="What the button says."
      value={label}
      autoComplete="off"
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
        label="From"
        data={states}
        value={transition.from}
        error={at("from") ?? stateProblem}
        onChange={(from) => patch({ from })}
      />
      <NativeSelect
        label="To"
        data={states}
        value={transition.to}
        error={at("to")}
        onChange={(event) => patch({ to: event.currentTarget.value })}
      />
    </>
  );
}

function RolesField({ transition, patch }: Pick<PartProps, "transition" | "patch">) {
  const { data } = useRemote(listRoles, ROLES_FRESH_MS);
  const roles = (data ?? []).filter(({ id }) => id !== "display");
  const chosen = transition.roles ?? [];
  const missingRoles = chosen.filter((id) => data && !data.some((role) => role.id === id));
  return (
    <MultiSelect
      label="Who may"
      description="Without a choice, everybody whose role lets them move records here."
      placeholder={chosen.length ? "" : "Everybody who may move records"}
      data={[
        ...roles.map(({ id, name }) => ({ value: id, label: name })),
        ...missingRoles.map((id) => ({ value: id, label: `${id} (no such role)` })),
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
  const lookUp = useDraftLookUp();
  return (
    <fieldset className={classes.guard}>
      <legend>Only where</legend>
      <FilterBuilder
        key={transition.name}
        fields={table.fields}
        filter={transition.guard ?? null}
        lookUp={lookUp}
        operands
        emptyHint="No condition: any record may make this move."
        onFilter={(guard) => patch({ guard: guard ?? undefined })}
      />
      {problem && <p className={classes.problem}>{problem}</p>}
    </fieldset>
  );
}
