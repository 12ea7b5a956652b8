import { type AdministrativeRight, administrativeRights } from "./role.ts";

/**
 * Rights of the contract that nothing reads yet. They are stored and compared like all others, but no screen
 * offers or describes them. Remove each from this list together with the feature that reads it.
 */
const unusedRights: ReadonlySet<AdministrativeRight> = new Set(["system"]);

/** The administrative rights that screens offer. */
export const offeredRights = administrativeRights.filter((right) => !unusedRights.has(right));

export function isOfferedRight(right: AdministrativeRight): boolean {
  return !unusedRights.has(right);
}
