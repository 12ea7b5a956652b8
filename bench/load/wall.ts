import { io, type Socket } from "socket.io-client";
import type { FrameMessage } from "../../shared/protocol/frame.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import type { ApiSession } from "./api-session.ts";

/** One screen on the wall: the bare protocol with a display's credential. */
export class Wall {
  readonly wallboard: string;
  readonly #url: string;
  readonly #token: string;
  readonly #onFrame: (frame: FrameMessage) => void;
  #socket: Socket | null = null;

  constructor(
    url: string,
    { wallboard, token }: { wallboard: string; token: string },
    onFrame: (frame: FrameMessage) => void,
  ) {
    this.#url = url;
    this.#token = token;
    this.wallboard = wallboard;
    this.#onFrame = onFrame;
  }

  /** Connects and shows its wallboard; resolves with the first frame. */
  async show(): Promise<FrameMessage> {
    const auth = { protocol: PROTOCOL_VERSION, as: "display", token: this.#token };
    const options = { transports: ["websocket"], forceNew: true, reconnection: false, auth };
    const socket = io(this.#url, options);
    this.#socket = socket;
    socket.on("frame", this.#onFrame);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
    });
    const answer = await socket.emitWithAck("tiles", { wallboard: this.wallboard });
    if (!answer.ok) throw new Error(`A wallboard was refused: ${JSON.stringify(answer.error)}`);
    this.#onFrame(answer.frame);
    return answer.frame;
  }

  cut(): void {
    this.#socket?.io.engine.close();
    this.#socket?.disconnect();
  }
}

/** Pairs a display like a user, and returns its credential. */
export async function pairWall(api: ApiSession, wallboard: string): Promise<string> {
  const path = `${api.url}/api/v1/display/pairing`;
  const pairing = await fetch(path, { method: "POST" });
  const { code } = (await pairing.json()) as { code: string };
  await api.call("POST /displays", { body: { code, name: "A wall", boards: [wallboard] } });
  const cookie = pairing.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  const paired = await fetch(path, { headers: { cookie } });
  const token = /^watchfloor_display=([^;]+)/.exec(paired.headers.getSetCookie()[0] ?? "")?.[1];
  if (!token) throw new Error("A screen was not paired.");
  return token;
}
