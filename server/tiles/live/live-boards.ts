import { setTimeout as sleep } from "node:timers/promises";
import type { MessageBus } from "../../../shared/protocol/bus-channel.ts";
import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import type { Broadcaster } from "../../../shared/protocol/peer.ts";
import { readFeedStates } from "../../store/feed-log.ts";
import { type LeaderLock, Leadership } from "../../store/leadership.ts";
import { Evaluator } from "../engine/evaluator.ts";
import type { EvaluatorDeps } from "../engine/evaluator-deps.ts";
import type { BoardPlan } from "../plan/board-plan.ts";
import type { BoardPlans } from "./board-plans.ts";
import { LiveBoard } from "./live-board.ts";
import { RemoteQueries } from "./remote-queries.ts";
import {
  type BoardRequest,
  type Proof,
  TILES_CHANNEL,
  type TilesMessage,
} from "./tiles-messages.ts";

/**
 * A board query without subscribers lives this long: screens that were all disconnected return to it. Nobody returns to
 * one of a former model or version.
 */
const LINGER_MS = 60_000;
const UPDATE_INTERVAL_MS = 500;
const REQUEST_INTERVAL_MS = 5_000;
/** The owner has this long to send a new board before this server evaluates it itself. */
const FIRST_FRAME_TIMEOUT_MS = 1_000;
const PROOF_RETRY_MS = 200;

/**
 * The source of this server's boards. One server of the installation, the owner, evaluates all and sends them
 * on the bus; every server stores the last frame of those that its screens show. A server that hears nothing
 * of the owner, or whose bus is degraded, evaluates its own: the bus carries copies, never the only data.
 */
export class LiveBoards {
  readonly #deps;
  readonly #evaluator: Evaluator;
  readonly #ownership: Leadership;
  readonly #liveBoards = new Map<string, LiveBoard>();
  /** What screens of other servers show. */
  readonly #remoteQueries: RemoteQueries;
  readonly #undo: (() => void)[] = [];
  #proofs: Record<string, Proof> = {};
  readonly #stopping = new AbortController();

  constructor(
    deps: Omit<EvaluatorDeps, "onFrame" | "onProven"> & {
      bus: MessageBus & { state(): "live" | "degraded" };
      plans: Pick<BoardPlans, "derive" | "isCurrent">;
      lock: LeaderLock;
      sender: Broadcaster;
    },
  ) {
    this.#deps = deps;
    this.#evaluator = new Evaluator({
      ...deps,
      onFrame: (key, frame) => this.#publishFrame(key, frame),
      onProven: (key, proof) => this.#publishProof(key, proof),
    });
    const onFound = (plan: BoardPlan, isNew: boolean) => this.#sendRequested(plan, isNew);
    this.#remoteQueries = new RemoteQueries(deps.plans, deps.log, onFound);
    this.#ownership = new Leadership(deps.lock, () => {
      this.#publish({ kind: "ask" });
      this.#update();
      return () => {};
    });
  }

  start(): void {
    const { bus, limits } = this.#deps;
    this.#undo.push(bus.subscribe(TILES_CHANNEL, (message) => this.#receive(message)));
    this.#every(UPDATE_INTERVAL_MS, () => this.#update());
    this.#every(REQUEST_INTERVAL_MS, () => this.#requestBoards([...this.#liveBoards.values()]));
    this.#every(limits.TILES_PROVEN_INTERVAL_MS, () => {
      for (const liveBoard of this.#liveBoards.values()) liveBoard.sendProof();
    });
    this.#evaluator.start();
    this.#ownership.start();
    void this.#proveAll();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const undo of this.#undo.splice(0)) undo();
    await this.#ownership.stop();
    await this.#evaluator.stop();
  }

  get isOwner(): boolean {
    return this.#ownership.isLeader;
  }

  /** The live board of a plan; from now on it is updated. `request` led to the plan. */
  liveBoard(plan: BoardPlan, request: BoardRequest): LiveBoard {
    const known = this.#liveBoards.get(plan.key);
    if (known) return known;
    const { sender, limits } = this.#deps;
    const liveBoard = new LiveBoard(plan, request, sender, limits.SLOW_CLIENT_BUFFER_BYTES);
    this.#liveBoards.set(plan.key, liveBoard);
    if (this.#isEvaluatedHere(liveBoard)) this.#evaluator.boards.add(plan, null);
    else this.#requestBoards([liveBoard]);
    return liveBoard;
  }

  /** Whether a board is already updated for some screen. */
  has(key: string): boolean {
    return this.#liveBoards.has(key);
  }

  /** Whether it is, of the present model and version of the board: any other one ends soon. */
  hasCurrent(key: string): boolean {
    const liveBoard = this.#liveBoards.get(key);
    return liveBoard !== undefined && this.#deps.plans.isCurrent(liveBoard.plan);
  }

  /** Acknowledgements or names may have changed. */
  refresh(options?: { users?: boolean }): void {
    this.#evaluator.boards.refresh(options);
  }

  #every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms);
    this.#undo.push(() => clearInterval(timer));
  }

  /** Boards come and go, and so does the owner. */
  #update(): void {
    const now = performance.now();
    this.#remoteQueries.removeExpired(now);
    for (const [key, liveBoard] of this.#liveBoards) {
      const lingerMs = this.#deps.plans.isCurrent(liveBoard.plan) ? LINGER_MS : 0;
      if (liveBoard.emptyFor(now) > lingerMs) this.#liveBoards.delete(key);
      else if (this.#isEvaluatedHere(liveBoard)) this.#evaluate(liveBoard.plan, liveBoard.frame);
      else if (!this.#isRequestedRemotely(key)) this.#evaluator.boards.remove(key);
    }
    if (this.isOwner) {
      for (const plan of this.#remoteQueries.plans()) this.#evaluate(plan, null);
    }
    for (const key of this.#evaluator.boards.keys()) {
      if (!this.#liveBoards.has(key) && !this.#isRequestedRemotely(key))
        this.#evaluator.boards.remove(key);
    }
  }

  /** A board that can't be evaluated must not stop the others. */
  #evaluate(plan: BoardPlan, previous: FrameMessage | null): void {
    try {
      this.#evaluator.boards.add(plan, previous);
    } catch (err) {
      this.#deps.log.warn({ err }, "a board can't be evaluated");
      this.#evaluator.boards.remove(plan.key);
      this.#remoteQueries.delete(plan.key);
    }
  }

  #isRequestedRemotely(key: string): boolean {
    return this.isOwner && this.#remoteQueries.has(key);
  }

  #isEvaluatedHere(liveBoard: LiveBoard): boolean {
    if (this.isOwner || this.#deps.bus.state() === "degraded") return true;
    const now = performance.now();
    const silence = 2 * this.#deps.limits.TILES_PROVEN_INTERVAL_MS + FIRST_FRAME_TIMEOUT_MS;
    if (liveBoard.receivedAt !== null) return now - liveBoard.receivedAt > silence;
    return now - liveBoard.madeAt > FIRST_FRAME_TIMEOUT_MS;
  }

  #requestBoards(liveBoards: readonly LiveBoard[], isRetry = false): void {
    if (this.isOwner || liveBoards.length === 0) return;
    const requests = liveBoards.map(({ plan, request }) => ({ scene: plan.key, request }));
    this.#publish({ kind: "want", wants: requests, ...(isRetry && { again: isRetry }) });
  }

  #publishFrame(key: string, frame: FrameMessage): void {
    this.#liveBoards.get(key)?.applyFrame(frame);
    if (!this.isOwner || !this.#remoteQueries.has(key)) return;
    const { board: _, ...rest } = frame;
    this.#publish({ kind: "frame", scene: key, frame: rest });
  }

  /** What another server sent before may be shown, and may differ slightly. */
  #publishProof(key: string, proof: Proof): void {
    const liveBoard = this.#liveBoards.get(key);
    const frame = this.#evaluator.boards.frame(key);
    if (liveBoard && frame && !liveBoard.applyProof(proof)) liveBoard.applyFrame(frame);
    if (this.isOwner && this.#remoteQueries.has(key)) this.#proofs[key] = proof;
  }

  #publish(message: TilesMessage): void {
    this.#deps.bus.publish(TILES_CHANNEL, message);
  }

  #receive(message: TilesMessage): void {
    switch (message.kind) {
      case "want":
        if (this.isOwner) this.#remoteQueries.note(message.wants, message.again === true);
        return;
      case "ask":
        this.#requestBoards([...this.#liveBoards.values()]);
        return;
      case "frame":
        this.#receivedFromOwner(message.scene)?.applyFrame(message.frame);
        return;
      case "proven":
        this.#receiveProofs(Object.entries(message.proofs));
    }
  }

  /** A server that has lost a frame requests it. */
  #receiveProofs(proofs: readonly [string, Proof][]): void {
    const missing: LiveBoard[] = [];
    for (const [key, proof] of proofs) {
      const liveBoard = this.#receivedFromOwner(key);
      if (liveBoard && !liveBoard.applyProof(proof)) missing.push(liveBoard);
    }
    this.#requestBoards(missing, true);
  }

  /** Sends at once what there is of a board that another server did not know or has lost. */
  #sendRequested(plan: BoardPlan, isMissing: boolean): void {
    if (!this.isOwner) return;
    this.#evaluate(plan, null);
    const frame = isMissing && this.#evaluator.boards.frame(plan.key);
    if (frame) this.#publishFrame(plan.key, frame);
  }

  #receivedFromOwner(key: string): LiveBoard | null {
    if (this.isOwner) return null;
    const liveBoard = this.#liveBoards.get(key);
    if (liveBoard) liveBoard.receivedAt = performance.now();
    return liveBoard ?? null;
  }

  /** Reads the heads from time to time, and proves by them what is shown. */
  async #proveAll(): Promise<void> {
    const { limits } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const until = startedAt + limits.TILES_PROVEN_INTERVAL_MS / 2;
      if (!this.#evaluator.boards.isEmpty) await this.#proveOnce(until).catch(() => undefined);
      if (Object.keys(this.#proofs).length > 0) {
        this.#publish({ kind: "proven", proofs: this.#proofs });
        this.#proofs = {};
      }
      const pause = Math.max(PROOF_RETRY_MS, until - performance.now());
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #proveOnce(until: number): Promise<void> {
    const asOf = Date.now();
    const heads = await readFeedStates(this.#deps.database);
    while (!this.#stopping.signal.aborted && !this.#evaluator.boards.prove(heads, asOf)) {
      if (performance.now() > until) return;
      await this.#evaluator.catchUp();
      await sleep(PROOF_RETRY_MS);
    }
  }
}
