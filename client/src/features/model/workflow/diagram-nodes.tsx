import { UnstyledButton } from "@mantine/core";
import { IconArrowRight, IconFilter, IconLock, IconMessage2, IconUsers } from "@tabler/icons-react";
import type { PointerEvent } from "react";
import type { Table } from "../../../../../shared/model/model.ts";
import type { Transition, WorkflowState } from "../../../../../shared/model/workflow.ts";
import { workflowMessages as messages } from "../../../messages/en/workflow.ts";
import { badgeColour } from "../../../records/fields/badge-colour.ts";
import classes from "./diagram.module.css";
import { stateLabel, stateOption } from "./edit-workflow.ts";
import type { Box } from "./layout.ts";
import { stateSummary, transitionRoute } from "./selection.ts";

interface NodeProps {
  table: Table;
  box: Box | undefined;
  selected: boolean;
  onSelect(): void;
}

interface StateProps extends NodeProps {
  state: WorkflowState;
  isInitial: boolean;
  /** A line being drawn ends at this state. */
  target: boolean;
  onHandle(event: PointerEvent): void;
}

/** A state as a card: colour, name and summary. */
export function StateNode(props: StateProps) {
  const { table, state, box, isInitial, selected, target, onSelect, onHandle } = props;
  if (!box) return null;
  const label = stateLabel(table, state.value);
  const summary = stateSummary(table, state, isInitial);
  const colour = badgeColour(stateOption(table, state.value)?.colour);
  return (
    <div
      className={classes.state}
      style={{ ...placeOf(box), ["--wf-badge" as string]: colour }}
      data-state={state.value}
      data-selected={selected || undefined}
      data-target={target || undefined}
    >
      <UnstyledButton className={classes.card} aria-pressed={selected} onClick={onSelect}>
        <span className={classes.name}>
          <span className="wf-visually-hidden">{messages.state()} </span>
          <span className={classes.text}>{label}</span>
          {state.locks && <IconLock size={13} aria-hidden="true" />}
        </span>
        <span className={classes.words}>{summary}</span>
      </UnstyledButton>
      <span
        className={classes.handle}
        title={messages.drawTransition()}
        aria-hidden="true"
        onPointerDown={onHandle}
      >
        <IconArrowRight size={12} />
      </span>
    </div>
  );
}

interface TransitionProps extends NodeProps {
  transition: Transition;
}

/** A transition between states, with icons for its conditions. */
export function TransitionNode({ table, transition, box, selected, onSelect }: TransitionProps) {
  if (!box) return null;
  const { label, guard, roles, reason } = transition;
  return (
    <UnstyledButton
      className={classes.move}
      style={placeOf(box)}
      data-selected={selected || undefined}
      aria-pressed={selected}
      aria-label={messages.transitionLabel({
        transition: label,
        route: transitionRoute(table, transition),
      })}
      onClick={onSelect}
    >
      <span className={classes.text}>{label}</span>
      {roles && <IconUsers size={12} aria-hidden="true" />}
      {guard && <IconFilter size={12} aria-hidden="true" />}
      {reason && <IconMessage2 size={12} aria-hidden="true" />}
    </UnstyledButton>
  );
}

function placeOf({ x, y, width, height }: Box) {
  return { left: x - width / 2, top: y - height / 2, width, height };
}
