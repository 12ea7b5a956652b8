import { ActionIcon, Group, Menu, Stack, UnstyledButton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconFilter,
  IconLock,
  IconMessage2,
  IconPlus,
  IconUsers,
} from "@tabler/icons-react";
import { findField, type Table } from "../../../../../shared/model/model.ts";
import {
  initialStates,
  type Transition,
  type WorkflowState,
} from "../../../../../shared/model/workflow.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { badgeColour } from "../../../records/fields/badge-colour.ts";
import { filterText } from "../../../records/filter/filter-text.ts";
import { formatItems } from "../../../ui/numbers.ts";
import { Hint } from "../../../ui/texts.ts";
import { useTableEditor } from "../draft/use-table-editor.ts";
import { stateLabel, stateOption } from "./edit-workflow.ts";
import { isSelected, stateSummary, type WorkflowViewProps } from "./selection.ts";
import classes from "./workflow.module.css";

/** The workflow as rows: each state, and the transitions that lead out of it as chips with the colour of the state they lead to. */
export function StateList(props: WorkflowViewProps) {
  const initial = initialStates(props.workflow);
  return (
    <Stack
      component="ul"
      gap={0}
      aria-label={messages.listLabel()}
      className={classes.states ?? ""}
    >
      {props.workflow.states.map((state, index) => (
        <StateRow
          key={state.value}
          {...props}
          state={state}
          index={index}
          isInitial={initial.includes(state.value)}
        />
      ))}
    </Stack>
  );
}

interface RowProps extends WorkflowViewProps {
  state: WorkflowState;
  index: number;
  isInitial: boolean;
}

function StateRow({ state, index, isInitial, onConnect, ...props }: RowProps) {
  const { table, workflow, selection, onSelect } = props;
  const { countProblems } = useTableEditor();
  const { value } = state;
  const one = { kind: "state", value } as const;
  return (
    <li className={classes.state} data-state={value}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.item ?? ""}
          aria-pressed={isSelected(selection, one)}
          onClick={() => onSelect(one)}
        >
          <Dot table={table} state={value} />
          <strong>{stateLabel(table, value)}</strong>
          {state.locks && <IconLock size={14} aria-hidden="true" />}
          <Hint span fz="xs">
            {stateSummary(table, state, isInitial)}
          </Hint>
          {countProblems("workflow", "states", index) > 0 && <Flaw />}
        </UnstyledButton>
        <AddTransition {...{ table, workflow, onConnect }} from={value} />
      </div>
      <Group component="ul" gap={6} className={classes.chips ?? ""}>
        {workflow.transitions.map(
          (transition, place) =>
            transition.from.includes(value) && (
              <li key={transition.name}>
                <TransitionChip
                  {...{ table, transition, selection, onSelect }}
                  from={value}
                  hasProblem={countProblems("workflow", "transitions", place) > 0}
                />
              </li>
            ),
        )}
      </Group>
    </li>
  );
}

interface ChipProps extends Pick<WorkflowViewProps, "table" | "selection" | "onSelect"> {
  transition: Transition;
  from: string;
  hasProblem: boolean;
}

/** One transition out of a state. Its conditions are signs, and words for those who point at it or can't see it. */
function TransitionChip({ table, transition, from, hasProblem, ...props }: ChipProps) {
  const { selection, onSelect } = props;
  const { name, label, to, guard, roles, reason } = transition;
  const one = { kind: "transition", name } as const;
  const route = messages.route({ from: stateLabel(table, from), to: stateLabel(table, to) });
  const summary = transitionSummary(table, transition);
  const title = messages.transitionLabel({
    transition: label,
    route: summary ? `${route}; ${summary}` : route,
  });
  return (
    <UnstyledButton
      className={classes.chip ?? ""}
      aria-pressed={isSelected(selection, one)}
      aria-label={title}
      title={title}
      onClick={() => onSelect(one)}
    >
      <Dot table={table} state={to} />
      {label}
      {roles && <IconUsers size={13} aria-hidden="true" />}
      {guard && <IconFilter size={13} aria-hidden="true" />}
      {reason && <IconMessage2 size={13} aria-hidden="true" />}
      {hasProblem && <Flaw />}
    </UnstyledButton>
  );
}

interface AddProps extends Pick<WorkflowViewProps, "table" | "workflow" | "onConnect"> {
  from: string;
}

/** The other states, to lead one more transition to. */
function AddTransition({ table, workflow, from, onConnect }: AddProps) {
  const others = workflow.states.filter(({ value }) => value !== from);
  if (others.length === 0) return null;
  return (
    <Menu position="bottom-end" returnFocus>
      <Menu.Target>
        <ActionIcon
          size={28}
          aria-label={messages.addTransitionFrom({ state: stateLabel(table, from) })}
          title={messages.addTransitionHint()}
        >
          <IconPlus size={16} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: "auto" }}>
        <Menu.Label>{messages.addTransition()}</Menu.Label>
        {others.map(({ value }) => (
          <Menu.Item
            key={value}
            leftSection={<Dot table={table} state={value} />}
            onClick={() => onConnect(from, value)}
          >
            {stateLabel(table, value)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function Dot({ table, state }: { table: Table; state: string }) {
  const colour = badgeColour(stateOption(table, state)?.colour);
  return <span className={classes.dot} style={{ background: colour }} />;
}

function Flaw() {
  return <IconAlertTriangle color="var(--wf-bad)" size={15} aria-label={messages.hasProblem()} />;
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
