import { type Explanation, explain } from "../error-texts/explain.ts";
import { bindFilter, fieldsOf } from "../filter/bind-filter.ts";
import { describeFilter } from "../filter/describe.ts";
import type { Filter, Json } from "../filter/filter.ts";
import { matches } from "../filter/matches.ts";
import { isEmptyValue } from "../filter/value-kinds.ts";
import { fieldKinds, findField, type Table, type Values } from "../model/model.ts";
import { governedBy, stateOf } from "../model/state-of.ts";
import type { Transition } from "../model/workflow.ts";

/**
 * Which transitions a record may run, by whom, and why not. The server refuses and the client disables
 * controls by the same functions; only the server sees every field, and decides.
 */

/** The author of a transition. */
export interface TransitionAuthor {
  id: string;
  role: string;
  attributes: Readonly<Record<string, Json>>;
  /** The grant on the table: all transitions, the named ones, or none. */
  transitions: boolean | readonly string[];
  /** The fields that they may see; all fields if absent. */
  fields?: readonly string[];
  /** Where `$today` of a guard begins: the installation's zone. */
  zone: string;
}

/** Why a transition can't be run: the state, the author, or the record. */
export interface Obstacle extends Explanation {
  why: "state" | "role" | "guard";
}

/** A transition of the workflow from the record's current state. */
export interface TransitionOption {
  transition: Transition;
  /** Null if it can be run. */
  obstacle: Obstacle | null;
  /** Required fields that are empty and not set by the transition itself. */
  missing: string[];
}

interface StoredRecord {
  id: string;
  values: Values;
}

/** Every transition from the current state, in the order of the workflow, with what prevents it. */
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
      missing: missingFor(table, transition, { ...record.values, ...transition.sets }),
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

/** What prevents a transition for the record; null if it can be run. */
export function obstacleTo(
  transition: Transition,
  table: Table,
  record: StoredRecord,
  author: TransitionAuthor,
  now: string,
): Obstacle | null {
  const state = stateOf(table, record.values);
  if (!mayRun(transition, author)) {
    return { why: "role", ...explain("record.transitionOfRole", { transition: transition.label }) };
  }
  if (!transition.from.some((value) => value === state)) {
    const from = {
      transition: transition.label,
      state: state === null ? explain("record.noState") : String(state),
    };
    return { why: "state", ...explain("record.transitionFrom", from) };
  }
  if (passesGuard(transition, table, record, author, now)) return null;
  return { why: "guard", ...explainGuard(transition, table, author) };
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
export function missingFor(table: Table, { requires = [] }: Transition, values: Values): string[] {
  const kinds = fieldKinds(table);
  return requires.filter((name) => isEmptyValue(kinds[name] ?? "text", values[name] ?? null));
}

function passesGuard(
  { guard }: Transition,
  table: Table,
  { id, values }: StoredRecord,
  author: TransitionAuthor,
  now: string,
): boolean {
  if (!guard) return true;
  const { id: me, attributes, zone } = author;
  const bound = bindFilter(guard, { me: { id: me, attributes }, now, zone });
  return matches(bound, id, values, fieldKinds(table));
}

/** Describes the guard; nothing if it names a field that the author may not see. */
export function explainGuard(
  { guard, label }: { guard?: Filter | undefined; label: string },
  table: Table,
  { fields }: Pick<TransitionAuthor, "fields">,
): Explanation {
  const isKnown = (name: string) => findField(table, name) && (!fields || fields.includes(name));
  if (!guard || ![...fieldsOf(guard)].every((name) => name === "id" || isKnown(name))) {
    return explain("record.guardHidden", { transition: label, record: table.recordLabel });
  }
  const labelOf = (name: string) => findField(table, name)?.label ?? name;
  return explain("record.guard", {
    transition: label,
    condition: describeFilter(guard, labelOf),
  });
}
