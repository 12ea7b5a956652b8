import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../shared/filter/filter.ts";
import { kindOfType } from "../../shared/model/field-types.ts";
import { type Field, findField, type Table, type Values } from "../../shared/model/model.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { sameValue } from "../../shared/model/same-value.ts";
import { governedBy, lockedFields } from "../../shared/model/state-of.ts";
import { transitionBetween } from "../../shared/model/workflow.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { formatVersion } from "../../shared/protocol/position.ts";
import type { ActivityEntry } from "../../shared/protocol/records.ts";

/** Why a transition back was run, where the workflow asks for a reason. */
const REASON = "Reverted.";

/** A cell that a revert writes: what it must hold still, and what it held before. */
interface Cell {
  base: Json;
  value: Json;
  /** A later edit that is not reverted changed the cell; older values are not restored. */
  isClosed: boolean;
}

/**
 * The changes of one record that are reverted, added newest first. Holds what they come to, and none of the values between:
 * a record may have very many changes.
 */
export class RecordChanges {
  readonly #stateField: string | undefined;
  #newest: Pick<ActivityEntry, "kind" | "record" | "seq"> | null = null;
  #oldest: ActivityEntry["kind"] | null = null;
  /** Each cell followed back through the changes, as far as they continue one another. */
  readonly cells = new Map<string, Cell>();
  /** The states that the changes replaced, newest first. */
  readonly replacedStates: Json[] = [];

  constructor(table: Table, changes: readonly ActivityEntry[] = []) {
    this.#stateField = governedBy(table)?.stateField;
    for (const change of changes) this.add(change);
  }

  get newest(): Pick<ActivityEntry, "kind" | "record" | "seq"> | null {
    return this.#newest;
  }

  /** Whether they begin with the creation of the record. */
  get isNew(): boolean {
    return this.#oldest === "insert";
  }

  add({ kind, record, seq, fields }: ActivityEntry): void {
    this.#oldest = kind;
    const isNewest = this.#newest === null;
    this.#newest ??= { kind, record, seq };
    // A restore brings back what the record held.
    if (isNewest && kind === "delete") return;
    for (const [name, { before, after }] of Object.entries(fields)) {
      if (name === this.#stateField) this.replacedStates.push(before);
      const cell = this.cells.get(name);
      if (!cell) this.cells.set(name, { base: after, value: before, isClosed: false });
      else if (!cell.isClosed && isDeepStrictEqual(cell.value, after)) cell.value = before;
      else cell.isClosed = true;
    }
  }
}

interface RevertContext {
  table: Table;
  epoch: string;
  /** The record as it is now, where it exists. */
  current: Values | undefined;
  /** The fields that the author of the revert may update; all if null. */
  updatable: readonly string[] | null;
  /** Whether nobody has changed the record after the newest of the changes. */
  isLast: boolean;
  /** Up to here, since the record was created, it has no changes but those to revert. */
  unbrokenTo: number;
}

/**
 * The ops that take back what these changes did to one record, the newest first. An op writes a cell only on the
 * base of what the newest of the changes left in it, so no later edit is overwritten: cells that were edited since
 * are put into an op of their own, which then conflicts and can be skipped, and so are those that will be refused.
 */
export function inverseOps(changes: RecordChanges, context: RevertContext): WireOp[] {
  const { newest, isNew } = changes;
  if (!newest) return [];
  const at = { table: context.table.name, record: newest.record };
  const version = formatVersion(context.epoch, newest.seq);
  if (newest.kind === "delete") {
    if (isNew) return [];
    // Somebody has restored it, and deleted it again: that is refused as an update of a deleted record.
    if (!context.isLast && !context.current) return [{ op: "update", ...at, set: {}, base: {} }];
    return [{ op: "restore", ...at, version }, ...updateOps(changes, { ...at, version }, context)];
  }
  if (isNew) {
    return [{ op: "delete", ...at, version: formatVersion(context.epoch, context.unbrokenTo) }];
  }
  return updateOps(changes, { ...at, version }, context);
}

/** A record as of the newest of the changes: one that was created anew under its id since is another one. */
interface RecordPlace {
  table: string;
  record: string;
  version: string;
}

function updateOps(
  changes: RecordChanges,
  at: RecordPlace,
  { table, current, updatable }: RevertContext,
): WireOp[] {
  const cells = [...changes.cells].filter(
    ([name, { base, value }]) => isWritable(table, name) && !isDeepStrictEqual(base, value),
  );
  const isEdited = ([name, { base }]: [string, Cell]) =>
    current !== undefined && !holds(table, name, current[name] ?? null, base);
  const state = governedBy(table)?.stateField;
  // A transition back may leave the state that locks them.
  const hasTransition = cells.some(([name]) => name === state);
  const locked = current && !hasTransition ? lockedFields(table, current) : [];
  const isRefused = ([name]: [string, Cell]) =>
    name !== state && (locked.includes(name) || updatable?.includes(name) === false);
  const parts = Map.groupBy(cells, (cell) => {
    if (isEdited(cell)) return "edited";
    return isRefused(cell) ? "refused" : "own";
  });
  return (["own", "edited", "refused"] as const).flatMap((part) =>
    opsFor(parts.get(part) ?? [], changes, at, table),
  );
}

function holds(table: Table, name: string, stored: Json, base: Json): boolean {
  const { type } = findField(table, name) as Field;
  return sameValue(kindOfType[type], stored, base);
}

function isWritable(table: Table, name: string): boolean {
  const field = findField(table, name);
  return field !== undefined && !isReadOnly(field);
}

/** One update, or the transitions that lead back; where there is none, the update that the workflow refuses. */
function opsFor(
  cells: readonly [string, Cell][],
  changes: RecordChanges,
  at: RecordPlace,
  table: Table,
): WireOp[] {
  if (cells.length === 0) return [];
  const governed = governedBy(table);
  const state = governed && cells.find(([name]) => name === governed.stateField)?.[1];
  const states = state ? statesOf(changes, state) : [];
  const steps = state ? wayBack(table, states) : null;
  if (!governed || !steps) return [{ op: "update", ...at, ...valuesOf(cells) }];
  const others = cells.filter(
    ([name]) =>
      name !== governed.stateField && !steps.some(({ sets }) => sets?.[name] !== undefined),
  );
  return steps.map((step, index) => ({
    op: "transition",
    ...at,
    transition: step.name,
    from: String(states[index]),
    ...(index === steps.length - 1 && others.length > 0 && valuesOf(others)),
    ...(step.reason && { reason: REASON }),
  }));
}

/** The direct way between the outer states where there is one, else through those between. */
function statesOf({ replacedStates }: RecordChanges, { base, value }: Cell): Json[] {
  return [base, ...replacedStates.slice(0, replacedStates.lastIndexOf(value) + 1)];
}

function wayBack(table: Table, states: Json[]) {
  const workflow = governedBy(table)?.workflow;
  const [first, last] = [states[0], states.at(-1)];
  const direct = workflow && transitionBetween(workflow, first, last);
  if (direct) {
    states.splice(1, states.length - 2);
    return [direct];
  }
  const steps = states.slice(1).map((to, index) => {
    return workflow && transitionBetween(workflow, states[index], to);
  });
  return steps.every((step) => step !== undefined) ? steps : null;
}

function valuesOf(cells: readonly [string, Cell][]): { set: Values; base: Values } {
  return {
    set: Object.fromEntries(cells.map(([name, { value }]) => [name, value])),
    base: Object.fromEntries(cells.map(([name, { base }]) => [name, base])),
  };
}
