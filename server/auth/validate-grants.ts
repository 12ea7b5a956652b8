import { deepEqual } from "../../shared/document/deep-equal.ts";
import type { Model } from "../../shared/model/model.ts";
import { checkRole } from "../../shared/policy/check-role.ts";
import type { Role } from "../../shared/policy/role.ts";
import { type FieldProblem, Refusal } from "../../shared/protocol/errors.ts";

type Grants = Pick<Role, "grants">;

/**
 * Refuses grants that are invalid under the model, with places and reasons. What was as invalid `before` must not
 * prevent other changes: a removed field may be hidden.
 */
export function validateGrants(role: Grants, model: Model, before: Grants = { grants: {} }): void {
  const known = checkRole(before, model);
  const problems = checkRole(role, model).filter(
    (one) => !known.some((two) => deepEqual(one, two)),
  );
  if (problems.length === 0) return;
  const entries = problems.map(({ path, ...explanation }): [string, FieldProblem] => [
    path,
    { rule: "grant", ...explanation },
  ]);
  const fields = Object.fromEntries(entries);
  throw new Refusal("validation_failed", { fields }, problems[0]);
}
