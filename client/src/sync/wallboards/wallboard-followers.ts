import { HOME_WALLBOARD } from "../../../../shared/model/wallboard/home-wallboard.ts";
import { type ErrorCode, Refusal } from "../../../../shared/protocol/errors.ts";
import type { FrameMessage, ProvenMessage } from "../../../../shared/protocol/frame.ts";
import { isBehind } from "../../../../shared/protocol/frame-order.ts";
import {
  ageOf,
  type Moment,
  proofOf,
  proofOfFrame,
} from "../../../../shared/protocol/freshness.ts";
import type { NoticeMessage } from "../../../../shared/protocol/signals.ts";
import { dayZone } from "../../state/day-zone.ts";
import { emptyWallboard, type WallboardView, wallboardAtom } from "../../state/wallboard-state.ts";
import type { CoreParts } from "../core-parts.ts";

const CALL_TIMEOUT_MS = 15_000;
const RETRY_MS = 2_000;
/** Requests a wallboard again if no confirmation arrives for this long on an open connection. */
const RESUBSCRIBE_AFTER_MS = 10_000;

interface Followed {
  wallboard: string;
  draft: boolean;
  openers: number;
  cancelRetry: (() => void) | null;
}

/**
 * The wallboards that this page shows. Each is asked for once however many parts of the page show it, and
 * again after every return of the line. An older frame never overwrites a newer one.
 */
export class WallboardFollowers {
  readonly #core: CoreParts;
  readonly #isUp: () => boolean;
  readonly #followed = new Map<string, Followed>();
  /** How often something may have changed so that what was refused is not any more. */
  #changes = 0;
  #isStopped = false;
  #cancelWatch = () => {};

  constructor(core: CoreParts, isUp: () => boolean) {
    this.#core = core;
    this.#isUp = isUp;
  }

  /** Follows a wallboard until the returned function is called. */
  open(wallboard: string, draft: boolean): () => void {
    const key = `${wallboard} ${draft}`;
    const known = this.#followed.get(key);
    const followed = known ?? { wallboard, draft, openers: 0, cancelRetry: null };
    followed.openers += 1;
    if (!known) {
      if (this.#followed.size === 0) this.#watch();
      this.#followed.set(key, followed);
      this.#publish(followed, emptyWallboard);
      if (this.#isUp()) void this.#subscribe(followed);
    }
    let isOpen = true;
    return () => {
      if (isOpen) this.#close(key, followed);
      isOpen = false;
    };
  }

  onConnected(): void {
    for (const followed of this.#followed.values()) void this.#subscribe(followed);
  }

  onDisconnected(): void {
    for (const followed of this.#followed.values()) {
      const view = this.#view(followed);
      if (view.phase === "live") this.#publish(followed, { ...view, phase: "disconnected" });
    }
  }

  /** Rights may be other ones: what was refused is asked for again, also where that answer is still on its way. */
  onRightsChanged(): void {
    this.#changes += 1;
    for (const followed of this.#followed.values()) this.#retryRefused(followed);
  }

  /** A wallboard was made, changed, published or removed. */
  update(update: Extract<NoticeMessage, { kind: "wallboard" }>): void {
    this.#changes += 1;
    for (const followed of this.#followedOf(update)) {
      if (update.removed) void this.#subscribe(followed);
      else this.#retryRefused(followed);
    }
  }

  /** Asks for wallboards that were not confirmed for long, though there is a connection: a frame was lost. */
  #watch(): void {
    if (this.#isStopped) return;
    for (const followed of this.#followed.values()) {
      const { phase, proof } = this.#view(followed);
      const isOld = ageOf(proof, this.#moment()).ageMs > RESUBSCRIBE_AFTER_MS;
      if (phase === "live" && isOld && this.#isUp()) void this.#subscribe(followed);
    }
    this.#cancelWatch = this.#core.clock.after(RESUBSCRIBE_AFTER_MS, () => this.#watch());
  }

  #moment(): Moment {
    const { clock } = this.#core;
    return { wall: clock.now(), steady: clock.steady() };
  }

  #retryRefused(followed: Followed): void {
    if (this.#view(followed).phase === "refused") void this.#subscribe(followed);
  }

  frame(message: FrameMessage): void {
    for (const followed of this.#followedOf(message)) this.#applyFrame(followed, message);
  }

  proven(message: ProvenMessage): void {
    for (const followed of this.#followedOf(message)) {
      const view = this.#view(followed);
      if (view.phase !== "live" || view.board?.version !== message.version) continue;
      this.#publish(followed, { ...view, proof: proofOf(message, view.proof, this.#moment()) });
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelWatch();
    for (const { cancelRetry } of this.#followed.values()) cancelRetry?.();
    this.#followed.clear();
  }

  async #subscribe(followed: Followed): Promise<void> {
    const { wallboard, draft } = followed;
    followed.cancelRetry?.();
    const zone = wallboard === HOME_WALLBOARD && { zone: dayZone() };
    const call = { wallboard, ...(draft && { draft }), ...zone };
    const asOf = this.#changes;
    try {
      const { frame } = await this.#core.transport.call("tiles", call, CALL_TIMEOUT_MS);
      if (this.#isOpen(followed)) this.#applyFrame(followed, frame);
    } catch (error) {
      if (this.#isOpen(followed)) this.#failed(followed, error, asOf);
    }
  }

  #applyFrame(followed: Followed, frame: FrameMessage): void {
    const view = this.#view(followed);
    const board = frame.board ?? view.board;
    if (!board || board.version !== frame.version) {
      // the swap to another version was missed: the whole wallboard is asked for
      void this.#subscribe(followed);
      return;
    }
    const isOlder = view.board?.version === frame.version && isBehind(frame, view);
    if (isOlder && view.phase === "live") return;
    const { tiles, position } = frame;
    const proof = proofOfFrame(frame, view.proof, this.#moment());
    this.#publish(followed, { phase: "live", refusal: null, board, tiles, position, proof });
  }

  #failed(followed: Followed, error: unknown, asOf: number): void {
    const code: ErrorCode = error instanceof Refusal ? error.code : "internal";
    if (code === "not_found" || code === "forbidden") {
      if (asOf !== this.#changes) {
        void this.#subscribe(followed);
        return;
      }
      this.#publish(followed, { ...emptyWallboard, phase: "refused", refusal: code });
      return;
    }
    // A line that broke asks again by itself when it is back.
    followed.cancelRetry = this.#core.clock.after(RETRY_MS, () => {
      if (this.#isOpen(followed) && this.#isUp()) void this.#subscribe(followed);
    });
  }

  #close(key: string, followed: Followed): void {
    followed.openers -= 1;
    if (followed.openers > 0 || this.#isStopped) return;
    followed.cancelRetry?.();
    this.#followed.delete(key);
    if (this.#followed.size === 0) this.#cancelWatch();
    this.#publish(followed, emptyWallboard);
    if (!this.#isUp()) return;
    const { wallboard, draft } = followed;
    const call = { wallboard, ...(draft && { draft }) };
    this.#core.transport.call("leaveTiles", call, CALL_TIMEOUT_MS).catch(() => {});
  }

  #followedOf({ wallboard }: { wallboard: string }): Followed[] {
    return [...this.#followed.values()].filter((one) => one.wallboard === wallboard);
  }

  #isOpen(followed: Followed): boolean {
    return !this.#isStopped && followed.openers > 0;
  }

  #view({ wallboard, draft }: Followed): WallboardView {
    return this.#core.store.get(wallboardAtom(wallboard, draft));
  }

  #publish({ wallboard, draft }: Followed, view: WallboardView): void {
    this.#core.store.set(wallboardAtom(wallboard, draft), view);
  }
}
