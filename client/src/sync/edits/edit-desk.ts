import type { Json } from "../../../../shared/filter/filter.ts";
import type { Values } from "../../../../shared/model/model.ts";
import type { WireOp } from "../../../../shared/protocol/mutate.ts";
import type { EditRef } from "../../state/record-view.ts";
import type { Confirmed } from "../records/record-cache.ts";
import { theirsOf } from "./conflict-fields.ts";
import type { EditLedger } from "./edit-ledger.ts";
import type { Overlay } from "./overlay.ts";
import type {
  EditOutcome,
  PendingEdits,
  RecordEdit,
  TakenEdit,
  TakenEdits,
} from "./pending-edits.ts";
import type { RefusedOp } from "./refused-ops.ts";

export interface DeskDeps {
  ledger: EditLedger;
  newId(): string;
  overlay(table: string): Overlay;
  confirmed(table: string, record: string): Confirmed | undefined;
}

type TransitionStep = Parameters<PendingEdits["transition"]>[2];

/** What a person asks for, as ops of the ledger; and what they decide on refused ones. */
export class EditDesk implements PendingEdits {
  readonly #deps: DeskDeps;

  constructor(deps: DeskDeps) {
    this.#deps = deps;
  }

  edit(table: string, edit: RecordEdit): TakenEdit {
    return this.#takeOne(this.#updateOp(table, edit));
  }

  editMany(table: string, edits: readonly RecordEdit[]): TakenEdits {
    return this.#takeMany(edits.map((edit) => this.#updateOp(table, edit)));
  }

  create(table: string, values: Values, record = this.#deps.newId()): TakenEdit {
    return this.#takeOne({ op: "create", table, record, values });
  }

  createMany(table: string, values: readonly Values[]): TakenEdits {
    return this.#takeMany(
      values.map((each) => ({ op: "create", table, record: this.#deps.newId(), values: each })),
    );
  }

  delete(table: string, record: string): TakenEdit {
    return this.#takeOne(this.#deleteOp(table, record));
  }

  deleteMany(table: string, records: readonly string[]): TakenEdits {
    return this.#takeMany(records.map((record) => this.#deleteOp(table, record)));
  }

  transition(table: string, record: string, step: TransitionStep): TakenEdit {
    return this.#takeOne({ op: "transition", table, record, ...step });
  }

  resolve(edit: EditRef, field: string, choice: "mine" | "theirs"): void {
    const found = this.#deps.ledger.refused.find(edit);
    if (found?.op.op.op !== "update" || !Object.hasOwn(found.op.op.set, field)) return;
    const { table, record, set } = found.op.op;
    const mine = set[field] as Json;
    const theirs = this.#theirs(found, field);
    this.drop(edit, field);
    if (choice === "theirs") return;
    const op: WireOp = {
      op: "update",
      table,
      record,
      set: { [field]: mine },
      base: { [field]: theirs },
    };
    this.#deps.ledger.submit([op], {
      origin: "edit",
      batch: found.mutation.batch ?? this.#deps.newId(),
    });
  }

  #theirs({ op }: RefusedOp, field: string): Json {
    if (op.state.kind !== "refused") return null;
    return theirsOf(op.state.refusal, field, this.#deps.confirmed(op.table, op.record));
  }

  retry(edit: EditRef): void {
    const found = this.#deps.ledger.refused.find(edit);
    if (!found) return;
    const { op } = found.op;
    this.drop(edit);
    const again = op.op === "delete" ? this.#deleteOp(op.table, op.record) : op;
    this.#deps.ledger.submit([again], {
      origin: "edit",
      batch: found.mutation.batch ?? this.#deps.newId(),
    });
  }

  drop(edit: EditRef, field?: string): void {
    const { refused } = this.#deps.ledger;
    const found = refused.find(edit);
    if (!found) return;
    if (field === undefined) refused.forget(found.op);
    else refused.trim(found.op, (other) => other !== field);
    refused.persist(found.mutation);
  }

  settled(): Promise<void> {
    return this.#deps.ledger.settled();
  }

  /** A new edit of a cell takes the place of a refused one. */
  #updateOp(table: string, { record, set, base }: RecordEdit): WireOp {
    for (const { ref, state } of [...this.#deps.overlay(table).of(record)]) {
      if (state.kind !== "refused") continue;
      for (const field of Object.keys(set)) this.#dropField(ref, field);
    }
    return { op: "update", table, record, set, base };
  }

  #dropField(ref: EditRef, field: string): void {
    const op = this.#deps.ledger.refused.find(ref)?.op.op;
    if (op?.op === "update" && Object.hasOwn(op.set, field)) this.drop(ref, field);
  }

  #deleteOp(table: string, record: string): WireOp {
    const version = this.#deps.confirmed(table, record)?.version ?? "";
    return { op: "delete", table, record, version };
  }

  #takeOne(op: WireOp): TakenEdit {
    const [taken] = this.#deps.ledger.submit([op], { origin: "edit", batch: this.#deps.newId() });
    if (!taken) throw new Error("An op was submitted and none was taken.");
    return { record: taken.op.record, refs: [taken.op.ref], outcome: taken.outcome };
  }

  #takeMany(ops: readonly WireOp[]): TakenEdits {
    const taken = this.#deps.ledger.submit(ops, { origin: "edit", batch: this.#deps.newId() });
    return follow(taken.map(({ outcome }) => outcome));
  }
}

function follow(outcomes: readonly Promise<EditOutcome>[]): TakenEdits {
  let answered = 0;
  const watchers = new Set<(answered: number, of: number) => void>();
  for (const outcome of outcomes) {
    void outcome.then(() => {
      answered += 1;
      for (const watcher of watchers) watcher(answered, outcomes.length);
    });
  }
  return {
    outcomes: Promise.all(outcomes),
    onProgress(callback) {
      watchers.add(callback);
      callback(answered, outcomes.length);
    },
  };
}
