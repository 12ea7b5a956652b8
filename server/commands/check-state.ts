import {
  type Explanation,
  type ExplanationValue,
  explain,
} from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import {
  type Field,
  findField,
  type Table,
  type Values,
  zoneOf,
} from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { sameValue } from "../../shared/model/same-value.ts";
import { governedBy, lockedFields, stateOf } from "../../shared/model/state-of.ts";
import { findState, initialStates } from "../../shared/model/workflow.ts";
import { possibleTransitions } from "../../shared/policy/possible-transitions.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { transitionAuthorOf } from "../../shared/policy/transition-author.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { canSee } from "../policy/authorize.ts";
import type { EvaluationContext } from "./evaluation-context.ts";

/**
 * What a workflow forbids to plain writes. Every write path runs these checks, so that paste, import, undo
 * and REST can't bypass a transition.
 */

interface PlainWrite {
  record: string;
  stored: Values;
  set: Values;
}

/**
 * Refuses a plain write to the state, and to fields that the current state locks. Stored values may be
 * repeated.
 */
export function requireUngoverned(
  table: Table,
  { record, stored, set }: PlainWrite,
  scope: Scope,
  context: EvaluationContext,
): void {
  const governed = governedBy(table);
  if (!governed) return;
  const requested = set[governed.stateField];
  if (requested !== undefined && !mayWriteState(table, stored, requested)) {
    throw transitionRequired(table, { id: record, values: stored }, scope, context);
  }
  requireUnlocked(table, stored, set);
}

/** Refuses changes to fields that the current state locks, except `exempt` ones. */
export function requireUnlocked(
  table: Table,
  stored: Values,
  set: Values,
  exempt: readonly string[] = [],
): void {
  const locked = lockedFields(table, stored).filter(
    (name) => name in set && !exempt.includes(name) && !isSame(table, name, stored, set),
  );
  if (locked.length === 0) return;
  const state = stateOf(table, stored);
  const fields = locked.map((name) => findField(table, name)?.label ?? name);
  const why = { fields, record: table.recordLabel, state: String(state) };
  const detail = { table: table.name, fields: locked, state };
  throw new Refusal("field_locked", detail, explain("record.locked", why));
}

/** A new record: the values that were given, and all that it would have. */
interface NewRecord {
  record: string;
  given: Values;
  values: Values;
}

/** A record begins in an initial state; history in others needs a right of its own. */
export function requireInitialState(
  table: Table,
  { record, given, values }: NewRecord,
  scope: Scope,
  context: EvaluationContext,
): void {
  const governed = governedBy(table);
  const state = governed && (given[governed.stateField] ?? null);
  if (!governed || state === null) return;
  const initial = initialStates(governed.workflow);
  if (initial.some((value) => value === state)) return;
  if (grantOn(context.mutation.subject.role, table).createInAnyState) return;
  if (isUndoOfDeletion(table, { record, values }, scope, context)) return;
  const detail = { right: "createInAnyState", table: table.name, initial };
  throw new Refusal("forbidden", detail, explainInitialState(table, initial, state));
}

/** Why a record can't begin in a state. */
export function explainInitialState(
  { recordLabel: record }: Table,
  initial: readonly string[],
  state: Json,
): Explanation {
  return explain("record.initialState", { record, states: oneOf(initial), state: String(state) });
}

/**
 * Undoing a deletion creates the record again, exactly as its author could see it: a record with any other value in the
 * same state would bypass the transitions and what the state locks. What the database fills by itself is not compared.
 */
function isUndoOfDeletion(
  table: Table,
  { record, values }: Omit<NewRecord, "given">,
  scope: Scope,
  { rows, history }: EvaluationContext,
): boolean {
  const deletion = rows.record(table, record) ? null : history.deletion(table.name, record);
  if (!deletion || !canSee(scope, table, record, deletion.before)) return false;
  const isWritten = (name: string) => !isReadOnly(findField(table, name) as Field);
  const written = scope.fields.filter(isWritten);
  return written.every((name) => isSame(table, name, deletion.before, values));
}

/** The refusal of a plain write to the state: names the possible transitions. */
export function transitionRequired(
  table: Table,
  record: { id: string; values: Values },
  scope: Scope,
  { mutation, now, model }: EvaluationContext,
): Refusal {
  const author = transitionAuthorOf(mutation.subject, table, scope, zoneOf(model));
  const possible = possibleTransitions(table, record, author, now);
  const explanation =
    possible.length > 0
      ? explain("record.transitionRequired", { transitions: possible.map(({ label }) => label) })
      : explain("record.noTransitionPossible");
  const names = possible.map(({ name }) => name);
  return new Refusal("transition_required", { table: table.name, possible: names }, explanation);
}

/** The stored state; or, for a record whose state the workflow does not know, an initial one. */
function mayWriteState(table: Table, stored: Values, requested: Json): boolean {
  const state = stateOf(table, stored);
  const governed = governedBy(table);
  if (!governed || requested === state) return true;
  const known = findState(governed.workflow, state) !== undefined;
  return !known && initialStates(governed.workflow).some((value) => value === requested);
}

function isSame(table: Table, name: string, stored: Values, set: Values): boolean {
  const { type } = findField(table, name) as Field;
  return sameValue(kindOfType[type], stored[name] ?? null, set[name] ?? null);
}

/** "New or Open". */
function oneOf([first = "", ...others]: readonly string[]): ExplanationValue {
  return others.length === 0 ? first : explain("record.or", { first, second: oneOf(others) });
}
