import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Refusal, unavailable } from "../../shared/protocol/errors.ts";
import { holdsNul, isUnavailable } from "../store/is-unavailable.ts";
import { TableMisfit } from "../store/model-fit.ts";
import { internalError, type ReportFailure } from "./internal-error.ts";
import { notStorable } from "./require-storable.ts";

/**
 * Converts any failure of a request, a call or a handshake to the catalogue. Internals are never revealed: an
 * unforeseen failure is reported under a reference, which the user can give to the operator.
 */
export function toRefusal(error: unknown, report: ReportFailure, reference?: string): Refusal {
  if (error instanceof Refusal) return error;
  // First: a client that hangs up while its body is read has a code of the network, too.
  const refusal = fromParser(error);
  if (refusal) return refusal;
  if (isUnavailable(error)) return unavailable();
  if (error instanceof TableMisfit) return new Refusal("model_mismatch");
  if (holdsNul(error)) return notStorable();
  return internalError(error, report, reference);
}

/** Express' router and body parser mark client errors by a status. */
function fromParser(error: unknown): Refusal | null {
  if (!(error instanceof Error) || !("status" in error)) return null;
  if (typeof error.status !== "number" || error.status < 400 || error.status > 499) return null;
  const type = "type" in error ? error.type : "";
  if (type === "entity.too.large" && "limit" in error) {
    const { limit } = error;
    const length = "length" in error ? { size: error.length } : {};
    return new Refusal("too_large", { limit, unit: "bytes", ...length });
  }
  const explanation =
    type === "entity.parse.failed" ? englishOnly("The body is not JSON.") : undefined;
  return new Refusal("invalid_request", {}, explanation);
}
