import { Button, Group, SegmentedControl, Stack, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
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
import { StateList } from "./state-list.tsx";
import { TransitionForm } from "./transition-form.tsx";
import classes from "./workflow.module.css";

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
  const [selection, select] = useState<Selection>(() => {
    const first = workflow.states[0];
    return first ? { kind: "state", value: first.value } : null;
  });
  const [shownAs, showAs] = useState<"list" | "diagram">("list");
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
        <SegmentedControl
          size="xs"
          aria-label={messages.shownAs()}
          value={shownAs}
          data={[
            { value: "list", label: messages.asList() },
            { value: "diagram", label: messages.asDiagram() },
          ]}
          onChange={(next) => showAs(next as typeof shownAs)}
        />
        <AddButton variant="default" size="xs" onClick={add}>
          {messages.addState()}
        </AddButton>
        <Button variant="subtle" size="xs" ms="auto" onClick={end}>
          {messages.removeWorkflow()}
        </Button>
      </Group>
      <Problem at={["workflow"]} />
      <Problem at={["workflow", "states"]} />
      <div className={classes.columns} data-shown-as={shownAs}>
        {shownAs === "list" ? (
          <StateList {...shared} />
        ) : (
          <Stack gap={6} miw={0}>
            <Hint>{messages.drawHint()}</Hint>
            <Diagram {...shared} />
          </Stack>
        )}
        <Inspector {...shared} />
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

/** What is selected, beside the list or below the diagram: its head comes into view, with some of its form, when something else is selected. */
function Inspector(props: InspectorProps) {
  const head = useRef<HTMLSpanElement>(null);
  const { selection } = props;
  const key =
    selection && `${selection.kind} ${"value" in selection ? selection.value : selection.name}`;
  const revealed = useRef(key);
  useEffect(() => {
    // What is selected at first is not what the user looks at.
    if (key && key !== revealed.current) head.current?.scrollIntoView({ block: "nearest" });
    revealed.current = key;
  }, [key]);
  return (
    <div className={classes.inspector}>
      <span ref={head} className={classes.top} />
      <SelectedForm {...props} />
    </div>
  );
}

function SelectedForm({ workflow, selection, onSelect, onConnect }: InspectorProps) {
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
