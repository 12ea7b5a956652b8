import type { Values } from "../../../../shared/model/model.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { Position } from "../../../../shared/protocol/position.ts";
import type { EditRef } from "../../state/record-view.ts";
import type { StoredRefusal } from "../../transport/edit-storage.ts";

/** The state of an op. A `draft` is not sent yet; `acknowledged` lasts until the table's position reaches the answer's. */
type OpState =
  | { kind: "draft"; refusal: StoredRefusal | null }
  | { kind: "waiting" }
  | { kind: "acknowledged"; position: Position }
  | { kind: "refused"; refusal: StoredRefusal };

/** One op of a mutation while it is shown over the confirmed record. */
export interface PendingOp {
  readonly ref: EditRef;
  readonly table: string;
  record: string;
  op: WireOp;
  state: OpState;
}

export type UpdateOp = Extract<WireOp, { op: "update" }>;

/** A record's name over all tables. */
export function recordKey(table: string, record: string): string {
  return `${table}\n${record}`;
}

/** An op's name over all mutations. */
export function refKey({ mutation, index }: EditRef): string {
  return `${mutation}\n${index}`;
}

/** The record an op concerns; a create without a record has none before its answer. */
export function recordOf(op: WireOp): string {
  return op.record ?? "";
}

/** The values an op writes. */
export function valuesOf(op: WireOp): Values {
  switch (op.op) {
    case "create":
      return op.values;
    case "update":
      return op.set;
    case "transition":
      return op.set ?? {};
    case "delete":
    case "restore":
      return {};
  }
}
