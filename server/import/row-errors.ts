import { englishText } from "../../shared/error-texts/explain.ts";
import type { ErrorBody, FieldProblem } from "../../shared/protocol/errors.ts";
import type { RowError } from "../../shared/protocol/import-report.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";

type Refused = Extract<OpResult, { ok: false }>["error"] | ErrorBody;

/** The problem of a cell's value, in English: the screen shows counts, and rows are rejected in a file. */
export function fieldError(
  place: { line: number; field: string },
  problem: FieldProblem,
): RowError {
  return {
    ...place,
    code: "validation_failed",
    rule: problem.rule,
    message: englishText(problem),
  };
}

/** The commands' refusal of a row's op, by field if they named fields. */
export function rowErrors(line: number, error: Refused): RowError[] {
  const { code, message, fields } = error as { code: string; message: string; fields?: unknown };
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    return [{ line, code, message }];
  }
  return Object.entries(fields as Record<string, Partial<FieldProblem>>).map(
    ([field, problem]) => ({
      line,
      field,
      code,
      ...(problem.rule === undefined ? {} : { rule: problem.rule }),
      message: problem.message ? englishText(problem as FieldProblem) : message,
    }),
  );
}
