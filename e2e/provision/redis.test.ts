import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { redisCommand } from "./redis.ts";

it("a command to a Redis that closes the connection fails, and does not wait for ever", async () => {
  const server = createServer((socket) => socket.on("data", () => socket.end())).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  await expect(redisCommand(port, "PING")).rejects.toThrow("closed");
  server.close();
});
