import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import { isTimedOut } from "../../store/is-unavailable.ts";
import type { FeedState, LogChange } from "../../store/log-change.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import type { AskedQuestion } from "./asked-question.ts";
import type { EvaluatorDeps } from "./evaluator-deps.ts";
import { type FeedCursor, FeedLost, type TailNews } from "./feed-cursor.ts";
import { Feeds } from "./feeds.ts";
import { Labels } from "./labels.ts";
import { QuestionBook } from "./question-book.ts";
import { type Reading, TooManyGroups } from "./read-question.ts";
import { readRound } from "./read-round.ts";
import { Scene } from "./scene.ts";
import { type Arrival, changesSince, SeparateReads } from "./separate-reads.ts";

/** Changes that come together are taken together, also when idle. */
const GATHER_MS = 15;
/** Tiles take a quarter of the time at most, of the database and of this process: so much rest for so much work. */
const REST_PER_COST = 3;
/** However busy the machine, a round comes so soon after the one before: who looks at a wall must not see it lag. */
const REST_MAX_MS = 250;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
const CLOCK_CHECK_MS = 250;
const VERIFY_AT_ONCE = 3;
/** A question that takes longer is read apart from the rounds. */
const ROUND_TIMEOUT_MS = 250;

/**
 * Works scenes out, each distinct question once, and keeps them current. It goes in rounds. A round
 * reads what is stale in one snapshot of the database, which shows the feeds at certain heads; moves
 * all answers that are kept by changes to exactly these heads; and puts the frames together. So all
 * figures are of one position, and parts add up to the whole. A round without anything stale asks the
 * database nothing.
 */
export class Evaluator {
  readonly #deps: EvaluatorDeps;
  readonly #scenes = new Map<string, Scene>();
  readonly #book: QuestionBook;
  readonly #feeds: Feeds;
  readonly #labels: Labels;
  readonly #separate: SeparateReads;
  readonly #undo: (() => void)[] = [];
  #timer: NodeJS.Timeout | null = null;
  #restUntil = 0;
  #round: Promise<void> | null = null;
  #stopped = false;

  constructor(deps: EvaluatorDeps) {
    this.#deps = deps;
    this.#book = new QuestionBook(deps.model, deps.limits.TILES_VERIFY_INTERVAL_MS);
    this.#feeds = new Feeds(deps);
    this.#labels = new Labels(deps.database, deps.model);
    this.#separate = new SeparateReads({
      ...deps,
      feeds: this.#feeds,
      onFailure: (asked, purpose, error) => this.#failApart(asked, purpose, error),
      onDone: () => this.#request(),
    });
  }

  start(): void {
    this.#undo.push(this.#deps.tails.onNews((news) => this.#hear(news)));
    const watching = setInterval(() => this.#watchClock(), CLOCK_CHECK_MS);
    this.#undo.push(() => clearInterval(watching));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const undo of this.#undo.splice(0)) undo();
    if (this.#timer) clearTimeout(this.#timer);
    await this.#round;
    await this.#separate.stop();
  }

  keys(): string[] {
    return [...this.#scenes.keys()];
  }

  /** Whether there is anything to work out. */
  get isBusy(): boolean {
    return this.#scenes.size > 0;
  }

  /** The last frame of a scene, at the position up to which it is right. */
  frame(key: string): FrameMessage | null {
    const scene = this.#scenes.get(key);
    if (!scene?.last) return null;
    if (scene.isDirty || scene.isMoving(this.#book.all, Date.now())) return scene.last;
    return { ...scene.last, position: this.#feeds.position(scene.plan.tables) };
  }

  /** Works a scene out from now on; told again and again. `previous`: the last frame of another server. */
  add(plan: ScenePlan, previous: FrameMessage | null): void {
    const known = this.#scenes.get(plan.key);
    const scene = known ?? new Scene(plan, previous);
    this.#scenes.set(plan.key, scene);
    if (!this.#book.want(scene) && known) return;
    scene.isDirty = true;
    this.#count();
    this.#request();
  }

  remove(key: string): void {
    const scene = this.#scenes.get(key);
    if (!scene) return;
    this.#scenes.delete(key);
    for (const one of scene.keys.keys()) this.#book.unwant(scene, one);
    this.#feeds.keepOnly(this.#book.tables);
    this.#count();
  }

  /** Words, or who has seen an alert, may be other ones. */
  refresh({ people = false } = {}): void {
    if (people) this.#labels.forgetPeople();
    for (const scene of this.#scenes.values()) scene.isDirty = true;
    this.#request();
  }

  /** Proves every scene that stands where these heads do, read at `asOf`; whether all of them do. */
  prove(heads: readonly FeedState[], asOf: number): boolean {
    const byTable = new Map(heads.map((head) => [head.table, head]));
    let all = true;
    for (const [key, scene] of this.#scenes) {
      if (this.#isProven(scene, byTable, asOf)) {
        const position = this.#feeds.position(scene.plan.tables);
        const proof = { position, asOf: new Date(asOf).toISOString(), figures: scene.figures };
        this.#deps.onProven(key, proof);
      } else all = false;
    }
    return all;
  }

  /** Reads what the feeds may have missed, and goes on from there. */
  async hurry(): Promise<void> {
    await this.#feeds.catchUp();
    this.#request();
  }

  #isProven(scene: Scene, heads: ReadonlyMap<string, FeedState>, asOf: number): boolean {
    if (!scene.last || scene.isDirty || scene.isMoving(this.#book.all, asOf)) return false;
    return this.#feeds.hasTaken(scene.plan.tables, heads);
  }

  #count(): void {
    this.#deps.metrics.scenes = this.#scenes.size;
    this.#deps.metrics.questions = this.#book.all.size;
  }

  #hear(news: TailNews): void {
    const { table } = news.tail;
    if (news.kind === "reset") this.#labels.clear();
    const isNamed = news.kind === "reset" || this.#labels.forget(table, news.changes);
    if (isNamed) for (const scene of this.#scenes.values()) scene.isDirty = true;
    const cursor = this.#feeds.get(table);
    if (cursor && news.kind === "changes") cursor.note(news.changes);
    if (cursor && news.kind === "reset") {
      cursor.reset();
      for (const asked of this.#book.of(table)) asked.isStale = true;
    }
    if (cursor || isNamed) this.#request();
  }

  /** What moves by the clock alone: bounds, buckets, silence, and what is to be tried or compared again. */
  #watchClock(): void {
    const now = Date.now();
    let some = this.#book.watch(now);
    for (const scene of this.#scenes.values()) {
      const at = scene.silentAt(this.#book.all, now - CLOCK_CHECK_MS);
      if (at !== null && at <= now) scene.isDirty = true;
      some ||= scene.isDirty;
    }
    if (some) this.#request();
  }

  #request(): void {
    if (this.#timer || this.#round || this.#stopped || this.#scenes.size === 0) return;
    const wait = Math.max(GATHER_MS, this.#restUntil - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#round = this.#run().finally(() => {
        this.#round = null;
        if (this.#isBehind()) this.#request();
      });
    }, wait);
  }

  #isBehind(): boolean {
    return this.#feeds.isWaiting || this.#separate.hasArrivals || this.#book.isAnyDue(Date.now());
  }

  async #run(): Promise<void> {
    const began = performance.now();
    this.#restUntil = began + 1_000 / this.#deps.limits.TILE_REFRESHES_PER_SECOND;
    try {
      await this.#feeds.follow([...this.#book.tables]);
      await this.#evaluate();
      this.#tell();
    } catch (error) {
      if (!(error instanceof FeedLost)) {
        this.#deps.log.warn({ err: error }, "a round of tiles failed");
      }
      this.#restUntil = performance.now() + RETRY_FIRST_MS;
    }
    const ended = performance.now();
    const rest = Math.min((ended - began) * REST_PER_COST, REST_MAX_MS);
    this.#restUntil = Math.max(this.#restUntil, ended + rest);
    this.#deps.metrics.rounds += 1;
    this.#deps.metrics.seconds += (ended - began) / 1_000;
  }

  async #evaluate(): Promise<void> {
    for (const arrival of this.#separate.takeArrivals()) await this.#takeArrival(arrival);
    const now = Date.now();
    this.#book.begin(now, this.#feeds.all());
    const due = this.#begin(now);
    if (due.length === 0) {
      for (const cursor of this.#feeds.all()) this.#advance(cursor, cursor.tail.seq);
      return;
    }
    const { readings, heads } = await readRound(
      this.#deps,
      due,
      now,
      this.#roundTimeoutMs,
      (asked, error) => this.#failInRound(asked, error),
    );
    const recent = due.filter(({ question }) => question.kind === "recent");
    await this.#feeds.reach(heads);
    // not before the feeds have reached them: what a tail has not heard of yet would be left out
    const found = recent.map((asked) => this.#feeds.lookBack(asked.table.name, heads));
    const lookedBack = await Promise.all(found);
    // Nothing is awaited from here on: answers and feeds move together, or not at all.
    this.#feeds.requireHistory(heads);
    for (const { table, head } of heads) {
      const cursor = this.#feeds.get(table);
      if (cursor) this.#advance(cursor, head);
    }
    for (const [asked, reading] of readings) this.#take(asked, reading);
    for (const [index, asked] of recent.entries()) {
      asked.takeChanges(lookedBack[index] ?? [], now);
      this.#dirty(asked);
    }
  }

  /** Begins what is read apart; answers what is left for the round, which is quick as far as is known. */
  #begin(now: number): AskedQuestion[] {
    const due = this.#book.due(now).filter(({ table }) => this.#feeds.get(table.name));
    const inRound = due.filter(
      ({ question, isAnswered, isSlow }) => question.kind === "recent" || (isAnswered && !isSlow),
    );
    const apart = due.filter((asked) => !inRound.includes(asked));
    const timeoutMs = this.#deps.limits.TILE_QUERY_TIMEOUT_MS;
    const quick = apart.filter(({ isSlow }) => !isSlow);
    this.#separate.begin(quick, "answer", this.#roundTimeoutMs);
    for (const asked of apart) {
      if (asked.isSlow) this.#separate.begin([asked], "answer", timeoutMs);
    }
    this.#separate.begin(this.#book.toVerify(now, VERIFY_AT_ONCE), "comparison", timeoutMs);
    return inRound;
  }

  get #roundTimeoutMs(): number {
    return Math.min(ROUND_TIMEOUT_MS, this.#deps.limits.TILE_QUERY_TIMEOUT_MS);
  }

  /** Brings a reading that was made apart to where the feeds stand, and takes it. */
  async #takeArrival(arrival: Arrival): Promise<void> {
    const { asked, purpose, reading, head, collected } = arrival;
    asked.isReadApart = false;
    const cursor = this.#feeds.get(head.table);
    try {
      if (!cursor || asked.scenes.size === 0) return;
      await cursor.reach(head.epoch, head.head);
      if (cursor.taken < head.head) this.#advance(cursor, head.head);
      const later = changesSince(arrival);
      if (!later) return;
      if (purpose === "comparison") this.#compare(asked, reading, later);
      else this.#takeMoved(asked, reading, later);
    } catch (error) {
      if (!(error instanceof FeedLost)) throw error;
    } finally {
      cursor?.letGo(collected);
    }
  }

  #takeMoved(asked: AskedQuestion, reading: Reading, later: readonly LogChange[]): void {
    asked.isSlow = reading.costMs > this.#roundTimeoutMs / 2;
    this.#take(asked, reading);
    for (const change of later) asked.apply(change);
  }

  /** What can't be told now is compared at the next opportunity. */
  #compare(asked: AskedQuestion, reading: Reading, later: readonly LogChange[]): void {
    const now = Date.now();
    const isSame = asked.isSameAs(reading, later, now);
    asked.verifiedAt = now;
    if (isSame === null) return;
    this.#deps.metrics.verified += 1;
    if (isSame) return;
    this.#deps.metrics.mismatches += 1;
    const { question } = asked;
    this.#deps.log.error({ question }, "a tile kept by changes was not what the database says");
    this.#takeMoved(asked, reading, later);
  }

  /** A question that takes too long for a round is read apart from then on; that is no failure. */
  #failInRound(asked: AskedQuestion, error: unknown): void {
    if (isTimedOut(error) && this.#roundTimeoutMs < this.#deps.limits.TILE_QUERY_TIMEOUT_MS) {
      asked.isSlow = true;
    } else this.#fail(asked, error);
  }

  #failApart(asked: AskedQuestion, purpose: "answer" | "comparison", error: unknown): void {
    if (purpose === "comparison") asked.verifiedAt = Date.now();
    else if (asked.isSlow) this.#fail(asked, error);
    else this.#failInRound(asked, error);
  }

  #fail(asked: AskedQuestion, error: unknown): void {
    asked.hasFailed = true;
    asked.hasTooManyGroups = error instanceof TooManyGroups;
    asked.failures += 1;
    const pause = Math.min(RETRY_FIRST_MS * 2 ** (asked.failures - 1), RETRY_MAX_MS);
    asked.notBefore = Date.now() + pause;
    asked.isStale = true;
    this.#dirty(asked);
    this.#deps.metrics.failures += 1;
    if (asked.failures === 1) {
      this.#deps.log.warn(
        { err: error, table: asked.question.table },
        "a tile can't be worked out",
      );
    }
  }

  #advance(cursor: FeedCursor, upTo: number): void {
    const changes = cursor.take(upTo);
    if (changes.length === 0) return;
    for (const asked of this.#book.of(cursor.tail.table)) {
      let moved = false;
      for (const change of changes) moved = asked.apply(change) || moved;
      if (moved) this.#dirty(asked);
    }
  }

  #take(asked: AskedQuestion, reading: Reading): void {
    // nobody asks it any more: no change has been taken since
    if (asked.scenes.size === 0) return;
    asked.take(reading);
    asked.notBefore = reading.now + reading.costMs * (1 + REST_PER_COST);
    this.#dirty(asked);
  }

  #dirty({ scenes }: AskedQuestion): void {
    for (const scene of scenes) scene.isDirty = true;
  }

  /** Puts together what changed and tells it. */
  #tell(): void {
    const now = Date.now();
    for (const [key, scene] of this.#scenes) {
      if (!scene.isDirty || !scene.isOfOneInstant(this.#book.all, now)) continue;
      if (this.#lacksWords(scene, now)) continue;
      const { wallboard } = scene.plan;
      const frame = scene.compose(
        this.#book.all,
        { now, position: this.#feeds.position(scene.plan.tables) },
        this.#labels.find,
        (...row) => this.#deps.acknowledgement(wallboard, ...row),
      );
      if (!frame) continue;
      this.#deps.metrics.frames += 1;
      this.#deps.onFrame(key, frame);
    }
  }

  /** Looks up the words of a scene, beside the rounds. Whether it still waits for them. */
  #lacksWords(scene: Scene, now: number): boolean {
    const lookup = this.#labels.load(scene.wantedLabels(this.#book.all));
    void lookup?.then(() => {
      scene.isDirty = true;
      this.#request();
    });
    return scene.waitsForWords(lookup !== null, now);
  }
}
