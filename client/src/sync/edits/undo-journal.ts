import { findTable, type Table, type Values } from "../../../../shared/model/model.ts";
import { pickValues } from "../../../../shared/model/pick-values.ts";
import { governedBy } from "../../../../shared/model/state-of.ts";
import { findTransition, transitionBetween } from "../../../../shared/model/workflow.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { WireChange } from "../../../../shared/protocol/feed.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import { formatVersion } from "../../../../shared/protocol/position.ts";
import type { Move } from "../../../../shared/protocol/views.ts";
import { createAtom, type PrimitiveAtom } from "../../state/atom-store.ts";
import type { EditRef } from "../../state/record-view.ts";
import type { CoreParts } from "../core-parts.ts";
import type { FollowedTables } from "../feed/followed-tables.ts";
import { AddedRecords } from "./added-records.ts";
import type { EditJournal } from "./edit-parts.ts";
import type { EditTracker } from "./edit-tracker.ts";
import type { EditOutcome } from "./pending-edits.ts";
import { type PendingOp, recordOf, refKey } from "./pending-op.ts";
import {
  readStoredUndo,
  toStoredUndo,
  type UndoEntry,
  type UndoMove,
  type UndoStep,
  type UndoStorage,
} from "./stored-undo.ts";
import {
  keepAppliedFields,
  report,
  reportMoved,
  skippedTransition,
  type UndoReport,
} from "./undo-report.ts";
import type { ScopedOp } from "./visibility.ts";

/** Limits of entries and of steps in all of them; the oldest entries are dropped first. */
const DEPTH_MAX_ENTRIES = 200;
const DEPTH_MAX_STEPS = 50_000;

/** Steps are stored so long after a change, together with those of the same command. */
const STORE_DELAY_MS = 200;

/** Which steps: those of a table, or the one that an edit answered. */
export interface UndoScope {
  table?: string;
  batch?: string;
}

export interface UndoState {
  canUndo: boolean;
  canRedo: boolean;
}

/** This tab's undo and redo, as screens use it. */
export type UndoStack = Pick<
  UndoJournal,
  "stateAtom" | "tableAtom" | "undo" | "redo" | "joinLink" | "moved"
>;

/**
 * The journal of the user's edits, newest last, and the undo and redo of this tab. Rule C24.
 *
 * An undo is an ordinary edit whose base is the value that was stored of mine, in the record as of the version that I wrote: it can't overwrite
 * anybody, nor reach another record of the same id. So what it skips follows from where the step fails, in this order:
 * 0. Steps whose values the user may no longer see are removed before (`applyVisibility`), and nobody is notified.
 * 1. Here: a transition to which the workflow has no way back is never sent (`#invert`), and the deletion of a record that I added names
 *    the version up to which nobody else has changed it (`AddedRecords`).
 * 2. The server refuses what somebody has changed since (`conflict`; of a deletion and of a transition too), what is gone
 *    (`record_deleted`, `replaced` where another record has its id), and what rules or rights forbid by now
 *    (server/commands/evaluate-update.ts, stored-record.ts). Of an update all fields stay then: the others are sent again by themselves
 *    (`EditTracker.#sendRest`). What somebody else had done already is confirmed as unchanged.
 * 3. `report` (undo-report.ts) makes what was done and what was skipped, why and by whom, of the outcomes. `keepAppliedFields` takes out
 *    of the other stack what was not done, so that it is not redone.
 * 4. `runUndoStep` (records/undo.ts) says it in a toast. A refused undo is not a conflict to decide: nothing is shown at its cell.
 *
 * Records that were moved by hand in a view are no edit: they are moved back behind what they came from, wherever that is by now (`#moveBack`).
 */
export class UndoJournal implements EditJournal {
  readonly stateAtom = createAtom<UndoState>({ canUndo: false, canRedo: false });
  readonly #deps;
  readonly #tables = new Map<string, PrimitiveAtom<UndoState>>();
  #done: UndoEntry[];
  #undone: UndoEntry[];
  readonly #added: AddedRecords;
  /** Records that were created in order to be linked to, which has not happened yet. */
  readonly #toLink = new Set<string>();
  #cancelStore: (() => void) | null = null;

  constructor(
    deps: CoreParts & {
      tables: FollowedTables;
      storage: UndoStorage | null;
      /** The id of a record that may have been a draft when it was written. */
      currentId(table: string, record: string): string;
      /** Moves records by hand in a view. */
      moveRecords(view: string, moves: readonly Move[]): Promise<unknown>;
      /** The tracker is made after the journal that it writes to. */
      tracker(): EditTracker;
    },
  ) {
    this.#deps = deps;
    const { done, undone, added } = readStoredUndo(deps.storage?.read());
    this.#done = done;
    this.#undone = undone;
    this.#added = new AddedRecords(added);
    this.#show();
  }

  /** Stores the steps now, because the page may close. */
  persist(): void {
    this.#cancelStore?.();
    this.#cancelStore = null;
    const { storage, currentId } = this.#deps;
    const resolve = (op: UndoStep) =>
      op.record === undefined ? op : { ...op, record: currentId(op.table, op.record) };
    const { stored: added } = this.#added;
    storage?.write(toStoredUndo({ done: this.#done, undone: this.#undone, added }, resolve));
  }

  stop(): void {
    this.#cancelStore?.();
  }

  submitted(batch: string, { ref, op }: PendingOp): void {
    let entry = this.#done.find((known) => known.batch === batch) ?? this.#takeJoined(batch, op);
    if (!entry) {
      entry = { batch, steps: new Map() };
      this.#done = trimEntries([...this.#done, entry]);
      this.#undone = [];
    }
    entry.steps.set(refKey(ref), asStep(op));
    this.#publish();
  }

  /** The user has moved records by hand in a view. */
  moved(batch: string, moved: UndoMove): void {
    this.#done = trimEntries([...this.#done, { batch, steps: new Map(), moved }]);
    this.#undone = [];
    this.#publish();
  }

  confirmed(applied: PendingOp, version: string): void {
    const { ref, op, table, record } = applied;
    const isFollowed = this.#deps.tables.get(table) !== undefined;
    const known = isFollowed ? this.#knownVersion(table, record) : null;
    this.#added.confirmed(applied, version, known);
    this.#storeSoon();
    const key = refKey(ref);
    const found = [...this.#done, ...this.#undone].find(({ steps }) => steps.has(key));
    const step = found?.steps.get(key);
    if (!found || !step) return;
    const made = asApplied(step, op, version);
    // The change may have come before the answer.
    const stored = this.#deps.tables.get(table)?.confirmed(record);
    found.steps.set(key, stored?.version === version ? withStored(made, stored.values) : made);
    this.#publish();
  }

  unchanged({ ref }: PendingOp): void {
    this.#forget(ref);
  }

  changed(table: string, changes: readonly WireChange[], epoch: string): void {
    const knownOf = (record: string) => this.#knownVersion(table, record);
    const me = this.#deps.context().user.id;
    this.#added.changed({ table, changes, epoch }, me, knownOf);
    const isMine = ({ by }: WireChange) => by.kind === "user" && by.id === me;
    const mine = changes.filter(isMine);
    const sets = new Map(
      mine.map(({ seq, record, set }) => [`${formatVersion(epoch, seq)} ${record}`, set]),
    );
    for (const { steps } of sets.size ? [...this.#done, ...this.#undone] : []) {
      for (const [key, step] of steps) {
        const set = step.table === table && sets.get(`${step.version} ${step.record}`);
        if (set) steps.set(key, withStored(step, set));
      }
    }
  }

  addedVersion(table: string, record: string): string | undefined {
    return this.#added.versionOf(table, record);
  }

  #knownVersion(table: string, record: string): string | undefined {
    return this.#deps.tables.get(table)?.confirmed(record)?.version;
  }

  /** The record was created in order to be linked to: the next edit that does so is undone together with it. */
  joinLink(record: string): void {
    this.#toLink.add(record);
  }

  /** Extends the step that created the linked record, so that one undo reverts both. */
  #takeJoined(batch: string, op: WireOp): UndoEntry | undefined {
    const values = op.op === "update" ? op.set : op.op === "create" ? op.values : {};
    const linked = Object.values(values).find((value) => this.#toLink.delete(String(value)));
    const isCreate = (step: WireOp) => step.op === "create" && step.record === linked;
    const created = this.#done.find(({ steps }) => [...steps.values()].some(isCreate));
    if (linked === undefined || !created) return undefined;
    const joined = { batch, steps: created.steps };
    this.#done = [...this.#done.filter((entry) => entry !== created), joined];
    this.#undone = [];
    return joined;
  }

  refused(_batch: string, { ref }: PendingOp): void {
    this.#forget(ref);
  }

  /** There is nothing to undo: the op has changed nothing. */
  #forget(ref: EditRef): void {
    for (const { steps } of [...this.#done, ...this.#undone]) steps.delete(refKey(ref));
    this.#publish();
  }

  /** Removes steps whose previous values the user may no longer see. */
  applyVisibility(visiblePart: (op: ScopedOp) => WireOp | null): void {
    for (const { steps } of [...this.#done, ...this.#undone]) {
      for (const [key, op] of steps) {
        const remaining = visiblePart({ table: op.table, record: recordOf(op), op });
        // What a transition has replaced is gone with what was seen: there is no way back.
        if (remaining && (remaining === op || remaining.op === "update")) steps.set(key, remaining);
        else steps.delete(key);
      }
    }
    this.#publish();
  }

  /** Undoes the last step. Resolves when the server has answered; null when there is nothing to undo. */
  undo(scope: UndoScope = {}): Promise<UndoReport> | null {
    const entry = this.#pop("done", scope);
    return entry && this.#apply(entry, "undone");
  }

  redo(scope: UndoScope = {}): Promise<UndoReport> | null {
    const entry = this.#pop("undone", scope);
    return entry && this.#apply(entry, "done");
  }

  #apply(entry: UndoEntry, to: "done" | "undone"): Promise<UndoReport> {
    if (entry.moved) return this.#moveBack(entry, entry.moved, to);
    return this.#applySteps(entry, [...entry.steps.values()].reverse(), to);
  }

  /** Rejects with what the server refuses. What it refuses because the view or a record is gone is no step any more. */
  async #moveBack(
    entry: UndoEntry,
    { moves, back, ...of }: UndoMove,
    to: "done" | "undone",
  ): Promise<UndoReport> {
    try {
      await this.#deps.moveRecords(of.view, back);
    } catch (error) {
      const isGone = error instanceof Refusal && error.code === "not_found";
      if (!isGone) this.#push(to === "done" ? "undone" : "done", entry);
      throw error;
    }
    const moved = { ...of, moves: back, back: moves };
    this.#push(to, { ...entry, moved });
    return reportMoved(moved);
  }

  #push(to: "done" | "undone", entry: UndoEntry): void {
    if (to === "done") this.#done.push(entry);
    else this.#undone.push(entry);
    this.#publish();
  }

  /** The last step within the scope. A step of several tables is one of each. */
  #pop(from: "done" | "undone", scope: UndoScope): UndoEntry | null {
    const nonEmpty = (from === "done" ? this.#done : this.#undone).filter(
      ({ steps, moved }) => steps.size > 0 || moved,
    );
    const entry = nonEmpty.findLast((one) => isWithin(one, scope)) ?? null;
    const stack = nonEmpty.filter((one) => one !== entry);
    if (from === "done") this.#done = stack;
    else this.#undone = stack;
    this.#publish();
    return entry;
  }

  /** Plays the steps backwards; what was done can be played backwards again from the other stack. */
  async #applySteps(
    entry: UndoEntry,
    steps: UndoStep[],
    to: "done" | "undone",
  ): Promise<UndoReport> {
    const inverse = steps.flatMap((step) => this.#invert(step) ?? []);
    const notInvertible = steps.filter((step) => this.#invert(step) === null);
    const submitted = this.#deps
      .tracker()
      .submitted.submit(inverse, { origin: "undo", batch: null });
    const keyed = submitted.map(({ op }) => [refKey(op.ref), asStep(op.op)] as const);
    const reverse: UndoEntry = { batch: entry.batch, steps: new Map(keyed) };
    this.#push(to, reverse);
    const outcomes = await Promise.all(submitted.map(({ outcome }) => outcome));
    for (const [index, { op }] of submitted.entries()) {
      keepAppliedFields(reverse.steps, refKey(op.ref), outcomes[index] as EditOutcome);
    }
    this.#publish();
    const { done, changes, skipped } = report(inverse, outcomes, this.#deps.context().user.id);
    const deleted = changes.filter(({ kind }) => kind === "delete");
    for (const table of new Set(deleted.map((one) => one.table)))
      this.#deps.tables.get(table)?.realign();
    return { done, changes, skipped: [...skipped, ...notInvertible.map(skippedTransition)] };
  }

  /**
   * The op that reverts a step, in the record as of the version that the step made. Null where the workflow has no way back from
   * where a transition has led.
   */
  #invert(step: UndoStep): WireOp | null {
    const { table, version } = step;
    const record = this.#deps.currentId(table, step.record ?? "");
    const at = { table, record, ...(version && { version }) };
    switch (step.op) {
      case "update":
        return { op: "update", ...at, set: step.base, base: step.set };
      case "delete":
        return { op: "restore", ...at };
      case "transition": {
        const inverse = invertTransition(step, findTable(this.#deps.context().model, table));
        return inverse && { ...inverse, ...at };
      }
      default: {
        // An addition that is not applied yet has no version: it gets one before its deletion is sent.
        const added = this.#added.versionOf(table, record, version || undefined);
        return { op: "delete", ...at, version: added ?? version ?? "" };
      }
    }
  }

  /** Whether there is a step of the table. */
  tableAtom(table: string): PrimitiveAtom<UndoState> {
    const known = this.#tables.get(table);
    if (known) return known;
    const made = createAtom<UndoState>(this.#stateOf({ table }));
    this.#tables.set(table, made);
    return made;
  }

  #stateOf(scope: UndoScope): UndoState {
    const has = (entries: UndoEntry[]) => entries.some((entry) => isWithin(entry, scope));
    return { canUndo: has(this.#done), canRedo: has(this.#undone) };
  }

  #publish(): void {
    this.#show();
    this.#storeSoon();
  }

  #storeSoon(): void {
    if (!this.#deps.storage) return;
    this.#cancelStore ??= this.#deps.clock.after(STORE_DELAY_MS, () => this.persist());
  }

  #show(): void {
    const { store } = this.#deps;
    store.set(this.stateAtom, this.#stateOf({}));
    for (const [table, atom] of this.#tables) store.set(atom, this.#stateOf({ table }));
  }
}

/** A step has no version until it is applied: the one that its op names is what its author saw before. */
function asStep(op: WireOp): UndoStep {
  return { ...op, version: "" };
}

/**
 * A step as its op was applied, with the version that it made: its undo reaches no later deletion, and no other record of the
 * same id. An update may have got another base on its way, after the edit before it was refused.
 */
function asApplied(step: UndoStep, op: WireOp, version: string): UndoStep {
  if (step.op !== "update" || op.op !== "update") return { ...step, version };
  const base = pickValues(op.base, (field) => Object.hasOwn(step.set, field));
  return { ...step, base, version };
}

/** A step with what the database has made of its values, for the base of its undo: a trigger of another program may have changed them. */
function withStored(step: UndoStep, stored: Values): UndoStep {
  if (!("set" in step) || !step.set) return step;
  const { set } = step;
  return { ...step, set: { ...set, ...pickValues(stored, (name) => name in set) } };
}

function isWithin({ batch, steps, moved }: UndoEntry, scope: UndoScope): boolean {
  const isEmpty = steps.size === 0 && !moved;
  if (isEmpty || (scope.batch !== undefined && scope.batch !== batch)) return false;
  if (moved) return scope.table === undefined || scope.table === moved.table;
  return scope.table === undefined || [...steps.values()].some((op) => op.table === scope.table);
}

function trimEntries(entries: readonly UndoEntry[]): UndoEntry[] {
  let steps = 0;
  const isWithinLimit = ({ steps: more, moved }: UndoEntry) => {
    steps += more.size;
    for (const { records } of [...(moved?.moves ?? []), ...(moved?.back ?? [])])
      steps += records.length;
    return steps <= DEPTH_MAX_STEPS;
  };
  const recent = entries.slice(-DEPTH_MAX_ENTRIES).reverse();
  const end = recent.findIndex((entry) => !isWithinLimit(entry));
  return (end < 0 ? recent : recent.slice(0, Math.max(1, end))).reverse();
}

type TransitionOp = WireOp & { op: "transition" };

/** What the history says where the way back asks for a reason. */
const REASON = "Undone.";

/**
 * The transition that reverses another one, with the values that it filled; null if the workflow has
 * none. It is a transition like any other: the server checks rights, guard and required fields.
 */
function invertTransition(op: TransitionOp, table: Table | undefined): TransitionOp | null {
  const governed = table && governedBy(table);
  const original = governed && findTransition(governed.workflow, op.transition);
  const inverse = original && transitionBetween(governed.workflow, original.to, op.from);
  if (!original || !inverse) return null;
  // What the way back sets by itself can't be said otherwise.
  const isMine = (field: string) => !Object.hasOwn(inverse.sets ?? {}, field);
  return {
    op: "transition",
    table: op.table,
    record: op.record,
    transition: inverse.name,
    from: original.to,
    set: pickValues(op.base ?? {}, isMine),
    base: pickValues(op.set ?? {}, isMine),
    ...(inverse.reason && { reason: REASON }),
  };
}
