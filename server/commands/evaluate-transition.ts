import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { findField, type Table, type Values, zoneOf } from "../../shared/model/model.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";
import { findTransition, type Transition } from "../../shared/model/workflow.ts";
import {
  missingFor,
  type Obstacle,
  obstacleTo,
  possibleTransitions,
  type TransitionAuthor,
} from "../../shared/policy/possible-transitions.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { transitionAuthorOf } from "../../shared/policy/transition-author.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { requireKnownFields, requireTransition, requireUpdate } from "../policy/authorize.ts";
import { requireUnlocked, transitionRequired } from "./check-state.ts";
import { isEarlierValue, normalizeValues } from "./check-values.ts";
import { changesOf, checkChange, clashes, requireBase } from "./evaluate-update.ts";
import {
  type EvaluatedOp,
  type EvaluationContext,
  noteOf,
  rowAfter,
} from "./evaluation-context.ts";
import type { Op } from "./op.ts";
import { conflictOf, findStoredRecord, requireSameRecord } from "./stored-record.ts";

type TransitionOp = Op & { op: "transition" };

/** A transition in progress: the locked record, and its author. */
interface PendingTransition {
  op: TransitionOp;
  table: Table;
  scope: Scope;
  stateField: string;
  transition: Transition;
  stored: Values;
  author: TransitionAuthor;
  context: EvaluationContext;
}

/**
 * The only way to change a state. In this order: may the author run it at all, did they see the stored state,
 * is the transition possible from it and for this record, may they fill these fields, is anything missing. A
 * right to run a transition includes the right to fill the fields that it requires.
 */
export function evaluateTransition(
  op: TransitionOp,
  table: Table,
  scope: Scope,
  context: EvaluationContext,
): EvaluatedOp {
  const { record } = op;
  const given = op.set ?? {};
  requireKnownFields(scope, [...Object.keys(given), ...Object.keys(op.base ?? {})]);
  requireBase(op, Object.keys(given));
  const stored = findStoredRecord(table, record, scope, context);
  const pending = resolveTransition(op, table, scope, stored, context);
  requireSameRecord(op, table, scope, context);
  requirePresent(pending);
  const written = normalizeValues(table, given, isEarlierValue(table, record, context));
  const set = evaluateFilledFields(pending, written);
  const sets = boundSets(pending, set);
  const requested = { ...set, ...sets, [pending.stateField]: pending.transition.to };
  requireComplete(pending, rowAfter(table, record, { ...stored, ...requested }, context));
  const changed = changesOf(table, stored, requested);
  if (Object.keys(changed).length === 0) return { table, record, write: null };
  const row = rowAfter(table, record, { ...stored, ...changed }, context);
  requireFilling(pending, set, row);
  checkChange(table, record, { changed, row, given: set }, context);
  return {
    table,
    record,
    write: { kind: "update", table, record, set: changed, row, note: transitionNote(pending) },
  };
}

function transitionNote({ op, transition, context }: PendingTransition) {
  const reason = op.reason?.trim();
  const note = { ...noteOf(context), transition: transition.name };
  return reason ? { ...note, reason } : note;
}

/** The transition by its name, and whether the author may run it at all. */
function resolveTransition(
  op: TransitionOp,
  table: Table,
  scope: Scope,
  stored: Values,
  context: EvaluationContext,
): PendingTransition {
  const governed = governedBy(table);
  if (!governed || !scope.fields.includes(governed.stateField)) {
    throw new Refusal(
      "transition_not_allowed",
      { table: table.name, why: "none", possible: [] },
      explain("record.noTransitions", { table: table.label }),
    );
  }
  const { subject } = context.mutation;
  const author = transitionAuthorOf(subject, table, scope, zoneOf(context.model));
  const transition = findTransition(governed.workflow, op.transition);
  const { stateField } = governed;
  const partial = { op, table, scope, stateField, stored, author, context };
  if (!transition) {
    throw notAllowed(partial, { why: "unknown", ...explain("record.unknownTransition") });
  }
  requireTransition(table, author, transition);
  return { ...partial, transition };
}

/** The state that the author saw must be stored, and the transition must be possible for the record. */
function requirePresent(pending: PendingTransition): void {
  const { op, table, stateField, transition, stored, author, context } = pending;
  if (stateOf(table, stored) !== op.from) {
    const attempt = {
      record: op.record,
      base: { ...op.base, [stateField]: op.from },
      set: { ...op.set, [stateField]: transition.to },
    };
    throw conflictOf(attempt, table, stored, [stateField], context);
  }
  const record = { id: op.record, values: stored };
  const obstacle = obstacleTo(transition, table, record, author, context.now);
  if (obstacle) throw notAllowed(pending, obstacle);
}

function notAllowed(
  { op, table, stored, author, context }: Omit<PendingTransition, "transition">,
  { why, ...explanation }: Omit<Obstacle, "why"> & { why: Obstacle["why"] | "unknown" },
): Refusal {
  const record = { id: op.record, values: stored };
  const possible = possibleTransitions(table, record, author, context.now).map(({ name }) => name);
  const detail = { table: table.name, transition: op.transition, why, possible };
  return new Refusal("transition_not_allowed", detail, explanation);
}

/** What the author fills, evaluated like any edit; the state itself is not among it. */
function evaluateFilledFields(pending: PendingTransition, set: Values): Values {
  const { op, table, scope, stateField, transition, stored, context } = pending;
  if (stateField in set && set[stateField] !== transition.to) {
    throw transitionRequired(table, { id: op.record, values: stored }, scope, context);
  }
  requireFilling(pending, set, stored);
  requireUnlocked(table, stored, set, [
    stateField,
    ...(transition.requires ?? []),
    ...Object.keys(transition.sets ?? {}),
  ]);
  const { record, base, key } = op;
  const clashing = clashes({ record, base, key }, table, scope, stored, set, context).filter(
    (name) => name !== stateField,
  );
  if (clashing.length) throw conflictOf(op, table, stored, clashing, context);
  return set;
}

function requireFilling(pending: PendingTransition, set: Values, after: Values): void {
  const { op, table, stateField, transition, stored, context } = pending;
  const others = Object.keys(set).filter(
    (name) => name !== stateField && !transition.requires?.includes(name),
  );
  if (others.length === 0) return;
  const images = { before: stored, after };
  requireUpdate(context.mutation.subject, table, op.record, images, others);
}

/**
 * What the transition sets, with the commit's instant and its author. Whoever may import history may override
 * it: an import uses the times of its file.
 */
function boundSets({ transition, table, context }: PendingTransition, given: Values): Values {
  const { now, mutation } = context;
  const bind = (value: Json) =>
    value === "$now" ? now : value === "$me" ? mutation.subject.id : value;
  const maySetHistory = grantOn(mutation.subject.role, table).createInAnyState === true;
  const sets = Object.entries(transition.sets ?? {}).filter(
    ([name]) => findField(table, name) && !(maySetHistory && name in given),
  );
  return normalizeValues(table, Object.fromEntries(sets.map(([name, v]) => [name, bind(v)])));
}

/** Required fields must be filled afterwards. An empty hidden field is not named. */
function requireComplete({ op, table, scope, transition }: PendingTransition, row: Values): void {
  const fields = missingFor(table, transition, row);
  const visible = fields.filter((name) => scope.fields.includes(name));
  const needsReason = transition.reason === true && !op.reason?.trim();
  if (fields.length === 0 && !needsReason) return;
  const missing = needsReason ? [...visible, "reason"] : visible;
  const labels = visible.map((name) => findField(table, name)?.label ?? name);
  const what = needsReason ? [...labels, explain("record.reason")] : labels;
  const { label } = transition;
  const explanation = what.length
    ? explain("record.incompleteFields", { transition: label, fields: what })
    : explain("record.incomplete", { transition: label });
  const detail = { table: table.name, transition: transition.name, missing };
  throw new Refusal("transition_incomplete", detail, explanation);
}
