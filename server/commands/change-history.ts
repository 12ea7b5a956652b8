import type { Json } from "../../shared/filter/filter.ts";
import type { Values } from "../../shared/model/model.ts";
import type { Position } from "../../shared/protocol/position.ts";
import type { Author } from "../../shared/protocol/record.ts";
import {
  type Queryable,
  readChangedSince,
  readCreationsFrom,
  readDeletions,
  readEarlierValues,
  readErasedFields,
  readLastChanges,
} from "../store/change-history.ts";
import type { LogChange } from "../store/log-change.ts";

/** One earlier change of a record, as far as an answer may name it. */
export interface HistoricalChange {
  before: Values;
  by: Author;
  at: string;
}

/** The deletion of a record, and its position. */
export interface Deletion extends HistoricalChange {
  seq: number;
  /** The number that the record had in the order of entry, if it was logged. */
  entry: number | null;
}

/** A change that created a record, or brought it back. */
export interface Creation extends HistoricalChange {
  after: Values;
  /** What was deleted before; null if nothing was, or the log does not hold it. */
  deleted: Values | null;
}

/**
 * The change log of records, read only for the few answers that depend on it, and then for all ops at once. A question that was
 * not read yet is noted and answered as if the log held nothing. Whatever was concluded from that is discarded: see
 * `evaluateWithHistory`.
 */
export class ChangeHistory {
  readonly #since;
  readonly #deletions;
  readonly #creations;
  readonly #fields;
  readonly #erased;
  readonly #earlier;

  /** The session reads: one that holds the locks of the records, so that reading does not wait for a connection. */
  constructor(session: Queryable) {
    this.#since = new BatchLoader(
      // Almost always nothing follows a version. Were that unknown, each op would seem to conflict in all its fields, and the last change of
      // each of these would be read.
      [],
      async (table: string, requested: ({ record: string } & Position)[]) => {
        const found = await readChangedSince(session, table, requested);
        return found.map((changes) => changes?.map(toHistoricalChange) ?? null);
      },
    );
    this.#deletions = new BatchLoader(
      null,
      async (table: string, requested: { record: string }[]) => {
        const found = await readDeletions(session, table, requested.map(recordOf));
        return found.map(
          (one) => one && { ...toHistoricalChange(one), seq: one.seq, entry: one.entry },
        );
      },
    );
    this.#creations = new BatchLoader(
      [],
      async (table: string, requested: { record: string; seq: number }[]) => {
        const found = await readCreationsFrom(session, table, requested);
        return found.map((changes, n) => creationsAfter(changes, requested[n]?.seq ?? 0));
      },
    );
    this.#erased = new BatchLoader([], (table: string, requested: { record: string }[]) =>
      readErasedFields(session, table, requested.map(recordOf)),
    );
    this.#earlier = new BatchLoader(
      [],
      (table: string, requested: { record: string; field: string }[]) =>
        readEarlierValues(session, table, requested),
    );
    this.#fields = new BatchLoader(
      null,
      async (table: string, requested: { record: string; field: string }[]) => {
        const found = await readLastChanges(session, table, requested);
        return found.map((change) => change && toHistoricalChange(change));
      },
    );
  }

  /** Whether everything that was asked for has been read. */
  get isComplete(): boolean {
    return this.#loaders.every(({ isComplete }) => isComplete);
  }

  get #loaders() {
    return [
      ...[this.#since, this.#deletions, this.#creations],
      ...[this.#fields, this.#erased, this.#earlier],
    ];
  }

  /** The fields of which a value was ever erased. */
  erasedFields(table: string, record: string): readonly string[] {
    return this.#erased.of(table, { record });
  }

  /** The values that a field of a record has held, as far as the newest changes of the record say. */
  earlierValues(table: string, record: string, field: string): readonly Json[] {
    return this.#earlier.of(table, { record, field });
  }

  /**
   * The changes after a position, oldest first; null if the log does not reach back, or it belongs to another
   * history.
   */
  changedSince(table: string, record: string, { epoch, seq }: Position): HistoricalChange[] | null {
    return this.#since.of(table, { record, epoch, seq });
  }

  /** The deletion of a record, if there was one. */
  deletion(table: string, record: string): Deletion | null {
    return this.#deletions.of(table, { record });
  }

  /** The creations of a record after a position, oldest first. Epochs continue one another's numbers. */
  creationsSince(table: string, record: string, seq: number): readonly Creation[] {
    return this.#creations.of(table, { record, seq });
  }

  /** The last change of each of these fields, if there was one. */
  lastChanges(table: string, record: string, fields: string[]): Map<string, HistoricalChange> {
    const found = fields.map(
      (field) => [field, this.#fields.of(table, { record, field })] as const,
    );
    return new Map(found.flatMap(([field, change]) => (change ? [[field, change]] : [])));
  }

  /** Reads what was asked for: one query per kind of question and table. */
  async read(): Promise<void> {
    for (const loader of this.#loaders) await loader.read();
  }
}

/**
 * Evaluates by what the change log contains, and reads everything at once: the evaluation notes what it misses, and is
 * repeated once that was read. Almost always nothing is read at all. `evaluate` depends only on its arguments, and its result
 * counts only if the history was complete. The caller holds the locks of the records, so nothing of them can be committed
 * between the reading and the write.
 *
 * Reading op by op instead, as each conflict is found, would be simpler, but costs a round trip for each of a thousand
 * conflicting ops, while everybody waits for the group.
 */
export async function evaluateWithHistory<Evaluation>(
  session: Queryable,
  evaluate: (history: ChangeHistory) => Evaluation,
): Promise<Evaluation> {
  const history = new ChangeHistory(session);
  for (;;) {
    const evaluation = evaluate(history);
    if (history.isComplete) return evaluation;
    await history.read();
  }
}

/** One kind of question about records of a table, with its answers so far. */
class BatchLoader<Query, Loaded> {
  readonly #unknown: Loaded;
  readonly #load: (table: string, queries: Query[]) => Promise<Loaded[]>;
  readonly #known = new Map<string, Loaded>();
  #pending = new Map<string, { table: string; query: Query }>();

  /** `unknown` is what the log is taken to hold until it was read. */
  constructor(
    unknown: NoInfer<Loaded>,
    load: (table: string, queries: Query[]) => Promise<Loaded[]>,
  ) {
    this.#unknown = unknown;
    this.#load = load;
  }

  get isComplete(): boolean {
    return this.#pending.size === 0;
  }

  of(table: string, query: Query): Loaded {
    const key = JSON.stringify([table, query]);
    if (this.#known.has(key)) return this.#known.get(key) as Loaded;
    this.#pending.set(key, { table, query });
    return this.#unknown;
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

const recordOf = ({ record }: { record: string }) => record;

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
