import { randomUUID } from "node:crypto";
import { Refusal } from "../../shared/protocol/errors.ts";

/** Reports an unforeseen failure under the reference in its answer. */
export type ReportFailure = (error: unknown, reference: string) => void;

/**
 * The log line of an unforeseen failure, the same for requests, calls, handshakes and commands. `during`
 * names the operation. An operator finds the line by the reference.
 */
export function reportTo(
  log: { error(detail: object, text: string): void },
  during: string,
): ReportFailure {
  return (err, reference) => log.error({ err, reference, during }, "unforeseen failure");
}

/** The answer to an unforeseen failure: the one place that makes `internal`. */
export function internalError(
  error: unknown,
  report: ReportFailure,
  reference: string = randomUUID(),
): Refusal {
  report(error, reference);
  return new Refusal("internal", { reference });
}
