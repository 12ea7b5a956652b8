import { MultiSelect, NativeSelect, Stack, Switch, Title, UnstyledButton } from "@mantine/core";
import { idOfField, idOfTable, type Table } from "../../../../../shared/model/model.ts";
import { patched } from "../../../../../shared/model/pick-values.ts";
import { initialStates, type WorkflowState } from "../../../../../shared/model/workflow.ts";
import { modelMessages } from "../../../messages/en/model.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { PickToAdd } from "../../../records/order/pick-to-add.tsx";
import { noFill } from "../../../ui/no-fill.ts";
import { Hint } from "../../../ui/texts.ts";
import { useDraft } from "../draft/use-draft.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { ColourMenu } from "../parts/colour-menu.tsx";
import { CommitInput } from "../parts/commit-input.tsx";
import { UsedBy } from "../parts/used-by.tsx";
import {
  changeOptions,
  changeState,
  removeState,
  renameOption,
  stateLabel,
  stateOption,
} from "./edit-workflow.ts";
import { InspectorForm } from "./inspector-form.tsx";
import { isFinal, type Selection } from "./selection.ts";
import classes from "./workflow.module.css";

interface Props {
  state: WorkflowState;
  onSelect(selection: Selection): void;
  onConnect(from: string, to: string): void;
}

/** The settings of one state. */
export function StateForm({ state, onSelect, onConnect }: Props) {
  const { id: tableId, table, change, problem } = useTableEditor();
  const { value } = state;
  const stateField = table.fields.find(({ name }) => name === table.stateField);
  const index = table.workflow?.states.findIndex((one) => one.value === value) ?? -1;
  const patch = (part: { [K in keyof WorkflowState]?: WorkflowState[K] | undefined }) =>
    change((one) => changeState(one, value, (was) => patched(was, part)));
  const label = stateLabel(table, value);
  return (
    <InspectorForm
      title={messages.state()}
      name={messages.stateNamed({ name: label })}
      subject={label}
      removal={messages.removeState()}
      remove={(one) => removeState(one, value)}
      onRemoved={() => onSelect(null)}
    >
      <NameAndColour
        state={state}
        onSelect={onSelect}
        error={problem("workflow", "states", index, "value")}
      />
      <Switch
        label={messages.open()}
        description={messages.openText()}
        checked={state.open}
        onChange={(event) => patch({ open: event.currentTarget.checked })}
      />
      <Switch
        label={messages.initialState()}
        description={messages.initialText()}
        checked={state.initial ?? false}
        onChange={(event) => patch({ initial: event.currentTarget.checked || undefined })}
      />
      <Locks state={state} onLocks={(locks) => patch({ locks })} />
      <OutgoingTransitions state={state} onSelect={onSelect} onConnect={onConnect} />
      {stateField && <UsedBy table={tableId} field={idOfField(stateField)} option={value} />}
    </InspectorForm>
  );
}

interface NameProps {
  state: WorkflowState;
  error: string | undefined;
  onSelect(selection: Selection): void;
}

/** A published state keeps its value, which records have, and gets a label instead. */
function NameAndColour({ state: { value }, error, onSelect }: NameProps) {
  const { id, table, change } = useTableEditor();
  const { base } = useDraft();
  const { stateField = "" } = table;
  const label = stateLabel(table, value);
  const others = (table.workflow?.states ?? []).filter((one) => one.value !== value);
  const set = (text: string) => {
    if (isPublished(base.tables, id, table, value)) {
      change((one) =>
        changeOptions(one, stateField, (all) =>
          all.map((option) =>
            option.value === value
              ? patched(option, { label: text === value ? undefined : text })
              : option,
          ),
        ),
      );
    } else {
      change((one) => renameOption(one, stateField, value, text));
      onSelect({ kind: "state", value: text });
    }
  };
  return (
    <div className={classes.named}>
      <ColourMenu
        of={label}
        colour={stateOption(table, value)?.colour}
        onColour={(colour) =>
          change((one) =>
            changeOptions(one, stateField, (all) =>
              all.map((option) => (option.value === value ? { ...option, colour } : option)),
            ),
          )
        }
      />
      <CommitInput
        label={messages.stateName()}
        value={label}
        error={error}
        validate={(text) => {
          if (text === "") return modelMessages.nameRequired();
          const isTaken = others.some(
            (one) => one.value === text || stateLabel(table, one.value) === text,
          );
          return isTaken ? messages.stateExists({ name: text }) : null;
        }}
        onCommit={set}
      />
    </div>
  );
}

function isPublished(tables: readonly Table[], id: string, table: Table, value: string): boolean {
  const field = table.fields.find(({ name }) => name === table.stateField);
  const published = tables.find((one) => idOfTable(one) === id);
  const was = field && published?.fields.find((one) => idOfField(one) === idOfField(field));
  return was?.options?.some((option) => option.value === value) ?? false;
}

interface LocksProps {
  state: WorkflowState;
  onLocks(locks: WorkflowState["locks"] | undefined): void;
}

function Locks({ state: { locks }, onLocks }: LocksProps) {
  const { table } = useTableEditor();
  const fields = table.fields.filter(({ name }) => name !== table.stateField);
  const kind = locks === undefined ? "none" : locks === "all" ? "all" : "some";
  return (
    <>
      <NativeSelect
        label={messages.locks()}
        description={messages.locksText()}
        value={kind}
        data={[
          { value: "none", label: messages.noFields() },
          { value: "some", label: messages.someFields() },
          { value: "all", label: messages.allFields() },
        ]}
        onChange={(event) => {
          const next = event.currentTarget.value;
          onLocks(next === "none" ? undefined : next === "all" ? "all" : []);
        }}
      />
      {Array.isArray(locks) && (
        <MultiSelect
          {...noFill}
          aria-label={messages.lockedFields()}
          placeholder={locks.length ? "" : messages.chooseFields()}
          data={fields.map(({ name, label }) => ({ value: name, label }))}
          value={locks}
          onChange={onLocks}
        />
      )}
    </>
  );
}

function OutgoingTransitions({ state: { value }, onSelect, onConnect }: Props) {
  const { table } = useTableEditor();
  const { workflow } = table;
  if (!workflow) return null;
  const out = workflow.transitions.filter(({ from }) => from.includes(value));
  const others = workflow.states.filter((one) => one.value !== value);
  const isInitial = initialStates(workflow).includes(value);
  return (
    <Stack gap={6}>
      <Title order={4}>{messages.outgoing()}</Title>
      {isFinal(table, value) && (
        <Hint>{isInitial ? messages.noOutgoing() : messages.isFinal()}</Hint>
      )}
      <Stack component="ul" gap={2} ps={14}>
        {out.map(({ name, label, to }) => (
          <li key={name}>
            <UnstyledButton
              className={classes.item ?? ""}
              onClick={() => onSelect({ kind: "transition", name })}
            >
              {label} → {stateLabel(table, to)}
            </UnstyledButton>
          </li>
        ))}
      </Stack>
      {others.length > 0 && (
        <PickToAdd
          label={messages.addTransition()}
          choices={others.map((one) => ({ name: one.value, label: stateLabel(table, one.value) }))}
          onPick={(to) => onConnect(value, to)}
        />
      )}
    </Stack>
  );
}
