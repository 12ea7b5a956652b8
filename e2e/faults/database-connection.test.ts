import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LineProxy } from "../harness/line-proxy.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { systemOverTcp } from "../provision/databases.ts";
import { Follower, waitFor } from "./follower.ts";

/** The connection between a server and its database fails, and the screens say so. */

let database: TestDatabase;
let line: LineProxy;
let server: ServerProcess;
let me: TestUser;

beforeAll(async () => {
  database = await createInstalled(systemOverTcp);
  const direct = new URL(database.url);
  line = await LineProxy.start(Number(direct.port));
  const through = new URL(database.url);
  through.port = new URL(line.url).port;
  server = await ServerProcess.start({ environment: { DATABASE_URL: through.href } });
  me = await signIn(server.url, owner);
});
afterAll(async () => {
  await server.kill();
  await line[Symbol.asyncDispose]();
  await database.drop();
});

describe("P10 an unavailable store is reported, and screens continue when it is back", () => {
  test.each(["cut", "stall"] as const)("the line is %s", async (fault) => {
    using screen = await Follower.start(server.url, me.token, "incidents");
    const { id, title } = await screen.anyRecord();
    line[fault]();
    await waitFor(() => screen.degraded);
    expect(screen.reason).toBe("store");
    line.restore();
    await waitFor(() => !screen.degraded);
    const text = `after ${fault}`;
    const seq = await screen.write(id, title, text);
    await screen.sees(seq);
    expect(screen.received.at(-1)?.set.title).toBe(text);
    expect([screen.violations, screen.resyncs]).toEqual([[], []]);
  });
});
