import { setTimeout as sleep } from "node:timers/promises";
import type { MessageBus } from "../../../shared/protocol/bus-channel.ts";
import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import type { FeedState } from "../../store/log-change.ts";
import { Evaluator } from "../engine/evaluator.ts";
import type { EvaluatorDeps } from "../engine/evaluator-deps.ts";
import { type OwnerLock, Ownership } from "../ownership.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { type RoomSender, SceneRoom } from "./scene-room.ts";
import {
  type BoardRequest,
  type Proof,
  TILES_CHANNEL,
  type TilesMessage,
  type Want,
} from "./tiles-messages.ts";
import { WantedScenes } from "./wanted-scenes.ts";

export interface SceneSourceDeps extends Omit<EvaluatorDeps, "onFrame" | "onProven"> {
  bus: MessageBus & { state(): "live" | "degraded" };
  /** The plan of a board for a reader, from the database alone; null if they may not see it. */
  derivePlan: (want: Want) => Promise<ScenePlan | null>;
  lock: OwnerLock;
  sender: RoomSender;
  readFeedStates: () => Promise<FeedState[]>;
  limits: EvaluatorDeps["limits"] & { SLOW_CLIENT_BUFFER_BYTES: number };
}

/** A scene is kept so long without anybody looking: screens that were all cut come back to it. */
const LINGER_MS = 60_000;
const LOOK_MS = 500;
const WANT_INTERVAL_MS = 5_000;
/** The owner has so long to tell of a new scene before this server works it out itself. */
const FIRST_WORD_MS = 1_000;
const PROVE_AGAIN_MS = 200;

/**
 * Where this server has its scenes from. One server of the deployment, the owner, works them all out
 * and tells them on the bus; every server keeps the last frame of those that its screens show. A
 * server that hears nothing of the owner, or whose bus is degraded, works out its own: the bus carries
 * copies, never truth.
 */
export class SceneSource {
  readonly #deps: SceneSourceDeps;
  readonly #evaluator: Evaluator;
  readonly #ownership: Ownership;
  readonly #rooms = new Map<string, SceneRoom>();
  /** What screens of other servers show. */
  readonly #wants: WantedScenes;
  readonly #undo: (() => void)[] = [];
  #proofs: Record<string, Proof> = {};
  readonly #stopping = new AbortController();

  constructor(deps: SceneSourceDeps) {
    this.#deps = deps;
    this.#evaluator = new Evaluator({
      ...deps,
      onFrame: (scene, frame) => this.#tell(scene, frame),
      onProven: (scene, proof) => this.#prove(scene, proof),
    });
    this.#wants = new WantedScenes({
      derivePlan: deps.derivePlan,
      onFound: (plan, isNew) => this.#answerWant(plan, isNew),
      log: deps.log,
    });
    this.#ownership = new Ownership(deps.lock, () => {
      this.#publish({ kind: "ask" });
      this.#look();
    });
  }

  start(): void {
    const { bus, limits } = this.#deps;
    this.#undo.push(bus.subscribe(TILES_CHANNEL, (message) => this.#hear(message)));
    this.#every(LOOK_MS, () => this.#look());
    this.#every(WANT_INTERVAL_MS, () => this.#sayWants([...this.#rooms.values()]));
    this.#every(limits.TILES_PROVEN_INTERVAL_MS, () => {
      for (const room of this.#rooms.values()) room.sayProven();
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
    return this.#ownership.isOwner;
  }

  /** The room of a scene; from now on the scene is kept current. `request` led to the plan. */
  room(plan: ScenePlan, request: BoardRequest): SceneRoom {
    const known = this.#rooms.get(plan.key);
    if (known) return known;
    const { sender, limits } = this.#deps;
    const room = new SceneRoom(plan, request, sender, limits.SLOW_CLIENT_BUFFER_BYTES);
    this.#rooms.set(plan.key, room);
    if (this.#isOwnWork(room)) this.#evaluator.add(plan, null);
    else this.#sayWants([room]);
    return room;
  }

  /** Whether a scene is kept current for some screen already. */
  has(key: string): boolean {
    return this.#rooms.has(key);
  }

  /** Acknowledgements or names may be other ones. */
  refresh(options?: { people?: boolean }): void {
    this.#evaluator.refresh(options);
  }

  #every(ms: number, work: () => void): void {
    const timer = setInterval(work, ms);
    this.#undo.push(() => clearInterval(timer));
  }

  /** Scenes come and go, and so does the owner. */
  #look(): void {
    const now = performance.now();
    this.#wants.forgetOld(now);
    for (const [key, room] of this.#rooms) {
      if (room.emptyFor(now) > LINGER_MS) this.#rooms.delete(key);
      else if (this.#isOwnWork(room)) this.#workOut(room.plan, room.frame);
      else if (!this.#isWanted(key)) this.#evaluator.remove(key);
    }
    if (this.isOwner) {
      for (const plan of this.#wants.plans()) this.#workOut(plan, null);
    }
    for (const key of this.#evaluator.keys()) {
      if (!this.#rooms.has(key) && !this.#isWanted(key)) this.#evaluator.remove(key);
    }
  }

  /** A scene that can't be evaluated must not stop the others. */
  #workOut(plan: ScenePlan, previous: FrameMessage | null): void {
    try {
      this.#evaluator.add(plan, previous);
    } catch (err) {
      this.#deps.log.warn({ err }, "a board can't be worked out");
      this.#evaluator.remove(plan.key);
      this.#wants.delete(plan.key);
    }
  }

  #isWanted(key: string): boolean {
    return this.isOwner && this.#wants.has(key);
  }

  #isOwnWork(room: SceneRoom): boolean {
    if (this.isOwner || this.#deps.bus.state() === "degraded") return true;
    const now = performance.now();
    const silence = 2 * this.#deps.limits.TILES_PROVEN_INTERVAL_MS + FIRST_WORD_MS;
    if (room.heardAt !== null) return now - room.heardAt > silence;
    return now - room.madeAt > FIRST_WORD_MS;
  }

  #sayWants(rooms: readonly SceneRoom[], again = false): void {
    if (this.isOwner || rooms.length === 0) return;
    const wants = rooms.map(({ plan, request }) => ({ scene: plan.key, request }));
    this.#publish({ kind: "want", wants, ...(again && { again }) });
  }

  #tell(scene: string, frame: FrameMessage): void {
    this.#rooms.get(scene)?.take(frame);
    if (!this.isOwner || !this.#wants.has(scene)) return;
    const { board: _, ...rest } = frame;
    this.#publish({ kind: "frame", scene, frame: rest });
  }

  /** What another server showed before may stand in the room, and be a little otherwise. */
  #prove(scene: string, proof: Proof): void {
    const room = this.#rooms.get(scene);
    const frame = this.#evaluator.frame(scene);
    if (room && frame && !room.prove(proof)) room.take(frame);
    if (this.isOwner && this.#wants.has(scene)) this.#proofs[scene] = proof;
  }

  #publish(message: TilesMessage): void {
    this.#deps.bus.publish(TILES_CHANNEL, message);
  }

  #hear(message: TilesMessage): void {
    switch (message.kind) {
      case "want":
        if (this.isOwner) this.#wants.note(message.wants, message.again === true);
        return;
      case "ask":
        this.#sayWants([...this.#rooms.values()]);
        return;
      case "frame":
        this.#hearOwner(message.scene)?.take(message.frame);
        return;
      case "proven":
        this.#hearProofs(Object.entries(message.proofs));
    }
  }

  /** Who has lost a frame asks for it. */
  #hearProofs(proofs: readonly [string, Proof][]): void {
    const lost: SceneRoom[] = [];
    for (const [scene, proof] of proofs) {
      const room = this.#hearOwner(scene);
      if (room && !room.prove(proof)) lost.push(room);
    }
    this.#sayWants(lost, true);
  }

  /** Sends at once what there is of a scene that another server did not know or has lost. */
  #answerWant(plan: ScenePlan, isMissing: boolean): void {
    if (!this.isOwner) return;
    this.#workOut(plan, null);
    const frame = isMissing && this.#evaluator.frame(plan.key);
    if (frame) this.#tell(plan.key, frame);
  }

  #hearOwner(scene: string): SceneRoom | null {
    if (this.isOwner) return null;
    const room = this.#rooms.get(scene);
    if (room) room.heardAt = performance.now();
    return room ?? null;
  }

  /** Asks the database, now and then, where the feeds stand, and proves by that what is shown. */
  async #proveAll(): Promise<void> {
    const { limits, readFeedStates } = this.#deps;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const began = performance.now();
      const until = began + limits.TILES_PROVEN_INTERVAL_MS / 2;
      if (this.#evaluator.isBusy)
        await this.#proveOnce(readFeedStates, until).catch(() => undefined);
      if (Object.keys(this.#proofs).length > 0) {
        this.#publish({ kind: "proven", proofs: this.#proofs });
        this.#proofs = {};
      }
      const pause = Math.max(PROVE_AGAIN_MS, until - performance.now());
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  }

  async #proveOnce(
    readFeedStates: SceneSourceDeps["readFeedStates"],
    until: number,
  ): Promise<void> {
    const asOf = Date.now();
    const heads = await readFeedStates();
    while (!this.#stopping.signal.aborted && !this.#evaluator.prove(heads, asOf)) {
      if (performance.now() > until) return;
      await this.#evaluator.hurry();
      await sleep(PROVE_AGAIN_MS);
    }
  }
}
