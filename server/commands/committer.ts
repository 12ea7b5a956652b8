import { createHash } from "node:crypto";
import { findTable } from "../../shared/model/model.ts";
import { Refusal, unavailable } from "../../shared/protocol/errors.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { discreet } from "../policy/discreet.ts";
import { byModelInForce } from "../store/model-moved.ts";
import type { SealedFeed } from "../store/sealed-change.ts";
import type { WriteSession } from "../store/write-session.ts";
import { commitAlone } from "./commit-alone.ts";
import { BUSY, type CommitDeps, commitGroup, type Unit, type UnitAnswer } from "./commit-group.ts";
import { isAway, isContention, refusalOf } from "./database-error.ts";
import type { Mutation } from "./op.ts";

/** Ops that go into one transaction at most: it holds row locks and the feed's head. */
const GROUP_MAX_OPS = 1_000;

export interface CommitterOptions extends CommitDeps {
  /** A connection of its own for mutations that have to wait for other programs. */
  patientSession: WriteSession;
  maxWaiting: number;
  /** Takes up the newest model; called when a transaction met another than it was judged by. */
  refreshModel: () => Promise<void>;
  /** Called after each commit with what it added to the log: the relay is woken by it. */
  onCommit: (feeds: readonly SealedFeed[]) => void;
  onError: (error: unknown) => void;
}

interface Waiting extends Unit {
  key: string;
  answer: (answer: UnitAnswer) => void;
}

/**
 * Queues mutations and commits them in groups: those that arrive while a commit is in flight share the
 * next one. No timer: when idle a mutation goes at once, when busy groups grow by themselves.
 */
export class Committer {
  readonly #options: CommitterOptions;
  #waiting: Waiting[] = [];
  #running: Promise<void> | null = null;
  /** Mutations that wait for the locks of other programs, away from everybody else. */
  #aside: Promise<void> = Promise.resolve();
  /** Mutations under way by author and id: a repeat waits for the same answer. */
  readonly #underWay = new Map<string, { hash: string; answer: Promise<UnitAnswer> }>();

  constructor(options: CommitterOptions) {
    this.#options = options;
  }

  /**
   * Commits a mutation and answers each of its ops. Throws `unavailable` where the outcome is unknown
   * (the same id may be sent again), `mutation_mismatch`, or `rate_limited` when too many wait.
   */
  async commit(mutation: Mutation): Promise<OpResult[]> {
    const hash = hashOf(mutation);
    const key = JSON.stringify([mutation.actor, mutation.id]);
    const same = this.#underWay.get(key);
    if (same && same.hash !== hash)
      throw new Refusal("mutation_mismatch", { mutation: mutation.id });
    const answer = await (same?.answer ?? this.#enqueue(mutation, hash, key));
    if (answer instanceof Refusal) throw answer;
    return answer;
  }

  /** Waits until everything that was accepted has been answered. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running;
    await this.#aside;
  }

  #enqueue(mutation: Mutation, hash: string, key: string): Promise<UnitAnswer> {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      throw new Refusal("rate_limited", { retryAfter: 1 });
    }
    const answer = new Promise<UnitAnswer>((resolve) => {
      this.#waiting.push({ mutation, hash, key, answer: resolve });
    });
    this.#underWay.set(key, { hash, answer });
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
    return answer;
  }

  async #run(): Promise<void> {
    while (this.#waiting.length) {
      const group = this.#take();
      const answers = await this.#commitAll(group);
      for (const [index, waiting] of group.entries()) {
        const answer = answers[index] as UnitAnswer | typeof BUSY;
        if (answer === BUSY) this.#setAside(waiting);
        else this.#answer(waiting, answer);
      }
    }
  }

  #answer(waiting: Waiting, answer: UnitAnswer): void {
    this.#underWay.delete(waiting.key);
    waiting.answer(answer);
  }

  /** The oldest waiting mutations, as many as fit into one transaction. */
  #take(): Waiting[] {
    let ops = 0;
    const over = this.#waiting.findIndex(({ mutation }) => {
      ops += mutation.ops.length;
      return ops > GROUP_MAX_OPS;
    });
    return this.#waiting.splice(0, over < 0 ? this.#waiting.length : Math.max(over, 1));
  }

  async #commitAll(group: readonly Waiting[]): Promise<(UnitAnswer | typeof BUSY)[]> {
    try {
      const { session } = this.#options;
      const commit = () => commitGroup(group, this.#options);
      const { answers, feeds } = await this.#byModelInForce(session, commit);
      this.#committed(feeds);
      return answers;
    } catch (error) {
      await this.#options.session.rollback();
      if (isAway(error)) return group.map(() => unavailable());
      // One of them has to wait for somebody; who it is shows when each goes alone.
      if (isContention(error)) return group.map(() => BUSY);
    }
    const answers: UnitAnswer[] = [];
    for (const unit of group) answers.push(await this.#commitOne(unit, this.#options.session));
    return answers;
  }

  /** One after the other, so that two on one record keep their order. */
  #setAside(waiting: Waiting): void {
    this.#aside = this.#aside.then(async () => {
      this.#answer(waiting, await this.#commitOne(waiting, this.#options.patientSession));
    });
  }

  async #commitOne(unit: Unit, session: WriteSession): Promise<UnitAnswer> {
    try {
      const commit = () => commitAlone(unit, { ...this.#options, session });
      const { answer, feeds } = await this.#byModelInForce(session, commit);
      this.#committed(feeds);
      return answer;
    } catch (error) {
      await session.rollback();
      const { subject, ops } = unit.mutation;
      const model = this.#options.model();
      const refusal = refusalOf(error, ops[0]?.op ?? "", { model, subject });
      if (refusal) return discreet(refusal, subject, findTable(model, ops[0]?.table ?? ""));
      this.#options.onError(error);
      return new Refusal("internal");
    }
  }

  #byModelInForce<Result>(session: WriteSession, commit: () => Promise<Result>): Promise<Result> {
    return byModelInForce(this.#options.refreshModel, commit, () => session.rollback());
  }

  #committed(feeds: readonly SealedFeed[]): void {
    if (feeds.length) this.#options.onCommit(feeds);
  }
}

function hashOf({ atomic, ops }: Mutation): string {
  return createHash("sha256")
    .update(JSON.stringify([atomic, ops]))
    .digest("base64url");
}
