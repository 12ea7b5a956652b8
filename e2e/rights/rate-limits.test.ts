import { io } from "socket.io-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { endlessWindow } from "../harness/test-config.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import { anyDatabase } from "../provision/databases.ts";
import { startRedis, type TestRedis } from "../provision/redis.ts";

const LIMIT = 200;
const PROPAGATION_MS = 30_000;

let redis: TestRedis;
let database: TestDatabase;
let nodes: ServerProcess[] = [];
let ownerUser: TestUser;

beforeAll(async () => {
  [redis, database] = await Promise.all([startRedis(), createInstalled(anyDatabase)]);
  const environment = {
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    ...endlessWindow,
    WATCHFLOOR_REQUESTS_PER_USER: String(LIMIT),
    HANDSHAKES_PER_USER: "3",
  };
  nodes = [await ServerProcess.start({ environment }), await ServerProcess.start({ environment })];
  ownerUser = await signIn(urlOf(0), owner);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.kill()));
  await database.drop();
  await redis.close();
});

const urlOf = (node: number) => (nodes[node % 2] as ServerProcess).url;

describe("two servers together", () => {
  it("limit requests per user only", async () => {
    const ida = await addUser(urlOf(0), ownerUser, "Ida", "viewer");
    const headers = { authorization: `Bearer ${ida.token}` };
    const requestFrom = (node: number) => fetch(`${urlOf(node)}/api/v1/roles`, { headers });
    const passes = async (node: number) => {
      const answer = await requestFrom(node);
      await answer.body?.cancel();
      return answer.status === 200;
    };
    let passed = 0;
    while (passed <= LIMIT && (await passes(0))) passed += 1;
    expect(passed).toBeLessThanOrEqual(LIMIT);
    let beyond = 0;
    await until("the other server has heard of it", PROPAGATION_MS, async () => {
      if (!(await passes(1))) return true;
      beyond += 1;
      return false;
    });
    // by its own count alone it would have let through as many again
    expect(beyond).toBeLessThan(LIMIT / 2);
    for (const node of [0, 1]) {
      const refused = await requestFrom(node);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ code: "rate_limited" });
    }
    await ownerUser.call("GET", "/roles");
  });

  it("count failed sign-ins exactly", async () => {
    const guess = async (node: number, password: string) => {
      const answer = await fetch(`${urlOf(node)}/api/v1/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ email: "ida@example.com", password }),
      });
      await answer.body?.cancel();
      return answer.status;
    };
    const guesses = Array.from({ length: 14 }, (_, node) => guess(node, "a wrong guess"));
    const statuses = (await Promise.all(guesses)).sort();
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(4).fill(429)]);
    expect(await guess(0, "password of Ida")).toBe(429);
    expect(await guess(1, "password of Ida")).toBe(429);
  });

  it("the handshakes of a user: beyond the limit the socket gets a retry time", async () => {
    const kim = await addUser(urlOf(0), ownerUser, "Kim", "viewer");
    const outcomes: string[] = [];
    for (let time = 0; time < 5; time += 1) {
      const auth = { protocol: PROTOCOL_VERSION, token: kim.token };
      const options = { transports: ["websocket"], forceNew: true, reconnection: false, auth };
      const socket = io(urlOf(0), options);
      outcomes.push(
        await new Promise<string>((resolve) => {
          socket.once("connect", () => resolve("ok"));
          socket.once("connect_error", (error) => resolve((error as Error).message));
        }),
      );
      socket.disconnect();
    }
    expect(outcomes).toEqual(["ok", "ok", "ok", "rate_limited", "rate_limited"]);
  });
});
