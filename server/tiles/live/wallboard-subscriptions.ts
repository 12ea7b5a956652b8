import { Refusal } from "../../../shared/protocol/errors.ts";
import type { FrameMessage, TilesCall } from "../../../shared/protocol/frame.ts";
import type { Identity } from "../../auth/identity.ts";
import type { Peer } from "../../messaging/peer.ts";
import type { WallboardCache, WallboardChange } from "../wallboards/wallboard-cache.ts";
import { EvaluationQuotas, type QuotaLimits } from "./evaluation-quotas.ts";
import type { LiveWallboard } from "./live-wallboard.ts";
import type { LiveWallboards } from "./live-wallboards.ts";
import type { WallboardRequest } from "./tiles-messages.ts";
import type { WallboardPlans } from "./wallboard-plans.ts";

/** A requested wallboard; its live wallboard, unless that is still being found. */
interface Subscription {
  call: TilesCall;
  liveWallboard: LiveWallboard | null;
  turn: number;
}

interface Subscriber {
  viewer: Peer;
  identity: Identity;
  isHeld: boolean;
  wallboards: Map<string, Subscription>;
}

/** A first answer waits this long for values; then it says that they are pending. */
const FIRST_FRAME_MS = 1_500;
/** Wallboards that one connection may follow at a time. A display follows all that it may rotate, 50 at most. */
const WALLBOARDS_PER_CONNECTION = 50;

/**
 * The subscribers of wallboards. Rights are authorised at the start, and again whenever they may have changed: in
 * between nothing is checked, and from the start of revalidation nothing is sent.
 */
export class WallboardSubscriptions {
  readonly #source: LiveWallboards;
  readonly #plans: WallboardPlans;
  readonly #quotas: EvaluationQuotas;
  readonly #subscribers = new Map<string, Subscriber>();
  readonly #undo: () => void;

  constructor(
    cache: WallboardCache,
    plans: WallboardPlans,
    source: LiveWallboards,
    limits: QuotaLimits,
  ) {
    this.#source = source;
    this.#quotas = new EvaluationQuotas(limits, (key) => source.hasCurrent(key));
    this.#plans = plans;
    this.#undo = cache.onChange((changes) => this.#onWallboardsChanged(changes));
  }

  stop(): void {
    this.#undo();
  }

  /**
   * Follows a wallboard from now on. `answer` is called in the turn in which the viewer joins, so that no frame
   * can overtake it.
   */
  async open(
    viewer: Peer,
    identity: Identity,
    call: TilesCall,
    answer: (frame: FrameMessage) => void,
  ): Promise<void> {
    const subscriber = this.#subscriber(viewer, identity);
    const key = keyOf(call);
    const subscription = subscriber.wallboards.get(key) ?? { call, liveWallboard: null, turn: 0 };
    if (
      !subscriber.wallboards.has(key) &&
      subscriber.wallboards.size >= WALLBOARDS_PER_CONNECTION
    ) {
      throw new Refusal("too_large", { limit: WALLBOARDS_PER_CONNECTION });
    }
    subscription.call = call;
    subscriber.wallboards.set(key, subscription);
    const isLatest = takeTurn(subscription);
    try {
      const plan = await this.#plans.find(identity, call);
      this.#quotas.take(identity.display?.id ?? identity.subject.id, plan);
      const liveWallboard = this.#source.liveWallboard(plan, requestOf(identity, call));
      await liveWallboard.ready(FIRST_FRAME_MS);
      if (!isLatest() || subscriber.isHeld || !this.#isConnected(subscriber))
        throw new Refusal("aborted");
      this.#join(subscriber, subscription, liveWallboard, answer);
    } catch (error) {
      if (isLatest() && !subscription.liveWallboard) subscriber.wallboards.delete(key);
      throw error;
    }
  }

  close(viewer: Peer, call: TilesCall): void {
    const subscriber = this.#subscribers.get(viewer.id);
    const subscription = subscriber?.wallboards.get(keyOf(call));
    if (!subscriber || !subscription) return;
    takeTurn(subscription);
    subscription.liveWallboard?.remove(viewer);
    subscriber.wallboards.delete(keyOf(call));
  }

  /** The connection is closed. */
  leave(viewerId: string): void {
    const subscriber = this.#subscribers.get(viewerId);
    if (!subscriber) return;
    this.#subscribers.delete(viewerId);
    for (const subscription of subscriber.wallboards.values()) {
      takeTurn(subscription);
      subscription.liveWallboard?.remove(subscriber.viewer);
    }
  }

  /** Starts revalidation of a connection: from this moment on it is sent no value. */
  hold(viewerId: string): void {
    const subscriber = this.#subscribers.get(viewerId);
    if (!subscriber) return;
    subscriber.isHeld = true;
    for (const subscription of subscriber.wallboards.values()) {
      takeTurn(subscription);
      subscription.liveWallboard?.remove(subscriber.viewer);
      subscription.liveWallboard = null;
    }
  }

  /** Its rights are known again: it is sent what they allow, and notified of what is no longer visible. */
  release(viewerId: string, identity: Identity): void {
    const subscriber = this.#subscribers.get(viewerId);
    if (!subscriber) return;
    subscriber.isHeld = false;
    subscriber.identity = identity;
    for (const subscription of [...subscriber.wallboards.values()])
      void this.#show(subscriber, subscription);
  }

  #onWallboardsChanged(changes: WallboardChange[]): void {
    this.#source.refresh();
    const changed = new Set(changes.map(({ wallboard }) => wallboard));
    for (const subscriber of this.#subscribers.values()) {
      if (subscriber.isHeld) continue;
      for (const subscription of [...subscriber.wallboards.values()]) {
        if (changed.has(subscription.call.wallboard)) void this.#show(subscriber, subscription);
      }
    }
  }

  /**
   * Replaces a wallboard with another one: the viewer leaves the old one in the turn in which it is sent the
   * first frame of the new one, layout and values together.
   */
  async #show(subscriber: Subscriber, subscription: Subscription): Promise<void> {
    const isLatest = takeTurn(subscription);
    const { viewer } = subscriber;
    try {
      const plan = this.#plans.get(subscriber.identity, subscription.call);
      if (subscription.liveWallboard?.plan.key === plan.key) return;
      const liveWallboard = this.#source.liveWallboard(
        plan,
        requestOf(subscriber.identity, subscription.call),
      );
      await liveWallboard.ready(FIRST_FRAME_MS);
      if (!isLatest() || !this.#isConnected(subscriber)) return;
      this.#join(subscriber, subscription, liveWallboard, (frame) => viewer.send("frame", frame));
    } catch {
      // it is no longer there for this viewer: removed, or not theirs
      subscription.liveWallboard?.remove(viewer);
      subscriber.wallboards.delete(keyOf(subscription.call));
      const { wallboard } = subscription.call;
      const notice = { kind: "wallboard", wallboard, version: 0, published: null } as const;
      viewer.send("notice", { ...notice, removed: true });
    }
  }

  #join(
    { viewer, identity }: Subscriber,
    subscription: Subscription,
    liveWallboard: LiveWallboard,
    answer: (frame: FrameMessage) => void,
  ): void {
    if (subscription.liveWallboard !== liveWallboard) subscription.liveWallboard?.remove(viewer);
    subscription.liveWallboard = liveWallboard;
    answer(liveWallboard.add(viewer, requestOf(identity, subscription.call)));
  }

  #subscriber(viewer: Peer, identity: Identity): Subscriber {
    const known = this.#subscribers.get(viewer.id);
    const subscriber = known ?? { viewer, identity, isHeld: false, wallboards: new Map() };
    subscriber.identity = identity;
    this.#subscribers.set(viewer.id, subscriber);
    return subscriber;
  }

  #isConnected({ viewer }: Subscriber): boolean {
    return this.#subscribers.has(viewer.id);
  }
}

function requestOf({ subject, token, display }: Identity, call: TilesCall): WallboardRequest {
  if (display) return { reader: { kind: "display", id: display.id }, call };
  if (token) return { reader: { kind: "token", id: token.id }, call };
  return { reader: { kind: "user", id: subject.id }, call };
}

function keyOf({ wallboard, draft = false }: TilesCall): string {
  return `${draft} ${wallboard}`;
}

/** The operation that began last counts. */
function takeTurn(subscription: Subscription): () => boolean {
  subscription.turn += 1;
  const { turn } = subscription;
  return () => subscription.turn === turn;
}
