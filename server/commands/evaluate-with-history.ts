import type { Position } from "../../shared/protocol/position.ts";
import {
  type Queryable,
  readChangedSince,
  readCreationsFrom,
  readDeletions,
  readErasedFields,
  readLastChanges,
} from "../store/change-history.ts";
import type { LogChange } from "../store/log-change.ts";
import type { ChangeHistory, Creation, Deletion, HistoricalChange } from "./change-history.ts";

/**
 * Evaluates by what the change log contains, and reads everything at once: missing history is noted, read in
 * one query per kind of question, and the evaluation is repeated. Almost always nothing is read at all.
 * `evaluate` depends only on its arguments; if it throws `HistoryNotLoaded` its result is discarded. The
 * caller holds the locks of the records, so nothing of them can be committed between the reading and the
 * write. `session` is the one that holds those locks: reading must not wait for a connection.
 */
export async function evaluateWithHistory<Evaluation>(
  session: Queryable,
  evaluate: (history: ChangeHistory) => Evaluation,
): Promise<Evaluation> {
  const history = new BatchedHistory(session);
  for (;;) {
    try {
      const evaluation = evaluate(history);
      if (history.isComplete) return evaluation;
    } catch (error) {
      if (!(error instanceof HistoryNotLoaded)) throw error;
    }
    await history.read();
  }
}

/** Thrown if history that the evaluation depends on has not been read yet. */
export class HistoryNotLoaded extends Error {}

/** Shared, because it is thrown for each conflicting op of a group and capturing a stack each time is slow. */
const historyNotLoaded = new HistoryNotLoaded();

class BatchedHistory implements ChangeHistory {
  readonly #since;
  readonly #deletions;
  readonly #creations;
  readonly #fields;
  readonly #erased;

  constructor(session: Queryable) {
    this.#since = new BatchLoader(
      async (table: string, requested: ({ record: string } & Position)[]) => {
        const found = await readChangedSince(session, table, requested);
        return found.map((changes) => changes?.map(toHistoricalChange) ?? null);
      },
    );
    this.#deletions = new BatchLoader(async (table: string, requested: { record: string }[]) => {
      const records = requested.map(({ record }) => record);
      return (await readDeletions(session, table, records)).map(
        (found) => found && { ...toHistoricalChange(found), seq: found.seq },
      );
    });
    this.#creations = new BatchLoader(
      async (table: string, requested: { record: string; seq: number }[]) => {
        const found = await readCreationsFrom(session, table, requested);
        return found.map((changes, n) => creationsAfter(changes, requested[n]?.seq ?? 0));
      },
    );
    this.#erased = new BatchLoader((table: string, requested: { record: string }[]) =>
      readErasedFields(
        session,
        table,
        requested.map(({ record }) => record),
      ),
    );
    this.#fields = new BatchLoader(
      async (table: string, requested: { record: string; field: string }[]) => {
        const found = await readLastChanges(session, table, requested);
        return found.map((change) => change && toHistoricalChange(change));
      },
    );
  }

  /** Whether everything that was requested is known. */
  get isComplete(): boolean {
    return this.#loaders.every(({ isComplete }) => isComplete);
  }

  get #loaders() {
    return [this.#since, this.#deletions, this.#creations, this.#fields, this.#erased];
  }

  erasedFields(table: string, record: string): readonly string[] {
    return this.#erased.of(table, { record });
  }

  changedSince(table: string, record: string, { epoch, seq }: Position): HistoricalChange[] | null {
    return this.#since.of(table, { record, epoch, seq });
  }

  deletion(table: string, record: string): Deletion | null {
    return this.#deletions.of(table, { record });
  }

  creationsSince(table: string, record: string, seq: number): Creation[] {
    return this.#creations.of(table, { record, seq });
  }

  lastChanges(table: string, record: string, fields: string[]): Map<string, HistoricalChange> {
    const requested = fields.map((field) => ({ record, field }));
    const found = this.#fields.all(table, requested);
    return new Map(fields.flatMap((field, n) => (found[n] ? [[field, found[n]]] : [])));
  }

  async read(): Promise<void> {
    for (const loader of this.#loaders) await loader.read();
  }
}

/** One kind of question about records of a table, with its answers so far. */
class BatchLoader<Query, Loaded> {
  readonly #load: (table: string, queries: Query[]) => Promise<Loaded[]>;
  readonly #known = new Map<string, Loaded>();
  #pending = new Map<string, { table: string; query: Query }>();

  constructor(load: (table: string, queries: Query[]) => Promise<Loaded[]>) {
    this.#load = load;
  }

  get isComplete(): boolean {
    return this.#pending.size === 0;
  }

  of(table: string, query: Query): Loaded {
    return this.all(table, [query])[0] as Loaded;
  }

  all(table: string, queries: readonly Query[]): Loaded[] {
    const requested = queries.map((query) => ({
      key: JSON.stringify([table, query]),
      question: query,
    }));
    const pending = requested.filter(({ key }) => !this.#known.has(key));
    for (const { key, question: query } of pending) this.#pending.set(key, { table, query });
    if (pending.length) throw historyNotLoaded;
    return requested.map(({ key }) => this.#known.get(key) as Loaded);
  }

  async read(): Promise<void> {
    const pending = Map.groupBy(this.#pending, ([, { table }]) => table);
    this.#pending = new Map();
    for (const [table, requested] of pending) {
      const queries = requested.map(([, { query }]) => query);
      const loaded = await this.#load(table, queries);
      for (const [index, [key]] of requested.entries())
        this.#known.set(key, loaded[index] as Loaded);
    }
  }
}

/** The creations after a position, each with the deletion right before it. */
function creationsAfter(changes: readonly LogChange[], seq: number): Creation[] {
  return changes.flatMap((change, n) => {
    if (change.kind !== "insert" || change.seq <= seq) return [];
    const previous = changes[n - 1];
    const deleted = previous?.kind === "delete" ? previous.before : null;
    return [{ ...toHistoricalChange(change), after: change.after ?? {}, deleted }];
  });
}

function toHistoricalChange({ before, by, at }: LogChange): HistoricalChange {
  return { before: before ?? {}, by, at };
}
