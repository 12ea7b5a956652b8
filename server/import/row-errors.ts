import {
  type Explanation,
  explanationOf,
  quote,
  toSent,
  wordingOf,
} from "../../shared/error-texts/explain.ts";
import type { ErrorBody, FieldProblem } from "../../shared/protocol/errors.ts";
import type { RowError } from "../../shared/protocol/imports.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";

type Refused = Extract<OpResult, { ok: false }>["error"] | ErrorBody;

/** Why a row is refused: in which field, if in one, by which code and rule. */
export function rowError(
  facts: Pick<RowError, "line" | "field" | "code" | "rule">,
  explanation: Explanation,
): RowError {
  return { ...facts, ...toSent(explanationOf(explanation)) };
}

/** The problem of a cell's value. */
export function fieldError(
  place: { line: number; field: string },
  problem: FieldProblem,
): RowError {
  return rowError({ ...place, code: "validation_failed", rule: problem.rule }, problem);
}

/** The commands' refusal of a row's op, by field if they named fields. */
export function rowErrors(line: number, error: Refused): RowError[] {
  const { code, message, fields, ...detail }: Readonly<Record<string, unknown>> & Refused = error;
  const whole = { ...quote(message), ...wordingOf(detail) };
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return [rowError({ line, code }, whole)];
  }
  return Object.entries(fields as Record<string, Partial<FieldProblem>>).map(([field, problem]) =>
    rowError(
      { line, field, code, ...(problem.rule !== undefined && { rule: problem.rule }) },
      problem.message ? (problem as FieldProblem) : whole,
    ),
  );
}
