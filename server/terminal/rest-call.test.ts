import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { send } from "./rest-call.ts";

it("fails where the server ends after a file has arrived and before it answers", async () => {
  const server = createServer((request) => {
    request.resume().on("end", () => request.socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const file = Readable.from([Buffer.from("title\none\n")]);
  const sent = { params: { table: "incidents" }, file };
  await expect(
    send(`http://127.0.0.1:${port}`, "POST /tables/{table}/imports", sent),
  ).rejects.toThrow("does not answer");
  server.close();
});
