import { bindFilter, fieldsOf } from "../filter/bind-filter.ts";
import { describeFilter } from "../filter/describe.ts";
import type { Json } from "../filter/filter.ts";
import { matches } from "../filter/matches.ts";
import { fieldKinds, findField, type Table, type Values } from "../model/model.ts";
import { governedBy, stateOf } from "../model/state-of.ts";
import type { Transition } from "../model/workflow.ts";

/**
 * Which moves a record may make, by whom, and why not. The server refuses and the client greys out by
 * these very functions; only the server, which knows every field, has the last word.
 */

/** Whoever wants to move a record. */
export interface TransitionAuthor {
  id: string;
  role: string;
  attributes: Readonly<Record<string, Json>>;
  /** The grant on the table: all transitions, those named, or none. */
  transitions: boolean | readonly string[];
  /** The fields that they may know of; all of the table's where absent. */
  fields?: readonly string[];
}

/** Why a transition can't be run: the wrong state, the person, or the record. */
export interface Obstacle {
  why: "state" | "role" | "guard";
  message: string;
}

/** A move that the workflow has from a record's present state. */
export interface TransitionOption {
  transition: Transition;
  /** Null where it can be run. */
  obstacle: Obstacle | null;
  /** Required fields that are empty yet and not set by the move itself. */
  missing: string[];
}

interface StoredRecord {
  id: string;
  values: Values;
}

/** Every move from the present state, in the order of the workflow, with what stands in its way. */
export function transitionOptions(
  table: Table,
  record: StoredRecord,
  author: TransitionAuthor,
  now: string = new Date().toISOString(),
): TransitionOption[] {
  const state = stateOf(table, record.values);
  const transitions = governedBy(table)?.workflow.transitions ?? [];
  return transitions
    .filter(({ from }) => from.some((value) => value === state))
    .map((transition) => ({
      transition,
      obstacle: obstacleTo(transition, table, record, author, now),
      missing: missingFor(transition, { ...record.values, ...transition.sets }),
    }));
}

/** Only those that can be run now. */
export function possibleTransitions(
  table: Table,
  record: StoredRecord,
  author: TransitionAuthor,
  now?: string,
): Transition[] {
  return transitionOptions(table, record, author, now)
    .filter(({ obstacle }) => obstacle === null)
    .map(({ transition }) => transition);
}

/** What stands in the way of a transition, the record being as it is; null where nothing does. */
export function obstacleTo(
  transition: Transition,
  table: Table,
  record: StoredRecord,
  author: TransitionAuthor,
  now: string,
): Obstacle | null {
  const state = stateOf(table, record.values);
  if (!mayRun(transition, author)) {
    const message = `Your role does not have the right to run “${transition.label}”.`;
    return { why: "role", message };
  }
  if (!transition.from.some((value) => value === state)) {
    const message = `“${transition.label}” is not possible from ${state ?? "no state"}.`;
    return { why: "state", message };
  }
  if (passesGuard(transition, table, record, author, now)) return null;
  return { why: "guard", message: guardMessage(transition, table, author) };
}

/** Whether role and grant allow a transition, whatever the record. */
export function mayRun(
  { name, roles }: Transition,
  { role, transitions }: TransitionAuthor,
): boolean {
  const granted = transitions === true || (transitions !== false && transitions.includes(name));
  return granted && (!roles || roles.includes(role));
}

/** The required fields of a transition that are empty in these values. */
export function missingFor({ requires = [] }: Transition, values: Values): string[] {
  return requires.filter((name) => isEmpty(values[name]));
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || value === "" || isEmptyList(value);
}

function isEmptyList(value: Json): boolean {
  return Array.isArray(value) && value.length === 0;
}

function passesGuard(
  { guard }: Transition,
  table: Table,
  { id, values }: StoredRecord,
  author: TransitionAuthor,
  now: string,
): boolean {
  if (!guard) return true;
  const bound = bindFilter(guard, { me: { id: author.id, attributes: author.attributes }, now });
  return matches(bound, id, values, fieldKinds(table));
}

/** Says what the guard asks for; nothing of it where it speaks of a field that they may not know. */
function guardMessage(
  { guard, label }: Transition,
  table: Table,
  { fields }: TransitionAuthor,
): string {
  const isKnown = (name: string) => findField(table, name) && (!fields || fields.includes(name));
  if (!guard || ![...fieldsOf(guard)].every((name) => name === "id" || isKnown(name))) {
    return `“${label}” is not possible for this ${table.recordLabel}.`;
  }
  const labelOf = (name: string) => findField(table, name)?.label ?? name;
  return `“${label}” is possible only when ${describeFilter(guard, labelOf)}.`;
}
