import { io, type Socket } from "socket.io-client";
import type { SubscribeAnswer, SubscribeCall } from "../../shared/protocol/feed.ts";
import type { MutateAnswer, WireOp } from "../../shared/protocol/mutate.ts";
import {
  type Answer,
  type ClientToServer,
  PROTOCOL_VERSION,
  type ServerToClient,
} from "../../shared/protocol/socket.ts";

/**
 * A bare socket that speaks the product's protocol, without cache or checks: it costs the load
 * generator what the floor's socket costs it. The client package would cost it more.
 */
export class ProductLine {
  readonly socket: Socket<ServerToClient, ClientToServer>;

  private constructor(socket: Socket<ServerToClient, ClientToServer>) {
    this.socket = socket;
  }

  static async open(url: string, token: string): Promise<ProductLine> {
    const socket: Socket<ServerToClient, ClientToServer> = io(url, {
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
      auth: { protocol: PROTOCOL_VERSION, token },
    });
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("connect_error", reject);
    });
    return new ProductLine(socket);
  }

  async subscribe(call: SubscribeCall): Promise<SubscribeAnswer> {
    return accepted<SubscribeAnswer>(await this.socket.emitWithAck("subscribe", call));
  }

  /** One mutation; throws unless every op was applied. */
  async mutate(id: string, ops: WireOp[]): Promise<void> {
    const answer = await this.socket.emitWithAck("mutate", { id, ops });
    const { results } = accepted<MutateAnswer>(answer);
    const refused = results.find((result) => !result.ok);
    if (refused) throw new Error(`An edit was refused: ${JSON.stringify(refused)}`);
  }

  close(): void {
    this.socket.disconnect();
  }
}

function accepted<T>(answer: Answer<T>): T {
  if (!answer.ok) throw new Error(`A call was refused: ${JSON.stringify(answer.error)}`);
  return answer;
}
