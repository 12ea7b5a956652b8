import { type FieldProblem, Refusal } from "../../../shared/protocol/errors.ts";

/** A failure in a sentence for people; with the reference where it is nobody's fault but ours. */
export function problemText(error: unknown): string {
  const refusal = error instanceof Refusal ? error : new Refusal("internal");
  const fields = Object.values(fieldProblems(refusal));
  if (fields.length > 0) return fields.map(({ message }) => message).join(" ");
  const reference = refusal.detail.reference;
  return typeof reference === "string"
    ? `${refusal.message} Reference: ${reference}`
    : refusal.message;
}

/** Whether a call was refused because nobody is signed in any more: the page says so by itself. */
export function isSessionEnd(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401;
}

function fieldProblems(refusal: Refusal): Record<string, FieldProblem> {
  if (refusal.code !== "validation_failed") return {};
  const { fields } = refusal.detail;
  return typeof fields === "object" && fields !== null
    ? (fields as Record<string, FieldProblem>)
    : {};
}
