import { setTimeout as sleep } from "node:timers/promises";
import type { FrameMessage } from "../../../shared/protocol/frame.ts";
import type { FeedState } from "../../store/log-change.ts";
import { Evaluator } from "../engine/evaluator.ts";
import type { EvaluatorDeps } from "../engine/evaluator-deps.ts";
import { type OwnerLock, Ownership } from "../ownership.ts";
import type { ScenePlan } from "../plan/scene-plan.ts";
import { type RoomSender, SceneRoom } from "./scene-room.ts";
import {
  type Proof,
  readTilesMessage,
  TILES_CHANNEL,
  type TilesMessage,
} from "./tiles-messages.ts";

/** How servers talk to each other (relay/bus/bus.ts), as far as the tiles need it. */
interface TilesBus {
  publish(channel: string, message: unknown): void;
  subscribe(channel: string, handler: (message: unknown) => void): () => void;
  state(): "live" | "degraded";
}

export interface SceneSourceDeps extends Omit<EvaluatorDeps, "onFrame" | "onProven"> {
  bus: TilesBus;
  lock: OwnerLock;
  sender: RoomSender;
  readFeedStates: () => Promise<FeedState[]>;
  limits: EvaluatorDeps["limits"] & { SLOW_CLIENT_BUFFER_BYTES: number };
}

/** A scene is kept so long without anybody looking: screens that were all cut come back to it. */
const LINGER_MS = 60_000;
const LOOK_MS = 500;
const WANT_INTERVAL_MS = 5_000;
const WANT_KEPT_MS = 15_000;
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
  readonly #wants = new Map<string, { plan: ScenePlan; until: number }>();
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

  /** The room of a scene; from now on the scene is kept current. */
  room(plan: ScenePlan): SceneRoom {
    const known = this.#rooms.get(plan.key);
    if (known) return known;
    const { sender, limits } = this.#deps;
    const room = new SceneRoom(plan, sender, limits.SLOW_CLIENT_BUFFER_BYTES);
    this.#rooms.set(plan.key, room);
    if (this.#isOwnWork(room)) this.#evaluator.add(plan, null);
    else this.#sayWants([room]);
    return room;
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
    for (const [key, want] of this.#wants) if (want.until < now) this.#wants.delete(key);
    for (const [key, room] of this.#rooms) {
      if (room.emptyFor(now) > LINGER_MS) this.#rooms.delete(key);
      else if (this.#isOwnWork(room)) this.#workOut(room.plan, room.frame);
      else if (!this.#isWanted(key)) this.#evaluator.remove(key);
    }
    if (this.isOwner) {
      for (const { plan } of this.#wants.values()) this.#workOut(plan, null);
    }
    for (const key of this.#evaluator.keys()) {
      if (!this.#rooms.has(key) && !this.#isWanted(key)) this.#evaluator.remove(key);
    }
  }

  /** A scene that can't be worked out, planned by a server of another version, must not stop the others. */
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
    const scenes = rooms.map(({ plan }) => plan);
    this.#publish({ kind: "want", scenes, ...(again && { again }) });
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

  #hear(sent: unknown): void {
    const message = readTilesMessage(sent);
    switch (message?.kind) {
      case "want":
        if (this.isOwner) this.#hearWants(message.scenes, message.again === true);
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

  /** What is new, or was lost, is answered at once by what there is, so that who asks does not wait. */
  #hearWants(scenes: readonly ScenePlan[], again: boolean): void {
    const until = performance.now() + WANT_KEPT_MS;
    for (const plan of scenes) {
      const isNew = !this.#wants.has(plan.key);
      this.#wants.set(plan.key, { plan, until });
      this.#workOut(plan, null);
      const frame = (isNew || again) && this.#evaluator.frame(plan.key);
      if (frame) this.#tell(plan.key, frame);
    }
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
