import { Refusal } from "../../../shared/protocol/errors.ts";

/** Answers what was asked of a view or a table and had no answer when it was closed. */
export function closed(what: "view" | "table"): Refusal {
  return new Refusal("aborted", { closed: true }, `The ${what} was closed.`);
}
