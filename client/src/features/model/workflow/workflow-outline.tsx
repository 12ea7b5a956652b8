import { Stack, Title, UnstyledButton } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { findField, type Table } from "../../../../../shared/model/model.ts";
import {
  initialStates,
  type Transition,
  type Workflow,
} from "../../../../../shared/model/workflow.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { filterText } from "../../../records/filter/filter-text.ts";
import { formatItems } from "../../../ui/numbers.ts";
import { Hint } from "../../../ui/texts.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { stateLabel } from "./edit-workflow.ts";
import { isSelected, type Selection, stateSummary } from "./selection.ts";
import classes from "./workflow.module.css";

interface Props {
  table: Table;
  workflow: Workflow;
  selection: Selection;
  onSelect(selection: Selection): void;
}

/** The workflow as a list: each state with its outgoing transitions. */
export function WorkflowOutline({ table, workflow, selection, onSelect }: Props) {
  const initial = initialStates(workflow);
  const { countProblems } = useTableEditor();
  const hasProblem = (kind: "states" | "transitions", index: number) =>
    countProblems("workflow", kind, index) > 0;
  return (
    <Stack aria-label={messages.outlineLabel()} component="section" gap={8}>
      <Title order={3} size="h4">
        {messages.outline()}
      </Title>
      <Stack component="ul" gap={8}>
        {workflow.states.map((state, index) => (
          <li key={state.value}>
            <Item
              selected={isSelected(selection, { kind: "state", value: state.value })}
              flawed={hasProblem("states", index)}
              onClick={() => onSelect({ kind: "state", value: state.value })}
            >
              <strong>{stateLabel(table, state.value)}</strong>
              <Hint span>{stateSummary(table, state, initial.includes(state.value))}</Hint>
            </Item>
            <Stack component="ul" gap={2} ps={14}>
              {workflow.transitions.map(
                (transition, place) =>
                  transition.from.includes(state.value) && (
                    <li key={transition.name}>
                      <Item
                        selected={isSelected(selection, {
                          kind: "transition",
                          name: transition.name,
                        })}
                        flawed={hasProblem("transitions", place)}
                        onClick={() => onSelect({ kind: "transition", name: transition.name })}
                      >
                        <span>
                          {transition.label} → {stateLabel(table, transition.to)}
                        </span>
                        <Hint span>{transitionSummary(table, transition)}</Hint>
                      </Item>
                    </li>
                  ),
              )}
            </Stack>
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

interface ItemProps {
  selected: boolean;
  flawed: boolean;
  onClick(): void;
  children: React.ReactNode;
}

function Item({ selected, flawed, onClick, children }: ItemProps) {
  return (
    <UnstyledButton className={classes.item ?? ""} aria-pressed={selected} onClick={onClick}>
      {children}
      {flawed && (
        <IconAlertTriangle color="var(--wf-bad)" size={15} aria-label={messages.hasProblem()} />
      )}
    </UnstyledButton>
  );
}

/** Summarises the conditions and effects of a transition. */
function transitionSummary(
  table: Table,
  { guard, requires = [], reason, roles, sets }: Transition,
): string {
  const label = (name: string) => findField(table, name)?.label ?? name;
  const parts = [
    roles && messages.rolesMay({ count: roles.length }),
    guard && messages.onlyWhere({ condition: filterText(guard, label) }),
    requires.length > 0 && messages.requiresFields({ fields: formatItems(requires.map(label)) }),
    reason && messages.requiresReason(),
    sets && messages.setsFields({ fields: formatItems(Object.keys(sets).map(label)) }),
  ];
  return parts.filter(Boolean).join("; ");
}
