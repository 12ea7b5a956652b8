import { explain } from "../../../shared/error-texts/explain.ts";
import { checkFilter } from "../../../shared/filter/check-filter.ts";
import type { Filter } from "../../../shared/filter/filter.ts";
import { literalOf } from "../../../shared/filter/operand.ts";
import {
  fieldKinds,
  findField,
  findTable,
  type Model,
  type Table,
} from "../../../shared/model/model.ts";
import type { Tile } from "../../../shared/model/wallboard/tile.ts";
import { mayAcknowledge } from "../../../shared/policy/role.ts";
import { type Subject, scopeOf } from "../../../shared/policy/scope.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { AcknowledgeCall } from "../../../shared/protocol/wallboards.ts";
import type { ReadTurns } from "../../store/read-turns.ts";
import { hasRecord } from "../../store/records.ts";

/**
 * Throws unless a tile may raise the alert that a user acknowledges, and the user may acknowledge it: the word is one of its
 * thresholds, and the row is a group that exists for this user (ADR 60).
 */
export async function requireAlert(
  reads: ReadTurns,
  model: Model,
  { tile, call, me }: { tile: Tile; call: AcknowledgeCall; me: Subject },
): Promise<void> {
  const table = "table" in tile ? findTable(model, tile.table) : undefined;
  const thresholds = "thresholds" in tile ? (tile.thresholds ?? []) : [];
  if (!table || !thresholds.some(({ word }) => word === call.word)) throw new Refusal("not_found");
  if (!mayAcknowledge(me.role, table)) {
    const explanation = explain("wallboard.acknowledge", { table: table.label.toLowerCase() });
    throw new Refusal("forbidden", { right: "acknowledge", table: table.name }, explanation);
  }
  const group = tile.kind === "lights" || tile.kind === "breakdown" ? tile.group : undefined;
  if ((group === undefined) !== (call.row === undefined)) throw new Refusal("not_found");
  if (group !== undefined && !(await hasGroup(reads, table, { group, call, me }))) {
    throw new Refusal("not_found");
  }
}

async function hasGroup(
  reads: ReadTurns,
  table: Table,
  { group, call: { row = null }, me }: { group: string; call: AcknowledgeCall; me: Subject },
): Promise<boolean> {
  const field = findField(table, group);
  const scope = scopeOf(me, table);
  if (!field || !scope) return false;
  if (field.options?.some(({ value }) => value === row)) return true;
  const own: Filter =
    row === null
      ? { field: field.name, op: "isEmpty" }
      : { field: field.name, op: "eq", value: literalOf(row) };
  if (checkFilter(own, fieldKinds(table))) return false;
  const filter = scope.filter ? { and: [scope.filter, own] } : own;
  return reads.run({ subject: me }, () => hasRecord(reads.database, table, filter));
}
