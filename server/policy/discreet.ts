import { fieldsOf } from "../../shared/filter/bind-filter.ts";
import type { Table } from "../../shared/model/model.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";

const HIDDEN_RULE = "A rule of this table does not allow that.";

/**
 * What a refusal may tell a person of the fields of a table: nothing of those that they may not see,
 * whichever rule, default or database it was that spoke of them. Every refusal of an op goes through
 * here (and every repeat of one, because rights may be other ones by then), so that what is added to
 * the judging of records can't forget it. Lists of names are the caller's own words and pass.
 */
export function discreet(refusal: Refusal, subject: Subject, table: Table | undefined): Refusal {
  const scope = table && scopeOf(subject, table);
  const { fields } = refusal.detail;
  if (!scope || scope.fields.length === table.fields.length || !isByField(fields)) return refusal;
  const seen = new Set(["id", ...scope.fields]);
  const kept = Object.entries(fields).filter(([name]) => seen.has(name));
  const told = kept.map(([name, problem]) => [name, withoutHiddenRule(problem, table, seen)]);
  const { fields: _all, ...rest } = refusal.detail;
  const detail = kept.length ? { ...rest, fields: Object.fromEntries(told) } : rest;
  const isWhole = kept.length === Object.keys(fields).length;
  return new Refusal(refusal.code, detail, isWhole ? refusal.message : undefined);
}

function isByField(fields: unknown): fields is Record<string, unknown> {
  return typeof fields === "object" && fields !== null && !Array.isArray(fields);
}

/** The sentence of a rule may name the hidden fields that the rule compares with. */
function withoutHiddenRule(problem: unknown, table: Table, seen: ReadonlySet<string>): unknown {
  const { rule, message } = problem as Partial<FieldProblem>;
  if (rule !== "rule") return problem;
  const speaksOfHidden = table.rules?.some(
    (one) => one.message === message && [...fieldsOf(one.filter)].some((name) => !seen.has(name)),
  );
  return speaksOfHidden ? { rule, message: HIDDEN_RULE } : problem;
}
