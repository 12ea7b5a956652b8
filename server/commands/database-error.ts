import { explain } from "../../shared/error-texts/explain.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { invalidValue, Refusal, unavailable } from "../../shared/protocol/errors.ts";
import { misfitRefusal } from "../policy/misfit-refusal.ts";
import { isUnavailable, isUnreachable } from "../store/is-unavailable.ts";
import { TableMisfit } from "../store/model-fit.ts";
import { brokenBy, duplicateBy, linkedBy, numberedPlace } from "./constraint-problem.ts";

interface DriverError {
  code?: string;
  table?: string;
  column?: string;
  constraint?: string;
}

/** Whether another server was faster with the same mutation id. */
export function isMutationTaken(error: unknown): boolean {
  const { code, constraint } = error as DriverError;
  return code === "23505" && constraint === "mutation_pkey";
}

/** The field whose automatic number was taken, with its table; null for any other error. */
export function takenNumber(error: unknown, model: Model) {
  const { code, constraint = "" } = error as DriverError;
  return code === "23505" ? numberedPlace(constraint, model) : null;
}

/** Whether the same call may be accepted later: the store was unavailable, or a queue was full. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof Refusal)) return isUnreachable(error);
  return error.code === "unavailable" || error.code === "rate_limited";
}

/**
 * A database error as a refusal of the catalogue: what our own checks can't see because another transaction
 * was faster, and what an adopted table checks for itself. Null if it is not one.
 */
export function refusalOf(
  error: unknown,
  op: string,
  { model, subject }: { model: Model; subject: Subject },
): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof TableMisfit) return misfitRefusal(error, { model, subject });
  if (isUnavailable(error)) return unavailable();
  const { code, column, constraint = "" } = error as DriverError;
  switch (code) {
    case "23505":
      return duplicateBy(constraint, model);
    case "23503":
      return op === "delete" ? linkedBy(constraint, model, subject) : brokenBy(constraint, model);
    case "23502":
      return invalidValue(column ?? "", "required", explain("value.empty"));
    case "23514":
      return invalidValue(constraint, "check", explain("value.databaseCheck"));
    case "22001":
    case "22003":
    case "22007":
    case "22008":
    case "22P02":
    case "22021":
    case "22P05":
      return invalidValue(column ?? "", "type", explain("value.databaseType"));
    default:
      return null;
  }
}
