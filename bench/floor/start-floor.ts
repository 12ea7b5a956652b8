import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { io, type Socket } from "socket.io-client";

/** The floor's process and the sockets that were opened on it. */
export interface Floor {
  readonly pid: number;
  readonly url: string;
  /** A socket, by another address or with reconnection if requested. */
  connect(options?: { url?: string; reconnection?: boolean }): Promise<Socket>;
  stop(): Promise<void>;
}

const mainFile = fileURLToPath(new URL("main.ts", import.meta.url));

export async function startFloor(databaseUrl: string): Promise<Floor> {
  const child = fork(mainFile, [databaseUrl], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [{ port }] = (await once(child, "message")) as [{ port: number }];
  const ownUrl = `http://127.0.0.1:${port}`;
  const sockets: Socket[] = [];
  return {
    pid: child.pid ?? 0,
    url: ownUrl,
    async connect({ url = ownUrl, reconnection = false } = {}) {
      const socket = io(url, { transports: ["websocket"], forceNew: true, reconnection });
      await new Promise<void>((resolve, reject) => {
        socket.once("connect", resolve);
        socket.once("connect_error", reject);
      });
      sockets.push(socket);
      return socket;
    },
    async stop() {
      for (const socket of sockets) socket.disconnect();
      const exited = once(child, "exit");
      child.disconnect();
      await exited;
    },
  };
}
