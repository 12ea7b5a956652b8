import { explain } from "../../shared/error-texts/explain.ts";
import type { AdministrativeRight } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

/** Whether the role of a user has an administrative right. */
export function hasRight(subject: Subject, right: AdministrativeRight): boolean {
  return subject.role.rights.includes(right);
}

/** Refuses callers without the right, and names it. */
export function requireRight(subject: Subject, right: AdministrativeRight): void {
  if (!hasRight(subject, right)) {
    throw new Refusal("forbidden", { right }, explain("access.right", { right }));
  }
}

/** Refuses callers with none of the rights, and names the first; if none is listed, refuses nobody. */
export function requireOneRight(subject: Subject, rights: readonly AdministrativeRight[]): void {
  const [first] = rights;
  if (first && !rights.some((right) => hasRight(subject, right))) requireRight(subject, first);
}
