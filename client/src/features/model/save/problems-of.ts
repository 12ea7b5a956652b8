import type { ModelProblem } from "../../../../../shared/model/model-problem.ts";
import { Refusal } from "../../../../../shared/protocol/errors.ts";

/** The places of a refused model and what is wrong there; none where it was refused for something else. */
export function problemsOf(error: unknown): ModelProblem[] {
  const found = error instanceof Refusal ? error.detail.problems : undefined;
  return Array.isArray(found) ? (found as ModelProblem[]) : [];
}
