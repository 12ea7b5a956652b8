import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { Move } from "../../../../shared/protocol/views.ts";

/** An op that was made, with the version of its record that it made; an empty one until it is applied. */
export type UndoStep = WireOp & { version?: string | undefined };

/** Records that were moved by hand in a view: no op, because no record has changed. `back` puts them where they were. */
export interface UndoMove {
  table: string;
  view: string;
  moves: readonly Move[];
  back: readonly Move[];
}

/** One step of undo or redo: the ops of one command, each by the mutation that sent it, or moves in a view. */
export interface UndoEntry {
  batch: string;
  steps: Map<string, UndoStep>;
  moved?: UndoMove;
}

interface UndoEntries {
  done: UndoEntry[];
  undone: UndoEntry[];
  /** What `AddedRecords` stores. */
  added: unknown;
}

/** Where undo steps survive a reload: this tab, and this user only. */
export interface UndoStorage {
  read(): unknown;
  write(value: unknown): void;
}

/** Of what a tab may store, undo takes a part: the oldest steps are dropped first. */
const STORED_MAX_CHARACTERS = 500_000;

/** Both stacks as JSON. `resolve` names the record of an op by the id that the server knows. */
export function toStoredUndo(
  { done, undone, added }: UndoEntries,
  resolve: (op: UndoStep) => UndoStep,
) {
  let characters = 0;
  const newest = (entries: readonly UndoEntry[]) => {
    const stored = [];
    for (const { batch, steps, moved } of entries.toReversed()) {
      const ops = [...steps].map(([key, op]) => [key, resolve(op)]);
      const entry = { batch, steps: ops, ...(moved && { moved }) };
      characters += JSON.stringify(entry).length;
      if (characters > STORED_MAX_CHARACTERS) break;
      stored.push(entry);
    }
    return stored.reverse();
  };
  return { done: newest(done), undone: newest(undone), added };
}

/** What was stored; nothing of what can't be read. The server validates every op again. */
export function readStoredUndo(stored: unknown): UndoEntries {
  const { done, undone, added } = (stored ?? {}) as Record<string, unknown>;
  return { done: entriesOf(done), undone: entriesOf(undone), added };
}

function entriesOf(list: unknown): UndoEntry[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    const { batch, steps, moved } = (one ?? {}) as Record<string, unknown>;
    if (typeof batch !== "string" || !Array.isArray(steps)) return [];
    return [{ batch, steps: new Map(steps.filter(isStep)), ...(isMove(moved) && { moved }) }];
  });
}

function isMove(moved: unknown): moved is UndoMove {
  const { table, view, moves, back } = (moved ?? {}) as Record<string, unknown>;
  const areNames = typeof table === "string" && typeof view === "string";
  return areNames && Array.isArray(moves) && Array.isArray(back);
}

function isStep(step: unknown): step is [string, UndoStep] {
  if (!Array.isArray(step) || typeof step[0] !== "string") return false;
  const { op, table } = (step[1] ?? {}) as Record<string, unknown>;
  return typeof op === "string" && typeof table === "string";
}
