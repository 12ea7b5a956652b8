import { explain } from "../../shared/error-texts/explain.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal, unavailable, invalidValue } from "../../shared/protocol/errors.ts";
import { brokenBy, duplicateBy, linkedBy } from "./constraint-problem.ts";

interface DriverError {
  code?: string;
  table?: string;
  column?: string;
  constraint?: string;
}

/** Classes of SQLSTATE, and network codes, that mean that the store is temporarily unavailable. */
const unavailableCodes = /^(08|53|57P0|ECONN|EPIPE|ETIMEDOUT|ENOENT|EHOSTUNREACH|ENOTFOUND)/;
const CANCELLED = "57014";
/** Serialisation failure, deadlock, lock time-out, statement time-out. */
const retryCodes = new Set(["40001", "40P01", "55P03", CANCELLED]);

/** Whether an error was caused by concurrent transactions: a repeat may well succeed. */
export function isContention(error: unknown): boolean {
  return retryCodes.has((error as DriverError).code ?? "");
}

/** Whether a statement was cancelled, by us or by a time-out. */
export function isCancelled(error: unknown): boolean {
  return (error as DriverError).code === CANCELLED;
}

/** Whether another server was faster with the same mutation id. */
export function isMutationTaken(error: unknown): boolean {
  const { code, constraint } = error as DriverError;
  return code === "23505" && constraint === "mutation_pkey";
}

/** Whether an error means that the database can't be reached or is shutting down. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message = "" } = error as DriverError & { message?: string };
  return (
    (code !== undefined && unavailableCodes.test(code)) ||
    /Connection terminated|not queryable|client was closed|timeout exceeded when trying to connect|timeout expired/i.test(
      message,
    )
  );
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
  if (isDatabaseUnavailable(error) || isContention(error)) return unavailable();
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
