import { isDeepStrictEqual } from "node:util";
import type { Values } from "../../shared/model/model.ts";
import { valuesOf } from "../../shared/model/pick-values.ts";
import type { OpOutcome, PreviewItem, PreviewStatus } from "../../shared/protocol/change-sets.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import type { DryResult } from "../commands/dry-run.ts";
import type { Op } from "../commands/op.ts";

const statusOfWrite = { insert: "create", update: "update", delete: "delete" } as const;
const statusOfKind: Record<Op["op"], PreviewStatus> = {
  create: "create",
  restore: "create",
  update: "update",
  transition: "update",
  delete: "delete",
};

type Place = Pick<PreviewItem, "index" | "op" | "table" | "record">;

export function placeOf(index: number, { op, table, record = "" }: Op): Place {
  return { index, op, table, record };
}

/** What an op would do, in the visible cells that change. */
export function previewResult(
  index: number,
  op: Op,
  result: DryResult,
  fields: readonly string[],
): PreviewItem {
  const place = placeOf(index, op);
  if (!result.ok) {
    // Of a record that can't be read nothing is shown, not even what the op says of it.
    const isReadable = result.error.code !== "not_found";
    const { before, after } = isReadable ? givenValues(op, fields) : { before: null, after: null };
    const errors = [result.error];
    return { ...place, status: "error", before, after, errors };
  }
  const status = result.kind === null ? "unchanged" : statusOfWrite[result.kind];
  const after = result.kind === "delete" ? null : result.after;
  const changed = fields.filter(
    (name) => !isDeepStrictEqual(result.before?.[name] ?? null, after?.[name] ?? null),
  );
  return {
    ...place,
    status,
    before: status === "create" ? null : valuesOf(result.before ?? {}, changed),
    after: after && valuesOf(after, changed),
    errors: [],
  };
}

/** What an op says itself, once its set was applied. */
export function previewStored(
  index: number,
  op: Op,
  {
    fields,
    errors,
    outcome,
    status,
  }: {
    fields: readonly string[];
    errors: PreviewItem["errors"];
    outcome: OpOutcome | null;
    status: PreviewStatus;
  },
): PreviewItem {
  const item = { ...placeOf(index, op), status, ...givenValues(op, fields), errors };
  return outcome ? { ...item, outcome } : item;
}

/** What the log says of a change that a set made. */
export function previewChange(index: number, entry: ActivityEntry): PreviewItem {
  const { table, record, kind, fields, transition, erased } = entry;
  const status = statusOfWrite[kind];
  const values = (side: "before" | "after") =>
    Object.fromEntries(Object.entries(fields).map(([name, cell]) => [name, cell[side]]));
  return {
    index,
    op: transition === undefined ? status : "transition",
    table,
    record,
    status,
    before: status === "create" ? null : values("before"),
    after: status === "delete" ? null : values("after"),
    errors: [],
    ...(erased && { erased }),
    outcome: "applied",
  };
}

/** The kinds of op that have a status. */
export function kindsOf(status: PreviewStatus): string[] {
  const kinds = Object.entries(statusOfKind).filter(([, of]) => of === status);
  return kinds.map(([kind]) => kind);
}

export function statusOfChange(kind: ActivityEntry["kind"]): PreviewStatus {
  return statusOfWrite[kind];
}

export function statusOf(kind: string): PreviewStatus {
  return statusOfKind[kind as Op["op"]];
}

function givenValues(op: Op, fields: readonly string[]) {
  const set = op.op === "create" ? op.values : "set" in op ? op.set : undefined;
  const base = "base" in op ? op.base : undefined;
  // A base also names the key by which a record was found.
  const given = fields.filter((name) => !set || Object.hasOwn(set, name));
  const own = (values: Values) =>
    valuesOf(
      values,
      given.filter((name) => Object.hasOwn(values, name)),
    );
  return { before: base ? own(base) : null, after: set ? own(set) : null };
}
