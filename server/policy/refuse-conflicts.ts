import { toJson } from "../../shared/document/document-node.ts";
import type { Conflict } from "../../shared/document/merge.ts";
import { type FieldConflict, Refusal } from "../../shared/protocol/errors.ts";

interface Stored {
  at: string;
  by: { id: string; name: string } | null;
}

/**
 * Refuses a change of a document that others have changed since its author read it: nothing is overwritten
 * silently.
 */
export function refuseConflicts(
  conflicts: readonly Conflict[],
  { at, by }: Stored,
  detail: { version?: number } = {},
): void {
  if (conflicts.length === 0) return;
  const author = by && { kind: "user", ...by };
  const fields = conflicts.map(({ path, base, mine, theirs }): [string, FieldConflict] => [
    path.join("."),
    {
      base: toJson(base) ?? null,
      mine: toJson(mine),
      theirs: toJson(theirs) ?? null,
      by: author,
      at,
    },
  ]);
  throw new Refusal("conflict", { fields: Object.fromEntries(fields), ...detail });
}
