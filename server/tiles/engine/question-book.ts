import { findTable, type Model } from "../../../shared/model/model.ts";
import type { LogChange } from "../../store/log-change.ts";
import type { Question } from "../plan/question.ts";
import { AskedQuestion } from "./asked-question.ts";
import type { Scene } from "./scene.ts";

/** All questions that some scene asks, each once, and which of them have to be read. */
export class QuestionBook {
  readonly #model: () => Model;
  readonly #verifyIntervalMs: number;
  readonly #questions = new Map<string, AskedQuestion>();
  readonly #tables = new Map<string, Set<AskedQuestion>>();

  constructor(model: () => Model, verifyIntervalMs: number) {
    this.#model = model;
    this.#verifyIntervalMs = verifyIntervalMs;
  }

  get all(): ReadonlyMap<string, AskedQuestion> {
    return this.#questions;
  }

  /** The tables of which anything is asked. */
  get tables(): Iterable<string> {
    return this.#tables.keys();
  }

  of(table: string): Iterable<AskedQuestion> {
    return this.#tables.get(table) ?? [];
  }

  /**
   * Asks what a scene asks and is not asked for it yet; whether that was anything. A question by another
   * model than the one in force is not asked: either its scene is about to be planned anew, or this
   * server has yet to take the model up, and then is told of the scene again.
   */
  want(scene: Scene): boolean {
    let some = false;
    for (const [key, question] of scene.keys) some = this.#want(scene, key, question) || some;
    return some;
  }

  #want(scene: Scene, key: string, question: Question): boolean {
    const known = this.#questions.get(key);
    if (known) {
      const isNew = !known.scenes.has(scene);
      known.scenes.add(scene);
      return isNew;
    }
    const model = this.#model();
    const table = findTable(model, question.table);
    if (!table || model.version !== question.model) return false;
    const asked = new AskedQuestion(key, question, table, Date.now());
    asked.scenes.add(scene);
    this.#questions.set(key, asked);
    const beside = this.#tables.get(table.name) ?? new Set();
    this.#tables.set(table.name, beside.add(asked));
    return true;
  }

  unwant(scene: Scene, key: string): void {
    const asked = this.#questions.get(key);
    if (!asked?.scenes.delete(scene) || asked.scenes.size > 0) return;
    this.#questions.delete(key);
    const beside = this.#tables.get(asked.table.name);
    beside?.delete(asked);
    if (beside?.size === 0) this.#tables.delete(asked.table.name);
  }

  /** What the clock has moved past becomes stale; whether anything is to be read now. */
  watch(now: number): boolean {
    let some = false;
    for (const asked of this.#questions.values()) {
      asked.watch(now);
      some ||= isDue(asked, now) || this.#isToVerify(asked, now);
    }
    return some;
  }

  /** A round begins at `now`: what the clock moves, or changes that wait and don't keep it, is stale. */
  begin(now: number, feeds: Iterable<{ tail: { table: string }; waiting: readonly LogChange[] }>) {
    for (const asked of this.#questions.values()) asked.moveTo(now);
    for (const { tail, waiting } of feeds) {
      for (const asked of this.of(tail.table)) {
        if (asked.isKept || asked.isStale) continue;
        asked.isStale = waiting.some((change) => asked.concerns(change));
      }
    }
  }

  isAnyDue(now: number): boolean {
    return [...this.#questions.values()].some((asked) => isDue(asked, now));
  }

  due(now: number): AskedQuestion[] {
    return [...this.#questions.values()].filter((asked) => isDue(asked, now));
  }

  /** Answers kept by changes that are to be compared with the database, a few at a time. */
  toVerify(now: number, most: number): AskedQuestion[] {
    return [...this.#questions.values()]
      .filter((asked) => this.#isToVerify(asked, now))
      .slice(0, most);
  }

  #isToVerify(asked: AskedQuestion, now: number): boolean {
    const isKept = asked.question.kind !== "recent" && asked.isKept && asked.isAnswered;
    const isOld = now - asked.verifiedAt > this.#verifyIntervalMs;
    return isKept && !asked.isStale && isOld && asked.notBefore <= now && !asked.isReadApart;
  }
}

function isDue(asked: AskedQuestion, now: number): boolean {
  return asked.isStale && asked.notBefore <= now && !asked.isReadApart;
}
