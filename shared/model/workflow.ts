import { z } from "zod";
import { filterSchema, type Json } from "../filter/filter.ts";
import { jsonSchema } from "../filter/json-schema.ts";

/**
 * How the state of a table's records may change. It changes only by a transition. The server evaluates this
 * on every write path, and the client shows it by the same functions (shared/policy/possible-transitions.ts).
 */

const WORKFLOW_MAX_STATES = 100;
const WORKFLOW_MAX_TRANSITIONS = 500;

const nameSchema = z.string().min(1).max(120);
const stateNameSchema = z.string().min(1).max(500);

const stateSchema = z.strictObject({
  /** An option of the table's state field. */
  value: stateNameSchema,
  /** Whether a record in this state counts as open. */
  open: z.boolean(),
  /** Records begin in an initial state; the first one is the default. */
  initial: z.boolean().exactOptional(),
  /** Fields that can't be written while a record is in this state. */
  locks: z.union([z.array(nameSchema), z.literal("all")]).exactOptional(),
});
export type WorkflowState = z.infer<typeof stateSchema>;

const transitionSchema = z.strictObject({
  name: nameSchema,
  label: z.string().min(1).max(120),
  from: z.array(stateNameSchema).min(1),
  to: stateNameSchema,
  /** Ids of the roles that may run it; by default every role whose grants allow transitions. */
  roles: z.array(nameSchema).exactOptional(),
  /** Only matching records may run this transition. */
  guard: filterSchema.exactOptional(),
  /** Fields that must have a value afterwards; they may be filled with the transition. */
  requires: z.array(nameSchema).exactOptional(),
  /** Whether a reason is required; the record's history stores it. */
  reason: z.boolean().exactOptional(),
  /** Fields set by the transition: constants, `$now` (the instant of the commit) or `$me`. */
  sets: z.record(nameSchema, jsonSchema).exactOptional(),
});
export type Transition = z.infer<typeof transitionSchema>;

/** The outer form; names are checked with the whole model. */
export const workflowSchema = z.strictObject({
  states: z.array(stateSchema).min(1).max(WORKFLOW_MAX_STATES),
  transitions: z.array(transitionSchema).max(WORKFLOW_MAX_TRANSITIONS),
});
export type Workflow = z.infer<typeof workflowSchema>;

export function findState(workflow: Workflow, value: Json | undefined): WorkflowState | undefined {
  return workflow.states.find((state) => state.value === value);
}

/** The transition that leads from one state to another, where the workflow has one. */
export function transitionBetween(
  { transitions }: Workflow,
  from: unknown,
  to: unknown,
): Transition | undefined {
  return transitions.find((one) => one.to === to && one.from.some((state) => state === from));
}

export function findTransition(workflow: Workflow, name: string): Transition | undefined {
  return workflow.transitions.find((transition) => transition.name === name);
}

/** The states in which a record may begin: those marked, else the first one. */
export function initialStates({ states }: Workflow): string[] {
  const marked = states.filter((state) => state.initial);
  return (marked.length ? marked : states.slice(0, 1)).map((state) => state.value);
}
