import type { Position } from "../../shared/protocol/position.ts";
import type { LogChange } from "../store/log-change.ts";
import { type Queryable, readChangedSince, readDeletions, readLastChanges } from "../store/past.ts";
import type { Past, PastChange } from "./past.ts";

/**
 * Judges by what the change log tells, and asks it for everything at once: what is not known yet is
 * noted, answered in one query for each kind of question, and judged again. Almost always nothing is
 * asked at all. `judge` is pure but for what it is given; where it meets `Unread` its judgement is
 * thrown away. The caller holds the locks of the records that it judges, so nothing of them can be
 * committed between the reading and the write. `session` is the one that holds those locks: reading
 * must not wait for a connection.
 */
export async function judgeByPast<Judgement>(
  session: Queryable,
  judge: (past: Past) => Judgement,
): Promise<Judgement> {
  const past = new GatheredPast(session);
  for (;;) {
    try {
      const judged = judge(past);
      if (past.isComplete) return judged;
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
    }
    await past.read();
  }
}

/** Thrown where the past that a judgement depends on has not been read yet. */
export class Unread extends Error {}

class GatheredPast implements Past {
  readonly #since;
  readonly #deletions;
  readonly #fields;

  constructor(session: Queryable) {
    this.#since = new Answers(async (table: string, asked: ({ record: string } & Position)[]) => {
      const found = await readChangedSince(session, table, asked);
      return found.map((changes) => changes?.map(pastOf) ?? null);
    });
    this.#deletions = new Answers(async (table: string, asked: { record: string }[]) => {
      const records = asked.map(({ record }) => record);
      return (await readDeletions(session, table, records)).map((found) => found && pastOf(found));
    });
    this.#fields = new Answers(
      async (table: string, asked: { record: string; field: string }[]) => {
        const found = await readLastChanges(session, table, asked);
        return found.map((change) => change && pastOf(change));
      },
    );
  }

  /** Whether everything that was asked is known. */
  get isComplete(): boolean {
    return this.#since.isComplete && this.#deletions.isComplete && this.#fields.isComplete;
  }

  changedSince(table: string, record: string, { epoch, seq }: Position): PastChange[] | null {
    return this.#since.of(table, { record, epoch, seq });
  }

  deletion(table: string, record: string): PastChange | null {
    return this.#deletions.of(table, { record });
  }

  lastChanges(table: string, record: string, fields: string[]): Map<string, PastChange> {
    const asked = fields.map((field) => ({ record, field }));
    const found = this.#fields.all(table, asked);
    return new Map(fields.flatMap((field, n) => (found[n] ? [[field, found[n]]] : [])));
  }

  async read(): Promise<void> {
    for (const answers of [this.#since, this.#deletions, this.#fields]) await answers.read();
  }
}

/** One kind of question about records of a table, with its answers so far. */
class Answers<Question, Answer> {
  readonly #ask: (table: string, questions: Question[]) => Promise<Answer[]>;
  readonly #known = new Map<string, Answer>();
  #open = new Map<string, { table: string; question: Question }>();

  constructor(ask: (table: string, questions: Question[]) => Promise<Answer[]>) {
    this.#ask = ask;
  }

  get isComplete(): boolean {
    return this.#open.size === 0;
  }

  of(table: string, question: Question): Answer {
    return this.all(table, [question])[0] as Answer;
  }

  all(table: string, questions: readonly Question[]): Answer[] {
    const asked = questions.map((question) => ({
      key: JSON.stringify([table, question]),
      question,
    }));
    const open = asked.filter(({ key }) => !this.#known.has(key));
    for (const { key, question } of open) this.#open.set(key, { table, question });
    if (open.length) throw new Unread();
    return asked.map(({ key }) => this.#known.get(key) as Answer);
  }

  async read(): Promise<void> {
    const open = Map.groupBy(this.#open, ([, { table }]) => table);
    this.#open = new Map();
    for (const [table, asked] of open) {
      const questions = asked.map(([, { question }]) => question);
      const answers = await this.#ask(table, questions);
      for (const [index, [key]] of asked.entries()) this.#known.set(key, answers[index] as Answer);
    }
  }
}

function pastOf({ before, by, at }: LogChange): PastChange {
  return { before: before ?? {}, by, at };
}
