import type { Model } from "../../shared/model/model.ts";
import { checkRole } from "../../shared/policy/check-role.ts";
import type { Role } from "../../shared/policy/role.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";

/** Refuses grants that are invalid under the model, with places and reasons. */
export function validateGrants(role: Pick<Role, "grants">, model: Model): void {
  const problems = checkRole(role, model);
  if (problems.length === 0) return;
  const entries = problems.map(({ path, ...explanation }): [string, FieldProblem] => [
    path,
    { rule: "grant", ...explanation },
  ]);
  const fields = Object.fromEntries(entries);
  throw new Refusal("validation_failed", { fields }, problems[0]);
}
