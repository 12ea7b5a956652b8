import { setTimeout as sleep } from "node:timers/promises";
import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import type { MessageBus } from "../../messaging/bus-channel.ts";
import type { Broadcaster } from "../../messaging/peer.ts";
import { every } from "../../store/every.ts";
import { readFeedStates } from "../../store/feed-log.ts";
import { type LeaderLock, Leadership } from "../../store/leadership.ts";
import { Evaluator } from "../engine/evaluator.ts";
import type { EvaluatorDeps } from "../engine/evaluator-deps.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import { LiveWallboard } from "./live-wallboard.ts";
import { RemoteQueries } from "./remote-queries.ts";
import {
  type Proof,
  TILES_CHANNEL,
  type TilesMessage,
  type WallboardRequest,
} from "./tiles-messages.ts";
import type { WallboardPlans } from "./wallboard-plans.ts";

/**
 * A wallboard query without subscribers lives this long: screens that were all disconnected return to it. Nobody returns
 * to one of a former model or version.
 */
const LINGER_MS = 60_000;
const UPDATE_INTERVAL_MS = 500;
const REQUEST_INTERVAL_MS = 5_000;
/** The owner has this long to send a new wallboard before this server evaluates it itself. */
const FIRST_FRAME_TIMEOUT_MS = 1_000;
const PROOF_RETRY_MS = 200;

/**
 * The source of this server's wallboards. One server of the installation, the owner, evaluates all and sends them
 * on the bus; every server stores the last frame of those that its screens show. A server that hears nothing
 * of the owner, or whose bus is degraded, evaluates its own: the bus carries copies, never the only data.
 */
export class LiveWallboards {
  readonly #deps;
  readonly #evaluator: Evaluator;
  readonly #ownership: Leadership;
  readonly #liveWallboards = new Map<string, LiveWallboard>();
  /** What screens of other servers show. */
  readonly #remoteQueries: RemoteQueries;
  readonly #undo: (() => void)[] = [];
  #proofs: Record<string, Proof> = {};
  readonly #stopping = new AbortController();

  constructor(
    deps: Omit<EvaluatorDeps, "onFrame" | "onProven"> & {
      bus: MessageBus & { state(): "live" | "degraded" };
      plans: Pick<WallboardPlans, "derive" | "isCurrent">;
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
    const onFound = (plan: WallboardPlan, isNew: boolean) => this.#sendRequested(plan, isNew);
    this.#remoteQueries = new RemoteQueries(deps.plans, deps.log, onFound);
    this.#ownership = new Leadership(deps.lock, () => {
      this.#publish({ kind: "ask" });
      this.#update();
      return () => {};
    });
  }

  start(): void {
    const { bus, limits } = this.#deps;
    this.#undo.push(
      bus.subscribe(TILES_CHANNEL, (message) => this.#receive(message)),
      every(UPDATE_INTERVAL_MS, () => this.#update()),
      every(REQUEST_INTERVAL_MS, () => this.#requestWallboards([...this.#liveWallboards.values()])),
      every(limits.TILES_PROVEN_INTERVAL_MS, () => {
        for (const liveWallboard of this.#liveWallboards.values()) liveWallboard.sendProof();
      }),
    );
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

  /** The live wallboard of a plan; from now on it is updated. `request` led to the plan. */
  liveWallboard(plan: WallboardPlan, request: WallboardRequest): LiveWallboard {
    const known = this.#liveWallboards.get(plan.key);
    if (known) return known;
    const { sender, limits } = this.#deps;
    const liveWallboard = new LiveWallboard(plan, request, sender, limits.SLOW_CLIENT_BUFFER_BYTES);
    this.#liveWallboards.set(plan.key, liveWallboard);
    if (this.#isEvaluatedHere(liveWallboard)) this.#evaluator.wallboards.add(plan, null);
    else this.#requestWallboards([liveWallboard]);
    return liveWallboard;
  }

  /** Whether a wallboard is already updated for some screen. */
  has(key: string): boolean {
    return this.#liveWallboards.has(key);
  }

  /** Whether it is, of the present model and version of the wallboard: any other one ends soon. */
  hasCurrent(key: string): boolean {
    const liveWallboard = this.#liveWallboards.get(key);
    return liveWallboard !== undefined && this.#deps.plans.isCurrent(liveWallboard.plan);
  }

  /** Acknowledgements or names may have changed. */
  refresh(options?: { users?: boolean }): void {
    this.#evaluator.wallboards.refresh(options);
  }

  /** Wallboards come and go, and so does the owner. */
  #update(): void {
    const now = performance.now();
    this.#remoteQueries.removeExpired(now);
    for (const [key, liveWallboard] of this.#liveWallboards) {
      const lingerMs = this.#deps.plans.isCurrent(liveWallboard.plan) ? LINGER_MS : 0;
      if (liveWallboard.emptyFor(now) > lingerMs) this.#liveWallboards.delete(key);
      else if (this.#isEvaluatedHere(liveWallboard))
        this.#evaluate(liveWallboard.plan, liveWallboard.frame);
      else if (!this.#isRequestedRemotely(key)) this.#evaluator.wallboards.remove(key);
    }
    if (this.isOwner) {
      for (const plan of this.#remoteQueries.plans()) this.#evaluate(plan, null);
    }
    for (const key of this.#evaluator.wallboards.keys()) {
      if (!this.#liveWallboards.has(key) && !this.#isRequestedRemotely(key))
        this.#evaluator.wallboards.remove(key);
    }
  }

  /** A wallboard that can't be evaluated must not stop the others. */
  #evaluate(plan: WallboardPlan, previous: FrameMessage | null): void {
    try {
      this.#evaluator.wallboards.add(plan, previous);
    } catch (err) {
      this.#deps.log.warn({ err }, "a wallboard can't be evaluated");
      this.#evaluator.wallboards.remove(plan.key);
      this.#remoteQueries.delete(plan.key);
    }
  }

  #isRequestedRemotely(key: string): boolean {
    return this.isOwner && this.#remoteQueries.has(key);
  }

  #isEvaluatedHere(liveWallboard: LiveWallboard): boolean {
    if (this.isOwner || this.#deps.bus.state() === "degraded") return true;
    const now = performance.now();
    const silence = 2 * this.#deps.limits.TILES_PROVEN_INTERVAL_MS + FIRST_FRAME_TIMEOUT_MS;
    if (liveWallboard.receivedAt !== null) return now - liveWallboard.receivedAt > silence;
    return now - liveWallboard.madeAt > FIRST_FRAME_TIMEOUT_MS;
  }

  #requestWallboards(liveWallboards: readonly LiveWallboard[], isRetry = false): void {
    if (this.isOwner || liveWallboards.length === 0) return;
    const requests = liveWallboards.map(({ plan, request }) => ({ scene: plan.key, request }));
    this.#publish({ kind: "want", wants: requests, ...(isRetry && { again: isRetry }) });
  }

  #publishFrame(key: string, frame: FrameMessage): void {
    this.#liveWallboards.get(key)?.applyFrame(frame);
    if (!this.isOwner || !this.#remoteQueries.has(key)) return;
    const { board: _, ...rest } = frame;
    this.#publish({ kind: "frame", scene: key, frame: rest });
  }

  /** What another server sent before may be shown, and may differ slightly. */
  #publishProof(key: string, proof: Proof): void {
    const liveWallboard = this.#liveWallboards.get(key);
    const frame = this.#evaluator.wallboards.frame(key);
    if (liveWallboard && frame && !liveWallboard.applyProof(proof)) liveWallboard.applyFrame(frame);
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
        this.#requestWallboards([...this.#liveWallboards.values()]);
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
    const missing: LiveWallboard[] = [];
    for (const [key, proof] of proofs) {
      const liveWallboard = this.#receivedFromOwner(key);
      if (liveWallboard && !liveWallboard.applyProof(proof)) missing.push(liveWallboard);
    }
    this.#requestWallboards(missing, true);
  }

  /** Sends at once what there is of a wallboard that another server did not know or has lost. */
  #sendRequested(plan: WallboardPlan, isMissing: boolean): void {
    if (!this.isOwner) return;
    this.#evaluate(plan, null);
    const frame = isMissing && this.#evaluator.wallboards.frame(plan.key);
    if (frame) this.#publishFrame(plan.key, frame);
  }

  #receivedFromOwner(key: string): LiveWallboard | null {
    if (this.isOwner) return null;
    const liveWallboard = this.#liveWallboards.get(key);
    if (liveWallboard) liveWallboard.receivedAt = performance.now();
    return liveWallboard ?? null;
  }

  /** Reads the heads from time to time, and proves by them what is shown. */
  async #proveAll(): Promise<void> {
    const { limits } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const until = startedAt + limits.TILES_PROVEN_INTERVAL_MS / 2;
      if (!this.#evaluator.wallboards.isEmpty) await this.#proveOnce(until).catch(() => undefined);
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
    while (!this.#stopping.signal.aborted && !this.#evaluator.wallboards.prove(heads, asOf)) {
      if (performance.now() > until) return;
      await this.#evaluator.catchUp();
      await sleep(PROOF_RETRY_MS);
    }
  }
}
