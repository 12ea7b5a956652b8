import { type FieldProblem, Refusal } from "../../../shared/protocol/errors.ts";
import { errorMessages as messages } from "../messages/en/errors.ts";
import { errorText, explanationText } from "../messages/error-text.ts";

/** The text to show for an error, with the reference of an internal one. */
export function problemText(error: unknown): string {
  const refusal = error instanceof Refusal ? error : new Refusal("internal");
  const fields = Object.values(fieldProblems(refusal));
  if (fields.length > 0) return fields.map(explanationText).join(" ");
  const reference = refusal.detail.reference;
  const message = errorText(refusal);
  return typeof reference === "string" ? messages.reference({ message, reference }) : message;
}

/** Whether a call was refused because the session has ended, which the page shows by itself. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401 && !asksForProof(error);
}

/** Whether the user is to prove who they are, and then do the same again. */
export function asksForProof(error: unknown): boolean {
  return error instanceof Refusal && error.code === "authentication_too_old";
}

function fieldProblems(refusal: Refusal): Record<string, FieldProblem> {
  if (refusal.code !== "validation_failed") return {};
  const { fields } = refusal.detail;
  return typeof fields === "object" && fields !== null
    ? (fields as Record<string, FieldProblem>)
    : {};
}
