import { z } from "zod";
import { type Filter, filterSchema, type Json } from "../filter/filter.ts";

/**
 * How the records of a table move from state to state. The state changes only by a transition; what
 * stands here is judged by the server at every door and shown by the client with the same functions
 * (shared/policy/possible-transitions.ts).
 */

export interface WorkflowState {
  /** An option of the table's state field. */
  value: string;
  /** Whether a record in this state still needs work. */
  open: boolean;
  /** Records begin in an initial state; the first one is where they begin when none is named. */
  initial?: boolean;
  /** Fields that can't be written while a record is in this state. */
  locks?: string[] | "all";
}

export interface Transition {
  name: string;
  label: string;
  from: string[];
  to: string;
  /** Ids of the roles that may; everybody whose grants allow transitions where absent. */
  roles?: string[];
  /** Only records that match may make this move. */
  guard?: Filter;
  /** Fields that must hold something afterwards; they may be filled as part of the move. */
  requires?: string[];
  /** Whether a reason must be given; it is kept in the record's history. */
  reason?: boolean;
  /** Fields set by the move: constants, `$now` (the instant of the commit) or `$me`. */
  sets?: Record<string, Json>;
}

export interface Workflow {
  states: WorkflowState[];
  transitions: Transition[];
}

const WORKFLOW_MAX_STATES = 100;
const WORKFLOW_MAX_TRANSITIONS = 500;

const nameSchema = z.string().min(1).max(120);
const stateNameSchema = z.string().min(1).max(500);

const stateSchema: z.ZodType<WorkflowState> = z.strictObject({
  value: stateNameSchema,
  open: z.boolean(),
  initial: z.boolean().exactOptional(),
  locks: z.union([z.array(nameSchema), z.literal("all")]).exactOptional(),
});

const transitionSchema: z.ZodType<Transition> = z.strictObject({
  name: nameSchema,
  label: z.string().min(1).max(120),
  from: z.array(stateNameSchema).min(1),
  to: stateNameSchema,
  roles: z.array(nameSchema).exactOptional(),
  guard: filterSchema.exactOptional(),
  requires: z.array(nameSchema).exactOptional(),
  reason: z.boolean().exactOptional(),
  sets: z.record(nameSchema, z.json()).exactOptional(),
});

/** The outer form; whether its names are those of the table is judged with the whole model. */
export const workflowSchema: z.ZodType<Workflow> = z.strictObject({
  states: z.array(stateSchema).min(1).max(WORKFLOW_MAX_STATES),
  transitions: z.array(transitionSchema).max(WORKFLOW_MAX_TRANSITIONS),
});

export function findState(workflow: Workflow, value: Json | undefined): WorkflowState | undefined {
  return workflow.states.find((state) => state.value === value);
}

export function findTransition(workflow: Workflow, name: string): Transition | undefined {
  return workflow.transitions.find((transition) => transition.name === name);
}

/** The states in which a record may begin: those marked, else the first one. */
export function initialStates({ states }: Workflow): string[] {
  const marked = states.filter((state) => state.initial);
  return (marked.length ? marked : states.slice(0, 1)).map((state) => state.value);
}
