import type { FrameMessage, ProvenMessage } from "../../../shared/protocol/frame.ts";
import type { ServerToClient } from "../../../shared/protocol/socket.ts";
import { hashTileValues } from "../engine/hash-tile-values.ts";
import type { BoardPlan } from "../plan/board-plan.ts";
import type { BoardRequest, Proof } from "./tiles-messages.ts";

type Message<E extends keyof ServerToClient> = Parameters<ServerToClient[E]>[0];

/** One connection as the tiles know it. None of these waits, and none throws when it is gone. */
export interface Viewer {
  readonly id: string;
  send<E extends keyof ServerToClient>(event: E, message: Message<E>): void;
  join(room: string): void;
  leave(room: string): void;
  bufferedBytes(): number;
}

/** Sends to all connections of a room; the message is encoded once, whatever their number. */
export interface FrameBroadcaster {
  toRoom<E extends keyof ServerToClient>(room: string, event: E, message: Message<E>): void;
}

/** A line counts as drained when no more than this share of the bound is left. */
const DRAINED_SHARE = 1 / 16;

/**
 * One scene on this server: who looks at it, and the last frame, so that whoever comes (back) costs
 * nothing. Who is too slow is left out until its line has drained, and is then sent the present frame:
 * frames are whole, so nothing is missing.
 */
export class LiveBoard {
  readonly plan: BoardPlan;
  readonly #sender: FrameBroadcaster;
  readonly #maxBytes: number;
  readonly #members = new Map<string, Viewer>();
  readonly #slow = new Map<string, Viewer>();
  readonly #requests = new Map<string, BoardRequest>();
  #lastRequest: BoardRequest;
  #frame: FrameMessage | null = null;
  #valuesHash = "";
  #proof: Proof | null = null;
  #first = Promise.withResolvers<void>();
  /** How many are about to come in. */
  #expected = 0;
  #emptySince = performance.now();
  /** When another server last told something of this scene. */
  receivedAt: number | null = null;
  readonly madeAt = performance.now();

  constructor(plan: BoardPlan, request: BoardRequest, sender: FrameBroadcaster, maxBytes: number) {
    this.plan = plan;
    this.#lastRequest = request;
    this.#sender = sender;
    this.#maxBytes = maxBytes;
  }

  get name(): string {
    return `tiles:${this.plan.key}`;
  }

  get frame(): FrameMessage | null {
    return this.#frame;
  }

  /** A request that leads to this scene: of somebody who looks at it, or of who did last. */
  get request(): BoardRequest {
    const [current] = this.#requests.values();
    return current ?? this.#lastRequest;
  }

  /** Nobody has looked at it for so long; 0 while somebody does. */
  emptyFor(now: number): number {
    const isEmpty = this.#members.size + this.#slow.size + this.#expected === 0;
    if (!isEmpty) this.#emptySince = now;
    return isEmpty ? now - this.#emptySince : 0;
  }

  /** Resolves with the first frame, or after a time without one. */
  async ready(timeoutMs: number): Promise<void> {
    if (this.#frame) return;
    this.#expected += 1;
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, timeoutMs);
    await Promise.race([this.#first.promise, late.promise]);
    clearTimeout(timer);
    this.#expected -= 1;
  }

  /** From now on the viewer is sent every frame; the present one is the answer. */
  add(viewer: Viewer, request: BoardRequest): FrameMessage {
    this.#requests.set(viewer.id, request);
    this.#lastRequest = request;
    return this.#join(viewer);
  }

  #join(viewer: Viewer): FrameMessage {
    this.#members.set(viewer.id, viewer);
    viewer.join(this.name);
    return this.present();
  }

  remove(viewer: Viewer): void {
    this.#requests.delete(viewer.id);
    this.#slow.delete(viewer.id);
    if (this.#members.delete(viewer.id)) viewer.leave(this.name);
    this.emptyFor(performance.now());
    if (this.#members.size === 0) this.#emptySince = performance.now();
  }

  /** The last frame with its board; before there is one, one that says so. */
  present(): FrameMessage {
    const { wallboard, version, board, tiles } = this.plan;
    if (this.#frame) return { ...this.#frame, board };
    const waiting = tiles.map(({ id, state = "waiting" }) => [id, { state }]);
    const asOf = new Date().toISOString();
    return { wallboard, version, position: {}, asOf, tiles: Object.fromEntries(waiting), board };
  }

  /** Takes a frame and tells it; one that is older than what is shown is dropped. */
  applyFrame({ board: _, ...frame }: FrameMessage): void {
    if (this.#frame && isBehind(frame, this.#frame)) return;
    this.#frame = frame;
    this.#valuesHash = hashTileValues(frame.tiles);
    this.#first.resolve();
    for (const viewer of [...this.#members.values()]) {
      if (viewer.bufferedBytes() > this.#maxBytes) this.#suspend(viewer);
    }
    this.#sender.toRoom(this.name, "frame", frame);
  }

  /**
   * Takes a proof of what is shown; whether it is one. What was proven and is not shown was lost on its
   * way: until it is here, the figures are proven up to an earlier moment.
   */
  applyProof(proof: Proof): boolean {
    if (!this.#frame) return false;
    const isShown = proof.figures === this.#valuesHash || isBeyond(this.#frame, proof);
    const isOld = this.#proof && Date.parse(proof.asOf) < Date.parse(this.#proof.asOf);
    if (isShown && !isOld) this.#proof = proof;
    return isShown;
  }

  /** Tells up to when the figures are known to be right, also when that gets no later. */
  sendProof(): void {
    this.#resumeDrained();
    if (!this.#frame) return;
    const { wallboard, version } = this.plan;
    const { position, asOf } = this.#proof ?? this.#frame;
    const now = new Date().toISOString();
    const message: ProvenMessage = { wallboard, version, position, asOf, now };
    this.#sender.toRoom(this.name, "proven", message);
  }

  #suspend(viewer: Viewer): void {
    this.#members.delete(viewer.id);
    viewer.leave(this.name);
    this.#slow.set(viewer.id, viewer);
  }

  #resumeDrained(): void {
    for (const viewer of this.#slow.values()) {
      if (viewer.bufferedBytes() > this.#maxBytes * DRAINED_SHARE) continue;
      this.#slow.delete(viewer.id);
      viewer.send("frame", this.#join(viewer));
    }
  }
}

/** Whether a frame is of a later position of the same history: it holds all that led to the earlier one. */
function isBeyond(frame: FrameMessage, { position }: Proof): boolean {
  const tables = Object.entries(position).map(([table, { epoch, seq }]) => {
    const known = frame.position[table];
    return known?.epoch === epoch ? known.seq - seq : Number.NEGATIVE_INFINITY;
  });
  return tables.every((ahead) => ahead >= 0) && tables.some((ahead) => ahead > 0);
}

/** Whether a frame is of an earlier position of the same history; an equal one may still know more. */
function isBehind(one: FrameMessage, other: FrameMessage): boolean {
  return Object.entries(one.position).some(([table, { epoch, seq }]) => {
    const known = other.position[table];
    return known !== undefined && known.epoch === epoch && seq < known.seq;
  });
}
