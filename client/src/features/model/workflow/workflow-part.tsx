import { Button, Group, Stack, Title } from "@mantine/core";
import { useState } from "react";
import type { Workflow } from "../../../../../shared/model/workflow.ts";
import { findState, findTransition } from "../../../../../shared/model/workflow.ts";
import { modelMessages } from "../../../messages/en/model.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { PickToAdd } from "../../../records/order/pick-to-add.tsx";
import { AddButton } from "../../../ui/add-button.tsx";
import { Hint } from "../../../ui/texts.ts";
import { toast } from "../../../ui/toast.tsx";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { Problem } from "../parts/problem.tsx";
import { Diagram } from "./diagram.tsx";
import {
  addState,
  addTransition,
  endWorkflow,
  startWithNewField,
  startWorkflow,
  stateFields,
} from "./edit-workflow.ts";
import type { Selection } from "./selection.ts";
import { StateForm } from "./state-form.tsx";
import { TransitionForm } from "./transition-form.tsx";
import classes from "./workflow.module.css";
import { WorkflowOutline } from "./workflow-outline.tsx";

/** The workflow of the open table, or the ways to start one. */
export function WorkflowPart() {
  const { table } = useTableEditor();
  return table.workflow ? <WorkflowEditor workflow={table.workflow} /> : <StartWorkflow />;
}

function StartWorkflow() {
  const { table, change } = useTableEditor();
  const fields = stateFields(table);
  return (
    <Stack
      component="section"
      gap={10}
      align="flex-start"
      maw="64ch"
      aria-label={modelMessages.workflow()}
    >
      <Title order={3}>{messages.noWorkflow()}</Title>
      <Hint>{messages.noWorkflowText({ record: table.recordLabel })}</Hint>
      <Group gap="8px 12px">
        <AddButton onClick={() => change(startWithNewField)}>
          {messages.startThreeStates()}
        </AddButton>
        {fields.length > 0 && (
          <PickToAdd
            size="sm"
            label={messages.startFromChoice()}
            choices={fields}
            onPick={(name) => change((one) => startWorkflow(one, name))}
          />
        )}
      </Group>
    </Stack>
  );
}

function WorkflowEditor({ workflow }: { workflow: Workflow }) {
  const { table, change } = useTableEditor();
  const [selection, select] = useState<Selection>(null);
  const connect = (from: string, to: string) => {
    const { name } = addTransition(table, from, to);
    change((one) => addTransition(one, from, to).table);
    select({ kind: "transition", name });
  };
  const add = () => {
    const { value } = addState(table);
    change((one) => addState(one).table);
    select({ kind: "state", value });
  };
  const end = () => {
    toast(messages.workflowRemoved(), change(endWorkflow));
  };
  const shared = { table, workflow, selection, onSelect: select, onConnect: connect };
  return (
    <Stack aria-label={modelMessages.workflow()} component="section" gap={14}>
      <Group gap="8px 12px">
        <AddButton variant="default" onClick={add}>
          {messages.addState()}
        </AddButton>
        <Hint flex={1} miw="min(100%, 20rem)">
          {messages.drawHint()}
        </Hint>
        <Button variant="default" onClick={end}>
          {messages.removeWorkflow()}
        </Button>
      </Group>
      <Problem at={["workflow"]} />
      <Problem at={["workflow", "states"]} />
      <Diagram {...shared} />
      <div className={classes.columns}>
        <WorkflowOutline {...shared} />
        <div className={classes.inspector}>
          <Inspector {...shared} />
        </div>
      </div>
    </Stack>
  );
}

interface InspectorProps {
  workflow: Workflow;
  selection: Selection;
  onSelect(selection: Selection): void;
  onConnect(from: string, to: string): void;
}

function Inspector({ workflow, selection, onSelect, onConnect }: InspectorProps) {
  if (selection?.kind === "state") {
    const state = findState(workflow, selection.value);
    if (state) {
      return <StateForm key="state" state={state} onSelect={onSelect} onConnect={onConnect} />;
    }
  }
  if (selection?.kind === "transition") {
    const transition = findTransition(workflow, selection.name);
    if (transition) {
      return <TransitionForm key="transition" transition={transition} onSelect={onSelect} />;
    }
  }
  return <Hint>{messages.selectHintWorkflow()}</Hint>;
}
