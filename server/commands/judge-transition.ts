import type { Json } from "../../shared/filter/filter.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { findField, type Table, type Values } from "../../shared/model/model.ts";
import { governedBy, stateOf } from "../../shared/model/state-of.ts";
import { findTransition, type Transition } from "../../shared/model/workflow.ts";
import { moverOf } from "../../shared/policy/mover.ts";
import {
  type Mover,
  missingFor,
  type Obstacle,
  obstacleTo,
  possibleTransitions,
} from "../../shared/policy/possible-transitions.ts";
import { grantOn } from "../../shared/policy/role.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { requireKnownFields, requireTransition, requireUpdate } from "../policy/authorize.ts";
import { requireUnlocked, transitionRequired } from "./check-state.ts";
import { normalizeValues } from "./check-values.ts";
import { conflictOf } from "./conflict.ts";
import { changesOf, checkChange, clashes, requireBase } from "./field-edit.ts";
import { findStanding } from "./find-standing.ts";
import { type Judged, type Judging, rowAfter } from "./judging.ts";
import type { Op } from "./op.ts";

type TransitionOp = Op & { op: "transition" };

/** A move on its way: the record as it stands under lock, and who moves it. */
interface Moving {
  op: TransitionOp;
  table: Table;
  scope: Scope;
  stateField: string;
  transition: Transition;
  standing: Values;
  mover: Mover;
  judging: Judging;
}

/**
 * The only way from state to state. In this order: may they at all, did they see the state that
 * stands, is the move possible from it and for this record, may they fill what they fill, is anything
 * missing. A right to run a transition carries the right to fill the fields that it requires.
 */
export function judgeTransition(
  op: TransitionOp,
  table: Table,
  scope: Scope,
  judging: Judging,
): Judged {
  const { record } = op;
  const given = op.set ?? {};
  requireKnownFields(scope, [...Object.keys(given), ...Object.keys(op.base ?? {})]);
  requireBase(op, Object.keys(given));
  const standing = findStanding(table, record, scope, judging);
  const moving = readMove(op, table, scope, standing, judging);
  requirePresent(moving);
  const set = judgeFilled(moving, normalizeValues(table, given));
  const sets = boundSets(moving, set);
  const wanted = { ...set, ...sets, [moving.stateField]: moving.transition.to };
  requireComplete(moving, rowAfter(table, record, { ...standing, ...wanted }, judging));
  const changed = changesOf(table, standing, wanted);
  if (Object.keys(changed).length === 0) return { table, record, write: null };
  const row = rowAfter(table, record, { ...standing, ...changed }, judging);
  requireFilling(moving, set, row);
  checkChange(table, record, { changed, row, given: set }, judging);
  return {
    table,
    record,
    write: { kind: "update", table, record, set: changed, row, note: noteOf(moving) },
  };
}

function noteOf({ op, transition, judging: { mutation } }: Moving) {
  const reason = op.reason?.trim();
  const note = { actor: mutation.actor, mutation: mutation.id, transition: transition.name };
  return reason ? { ...note, reason } : note;
}

/** The transition by its name, and whether they may run it at all. */
function readMove(
  op: TransitionOp,
  table: Table,
  scope: Scope,
  standing: Values,
  judging: Judging,
): Moving {
  const governed = governedBy(table);
  if (!governed || !scope.fields.includes(governed.stateField)) {
    const text = `${table.label} have no transitions.`;
    throw new Refusal(
      "transition_not_allowed",
      { table: table.name, why: "none", possible: [] },
      text,
    );
  }
  const mover = moverOf(judging.mutation.subject, table, scope);
  const transition = findTransition(governed.workflow, op.transition);
  const { stateField } = governed;
  const place = { op, table, scope, stateField, standing, mover, judging };
  if (!transition) {
    throw notAllowed(place, { why: "unknown", message: "There is no such transition." });
  }
  requireTransition(table, mover, transition);
  return { ...place, transition };
}

/** The state that its author saw must stand, and the record must let itself be moved from it. */
function requirePresent(moving: Moving): void {
  const { op, table, stateField, transition, standing, mover, judging } = moving;
  if (stateOf(table, standing) !== op.from) {
    const attempt = {
      record: op.record,
      base: { ...op.base, [stateField]: op.from },
      set: { ...op.set, [stateField]: transition.to },
    };
    throw conflictOf(attempt, table, standing, [stateField], judging);
  }
  const record = { id: op.record, values: standing };
  const obstacle = obstacleTo(transition, table, record, mover, judging.now);
  if (obstacle) throw notAllowed(moving, obstacle);
  if (op.reason !== undefined && !isStorable(op.reason)) {
    throw new Refusal("invalid_request", { at: "reason" });
  }
}

function notAllowed(
  { op, table, standing, mover, judging }: Omit<Moving, "transition">,
  { why, message }: Omit<Obstacle, "why"> & { why: Obstacle["why"] | "unknown" },
): Refusal {
  const record = { id: op.record, values: standing };
  const possible = possibleTransitions(table, record, mover, judging.now).map(({ name }) => name);
  const detail = { table: table.name, transition: op.transition, why, possible };
  return new Refusal("transition_not_allowed", detail, message);
}

/** What the author fills on the way, judged like any edit; the state itself is not theirs to fill. */
function judgeFilled(moving: Moving, set: Values): Values {
  const { op, table, scope, stateField, transition, standing, judging } = moving;
  if (stateField in set && set[stateField] !== transition.to) {
    throw transitionRequired(table, { id: op.record, values: standing }, scope, judging);
  }
  requireFilling(moving, set, standing);
  requireUnlocked(table, standing, set, [
    stateField,
    ...(transition.requires ?? []),
    ...Object.keys(transition.sets ?? {}),
  ]);
  const { record, base } = op;
  const clashing = clashes({ record, base }, table, scope, standing, set, judging).filter(
    (name) => name !== stateField,
  );
  if (clashing.length) throw conflictOf(op, table, standing, clashing, judging);
  return set;
}

function requireFilling(moving: Moving, set: Values, after: Values): void {
  const { op, table, stateField, transition, standing, judging } = moving;
  const others = Object.keys(set).filter(
    (name) => name !== stateField && !transition.requires?.includes(name),
  );
  if (others.length === 0) return;
  const images = { before: standing, after };
  requireUpdate(judging.mutation.subject, table, op.record, images, others);
}

/**
 * What the move itself sets, with the commit's instant and its author in place. Whoever may bring
 * history in may also say what it was: an import keeps the time that its file tells.
 */
function boundSets({ transition, table, judging }: Moving, given: Values): Values {
  const { now, mutation } = judging;
  const bind = (value: Json) =>
    value === "$now" ? now : value === "$me" ? mutation.subject.id : value;
  const mayTell = grantOn(mutation.subject.role, table).createInAnyState === true;
  const sets = Object.entries(transition.sets ?? {}).filter(
    ([name]) => findField(table, name) && !(mayTell && name in given),
  );
  return normalizeValues(table, Object.fromEntries(sets.map(([name, v]) => [name, bind(v)])));
}

/** What is required must be there afterwards. An empty field that may not be seen is not named. */
function requireComplete({ op, table, scope, transition }: Moving, row: Values): void {
  const fields = missingFor(transition, row);
  const seen = fields.filter((name) => scope.fields.includes(name));
  const needsReason = transition.reason === true && !op.reason?.trim();
  if (fields.length === 0 && !needsReason) return;
  const missing = needsReason ? [...seen, "reason"] : seen;
  const labels = seen.map((name) => findField(table, name)?.label ?? name);
  if (needsReason) labels.push("a reason");
  const what = labels.length ? `: ${labels.join(", ")}` : "";
  const text = `“${transition.label}” is missing something${what}.`;
  const detail = { table: table.name, transition: transition.name, missing };
  throw new Refusal("transition_incomplete", detail, text);
}
