import type { FrameMessage, ProvenMessage } from "../../../shared/protocol/frame.ts";
import { isBehind } from "../../../shared/protocol/frame-order.ts";
import type { Broadcaster, Peer } from "../../messaging/peer.ts";
import { SlowSubscribers } from "../../relay/slow-subscribers.ts";
import { type Subscriber, SubscriberGroup } from "../../relay/subscriber-group.ts";
import { within } from "../../store/in-time.ts";
import { hashTileValues } from "../engine/hash-tile-values.ts";
import type { WallboardPlan } from "../plan/wallboard-plan.ts";
import type { Proof, WallboardRequest } from "./tiles-messages.ts";

interface Viewer extends Subscriber {
  request: WallboardRequest;
}

/**
 * One wallboard query on this server: its subscribers, and the last frame, so that a (returning) subscriber costs
 * nothing. A slow one is left out until its connection has drained, and is then sent the current frame:
 * frames are complete, so nothing is missing.
 */
export class LiveWallboard {
  readonly plan: WallboardPlan;
  readonly #viewers = new Map<string, Viewer>();
  /** The viewers whose connections keep up. */
  readonly #group: SubscriberGroup<Viewer>;
  readonly #slow: SlowSubscribers<Viewer>;
  #lastRequest: WallboardRequest;
  #frame: FrameMessage | null = null;
  #valuesHash = "";
  #proof: Proof | null = null;
  #first = Promise.withResolvers<void>();
  /** How many are about to join. */
  #expected = 0;
  #emptySince = performance.now();
  /** When another server last sent something of this wallboard query. */
  receivedAt: number | null = null;
  readonly madeAt = performance.now();

  constructor(
    plan: WallboardPlan,
    request: WallboardRequest,
    sender: Broadcaster,
    maxBytes: number,
  ) {
    this.plan = plan;
    this.#lastRequest = request;
    this.#slow = new SlowSubscribers(maxBytes, {
      onDrained: (viewer) => {
        viewer.peer.send("frame", this.#join(viewer));
        return true;
      },
    });
    this.#group = new SubscriberGroup(`tiles:${plan.key}`, sender, (viewer) =>
      this.#slow.canReceive(viewer),
    );
  }

  get frame(): FrameMessage | null {
    return this.#frame;
  }

  /** A request that leads to this wallboard query: of a current subscriber, or of the last one. */
  get request(): WallboardRequest {
    const [current] = this.#viewers.values();
    return current?.request ?? this.#lastRequest;
  }

  /** How long it has been without subscribers; 0 while there is one. */
  emptyFor(now: number): number {
    const isEmpty = this.#viewers.size + this.#expected === 0;
    if (!isEmpty) this.#emptySince = now;
    return isEmpty ? now - this.#emptySince : 0;
  }

  /** Resolves with the first frame, or after a time without one. */
  async ready(timeoutMs: number): Promise<void> {
    if (this.#frame) return;
    this.#expected += 1;
    await within(this.#first.promise, timeoutMs, undefined);
    this.#expected -= 1;
  }

  /** From now on the connection is sent every frame; the current one is the answer. */
  add(peer: Peer, request: WallboardRequest): FrameMessage {
    this.remove(peer);
    const viewer = { peer, request };
    this.#viewers.set(peer.id, viewer);
    this.#lastRequest = request;
    return this.#join(viewer);
  }

  #join(viewer: Viewer): FrameMessage {
    this.#group.add(viewer);
    return this.present();
  }

  remove(peer: Peer): void {
    const viewer = this.#viewers.get(peer.id);
    if (!viewer) return;
    this.#viewers.delete(peer.id);
    this.#slow.delete(viewer);
    this.#group.remove(viewer);
    if (this.#viewers.size === 0) this.#emptySince = performance.now();
  }

  /** The last frame with its wallboard, as of when it was last proven; before there is one, a frame that says so. */
  present(): FrameMessage {
    const { wallboard, version, board, tiles } = this.plan;
    if (this.#frame) {
      const [composed, proven] = [this.#frame.asOf, this.#proof?.asOf ?? ""];
      const asOf = Date.parse(proven) > Date.parse(composed) ? proven : composed;
      return { ...this.#frame, asOf, board };
    }
    const waiting = tiles.map(({ id, state = "waiting" }) => [id, { state }]);
    const asOf = new Date().toISOString();
    return { wallboard, version, position: {}, asOf, tiles: Object.fromEntries(waiting), board };
  }

  /** Stores a frame and sends it; one that is older than the current one is dropped. */
  applyFrame({ board: _, ...frame }: FrameMessage): void {
    if (this.#frame && isBehind(frame, this.#frame)) return;
    this.#frame = frame;
    this.#valuesHash = hashTileValues(frame.tiles);
    this.#first.resolve();
    this.#group.send("frame", frame);
  }

  /**
   * Stores a proof of the current values; whether it is one. If something was proven that is not shown here,
   * a frame was lost: until it arrives, the values are proven up to an earlier moment.
   */
  applyProof(proof: Proof): boolean {
    if (!this.#frame) return false;
    const isShown = proof.figures === this.#valuesHash || isBeyond(this.#frame, proof);
    // one from the future is of before this machine's clock was set back
    const known = this.#proof ? Math.min(Date.parse(this.#proof.asOf), Date.now()) : 0;
    if (isShown && Date.parse(proof.asOf) >= known) this.#proof = proof;
    return isShown;
  }

  /** Sends up to when the values are known to be right, also when that does not advance. */
  sendProof(): void {
    if (!this.#frame) return;
    const { wallboard, version } = this.plan;
    const { position, asOf } = this.#proof ?? this.#frame;
    const now = new Date().toISOString();
    const message: ProvenMessage = { wallboard, version, position, asOf, now };
    this.#group.sendToAll("proven", message);
  }
}

/** Whether a frame is of a later position of the same history: it includes everything of the earlier one. */
function isBeyond(frame: FrameMessage, { position }: Proof): boolean {
  const tables = Object.entries(position).map(([table, { epoch, seq }]) => {
    const known = frame.position[table];
    return known?.epoch === epoch ? known.seq - seq : Number.NEGATIVE_INFINITY;
  });
  return tables.every((ahead) => ahead >= 0) && tables.some((ahead) => ahead > 0);
}
