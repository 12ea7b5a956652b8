import { englishText, explain } from "../../shared/error-texts/explain.ts";
import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import { findTable, type Model, type Table, type Values } from "../../shared/model/model.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import { findTransition } from "../../shared/model/workflow.ts";
import { explainGuard } from "../../shared/policy/possible-transitions.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import {
  type ErrorCode,
  type FieldConflict,
  type FieldProblem,
  Refusal,
} from "../../shared/protocol/errors.ts";

/** The reader of a refusal, and its subject. */
interface Redaction {
  subject: Subject;
  table: Table | undefined;
  model: Model;
  /** What the caller claims to have seen of the record: a conflict may repeat it to them. */
  baseValues?: Values | undefined;
}

/** What the redaction depends on, computed once. */
interface Reader extends Redaction {
  table: Table;
  visible: ReadonlySet<string>;
  seesState: boolean;
}

/**
 * A refusal as its reader may see it: without the fields, states and earlier values that they may not read,
 * whichever check or database named them. Every refusal of an op passes through here, and every repeat of
 * one, because rights may have changed by then; so a new check can't forget it. Lists of names that the
 * caller sent are unchanged.
 */
export function redactRefusal(refusal: Refusal, redaction: Redaction): Refusal {
  const { subject, table } = redaction;
  const scope = table && scopeOf(subject, table);
  if (!table || !scope) return refusal;
  const visible = new Set(["id", ...scope.fields]);
  const { stateField } = table;
  const seesState = stateField === undefined || visible.has(stateField);
  const reader = { ...redaction, table, visible, seesState };
  const parts = [withoutLinker, withoutHistory, withoutGuard, withoutState, withoutHiddenFields];
  return parts.reduce((redacted, without) => without(redacted, reader), refusal);
}

/** Names of transitions reveal the state as much as its value does. */
const stateCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "field_locked",
  "transition_required",
  "transition_not_allowed",
  "transition_incomplete",
  "forbidden",
]);

function withoutState(refusal: Refusal, { seesState }: Reader): Refusal {
  if (seesState || !stateCodes.has(refusal.code)) return refusal;
  const { state, possible, initial, ...detail } = refusal.detail;
  const isComplete = state === undefined && possible === undefined && initial === undefined;
  return isComplete ? refusal : new Refusal(refusal.code, detail);
}

/**
 * The value before the other edit is history: it is returned to users who may read that, or sent it
 * themselves.
 */
function withoutHistory(refusal: Refusal, { subject, table, baseValues }: Reader): Refusal {
  const { fields } = refusal.detail;
  const isAuthorVisible = refusal.code !== "conflict" || grantOn(subject.role, table).history;
  if (isAuthorVisible || !isByField(fields)) return refusal;
  const redacted = Object.entries(fields).map(([name, conflict]) => [
    name,
    { ...(conflict as FieldConflict), base: baseValues?.[name] ?? null },
  ]);
  const detail = { ...refusal.detail, fields: Object.fromEntries(redacted) };
  return new Refusal(refusal.code, detail, refusal.explanation);
}

/** A guard is described to users who may read all its fields, as long as it is the one that the refusal describes. */
function withoutGuard(refusal: Refusal, { table, visible }: Reader): Refusal {
  const { why, transition: name } = refusal.detail;
  if (refusal.code !== "transition_not_allowed" || why !== "guard") return refusal;
  const workflow = governedBy(table)?.workflow;
  const transition = workflow && findTransition(workflow, String(name));
  const label = transition?.label ?? String(name);
  const fields = [...visible];
  const current = explainGuard({ guard: transition?.guard, label }, table, { fields });
  if (englishText(current) === refusal.message) return refusal;
  return new Refusal(refusal.code, refusal.detail, explainGuard({ label }, table, {}));
}

/** The field and table that still link to a record, for users who may read that field. */
function withoutLinker(refusal: Refusal, { subject, model }: Reader): Refusal {
  const by = refusal.detail.by as { table?: string; field?: string } | undefined;
  if (refusal.code !== "still_linked" || !by) return refusal;
  const table = findTable(model, by.table ?? "");
  const scope = table && scopeOf(subject, table);
  if (scope?.fields.includes(by.field ?? "")) return refusal;
  const fields = { id: { rule: "linked", ...explain("record.linked") } };
  return new Refusal(refusal.code, { fields });
}

function withoutHiddenFields(refusal: Refusal, { table, visible }: Reader): Refusal {
  const { fields, missing } = refusal.detail;
  if (visible.size > table.fields.length) return refusal;
  if (Array.isArray(missing) && !missing.every((name) => name === "reason" || visible.has(name))) {
    const left = missing.filter((name) => name === "reason" || visible.has(name));
    return new Refusal(refusal.code, { ...refusal.detail, missing: left });
  }
  if (!isByField(fields)) return refusal;
  const visibleFields = Object.entries(fields).filter(([name]) => visible.has(name));
  const redactedFields = visibleFields.map(([name, problem]) => [
    name,
    withoutHiddenRule(problem, table, visible),
  ]);
  const { fields: _all, ...rest } = refusal.detail;
  const detail = visibleFields.length
    ? { ...rest, fields: Object.fromEntries(redactedFields) }
    : rest;
  const isComplete = visibleFields.length === Object.keys(fields).length;
  return new Refusal(refusal.code, detail, isComplete ? refusal.explanation : undefined);
}

function isByField(fields: unknown): fields is Record<string, unknown> {
  return typeof fields === "object" && fields !== null && !Array.isArray(fields);
}

/** The sentence of a rule is shown to users who may read all fields that the rule compares, as long as the rule has it. */
function withoutHiddenRule(problem: unknown, table: Table, visible: Reader["visible"]): unknown {
  const { rule } = problem as Partial<FieldProblem>;
  if (rule !== "rule") return problem;
  const message = englishText(problem as FieldProblem);
  const current = table.rules?.filter((one) => one.message === message) ?? [];
  const isReadable = current.every(({ filter }) =>
    [...fieldsOf(filter)].every((name) => visible.has(name)),
  );
  return current.length > 0 && isReadable ? problem : { rule, ...explain("record.rule") };
}
