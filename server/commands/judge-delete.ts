import type { Table } from "../../shared/model/model.ts";
import type { Scope } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { requireDelete } from "../policy/authorize.ts";
import { conflictOf, requireVersion } from "./conflict.ts";
import { findStanding } from "./find-standing.ts";
import type { Judged, Judging } from "./judging.ts";
import type { Op } from "./op.ts";

/** Deletes a record that nobody has changed since its author saw it. */
export function judgeDelete(
  op: Op & { op: "delete" },
  table: Table,
  scope: Scope,
  judging: Judging,
): Judged {
  const { record } = op;
  if (!op.overwrite && op.version === undefined) throw new Refusal("base_required");
  const standing = findStanding(table, record, scope, judging);
  requireDelete(judging.mutation.subject, table, record, standing);
  if (!op.overwrite && op.version !== undefined) {
    const changed = requireVersion(op.version, table, record, scope, judging);
    if (changed.length) throw conflictOf(op, table, standing, changed, judging);
  }
  const note = { actor: judging.mutation.actor, mutation: judging.mutation.id };
  const write = { kind: "delete", table, record, set: {}, row: standing, note } as const;
  return { table, record, write };
}
