import { Refusal } from "../../../shared/protocol/errors.ts";

/** Rejects calls that were unanswered when their view or table was closed. */
export function closed(what: "view" | "table"): Refusal {
  return new Refusal("aborted", { closed: what });
}
