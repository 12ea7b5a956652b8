import { io, type Socket } from "socket.io-client";
import type { FrameMessage, ProvenMessage, TileFrame } from "../../shared/protocol/frame.ts";
import type { NoticeMessage } from "../../shared/protocol/signals.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { until } from "../harness/until.ts";

const VALUES_TIMEOUT_MS = 60_000;

/** A subscriber to wallboards by the bare protocol: a user's session, or a display's credential. */
export class WallboardClient implements Disposable {
  readonly socket: Socket;
  readonly frames: FrameMessage[] = [];
  readonly proofs: ProvenMessage[] = [];
  readonly notices: NoticeMessage[] = [];
  goodbye: string | null = null;

  private constructor(url: string, auth: object) {
    const options = { transports: ["websocket"], forceNew: true, reconnection: false, auth };
    this.socket = io(url, options);
    this.socket.on("frame", (frame) => this.frames.push(frame));
    this.socket.on("proven", (proof) => this.proofs.push(proof));
    this.socket.on("notice", (notice) => this.notices.push(notice));
    this.socket.on("goodbye", ({ reason }) => {
      this.goodbye = reason;
    });
  }

  static async open(url: string, token: string, as: "person" | "display" = "person") {
    const screen = new WallboardClient(url, { protocol: PROTOCOL_VERSION, token, as });
    await new Promise<void>((resolve, reject) => {
      screen.socket.once("connect", resolve);
      screen.socket.once("connect_error", reject);
    });
    return screen;
  }

  /**
   * Requests a wallboard; throws the code of a refusal. The answer counts as a frame; if a busy server had no
   * values yet it waits for those. What revalidation cut off is requested again, as every client does.
   */
  async show(wallboard: string, draft = false, zone?: string): Promise<FrameMessage> {
    const call = { wallboard, ...(draft && { draft }), ...(zone && { zone }) };
    const count = this.frames.length;
    const answer = await this.socket.timeout(60_000).emitWithAck("tiles", call);
    if (answer.error?.code === "aborted") return this.show(wallboard, draft, zone);
    if (!answer.ok) throw new Error(answer.error.code);
    // Node may emit a later `frame` event before the promise of the answer resolves.
    this.frames.splice(count, 0, answer.frame);
    const { frame } = await until(`values of ${wallboard}`, VALUES_TIMEOUT_MS, () => {
      const found = this.frames.findLast((one) => one.wallboard === wallboard);
      const isWaiting = Object.values(found?.tiles ?? {}).some(({ state }) => state === "waiting");
      return isWaiting ? null : { frame: found };
    });
    return { ...answer.frame, ...frame };
  }

  /** What a tile showed last. */
  tile(id: string): TileFrame | undefined {
    return this.frames.at(-1)?.tiles[id];
  }

  [Symbol.dispose](): void {
    this.socket.disconnect();
  }
}
