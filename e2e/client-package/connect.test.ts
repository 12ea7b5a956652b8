import { createServer } from "node:http";
import { afterEach, expect, it } from "vitest";
import { connect } from "../../client/package/connect.ts";
import { freePort } from "../provision/free-port.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const codeOf = (connecting: Promise<unknown>) =>
  connecting.then(
    () => "connected",
    (error: { code?: string }) => error.code,
  );

it("waits for a server that is not up yet, and then uses its answer", async () => {
  const port = await freePort();
  const connecting = codeOf(connect({ url: `http://127.0.0.1:${port}`, token: "wf_x" }));
  // Nobody listens: this first attempt has failed once the same call of ours has.
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  const problem = JSON.stringify({ code: "session_ended", status: 401 });
  const server = createServer((_, response) => {
    response.writeHead(401, { "content-type": "application/json" }).end(problem);
  });
  server.listen(port, "127.0.0.1");
  closing.push(() => server.close());
  expect(await connecting).toBe("session_ended");
});

it("rejects where the server stays away for the time that was given", async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  expect(await codeOf(connect({ url, token: "wf_x", waitMs: 0 }))).toBe("unavailable");
  expect(await codeOf(connect({ url, token: "wf_x", waitMs: 300 }))).toBe("unavailable");
});
