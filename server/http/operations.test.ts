import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { buildVersion } from "../config/version.ts";
import { stopServer } from "./stop-server.ts";
import { apiClient } from "./testing/api-client.ts";
import { startTestServer } from "./testing/test-server.ts";

describe("health", () => {
  it("stays healthy while readiness follows the checks and the stop", async () => {
    let store: () => Promise<boolean> = async () => true;
    let stopping = false;
    const server = await startTestServer(
      {},
      { checks: { store: () => store() }, stopping: () => stopping },
    );
    const client = apiClient(server.origin);
    const ready = async () => {
      const { status, body } = await client.call("GET", "/readyz");
      expect((await client.call("GET", "/healthz")).body).toEqual({ ok: true });
      return { status, ...body };
    };
    expect(await ready()).toEqual({
      status: 200,
      ready: true,
      stopping: false,
      checks: { store: true },
    });
    store = () => Promise.reject(new Error("away"));
    const unavailable = { status: 503, checks: { store: false } };
    await expect.poll(ready).toMatchObject(unavailable);
    store = async () => true;
    await expect.poll(ready).toMatchObject({ status: 200 });
    store = () => new Promise(() => {});
    await expect.poll(ready).toMatchObject(unavailable);
    store = async () => true;
    stopping = true;
    expect(await ready()).toMatchObject({ status: 503, stopping: true });
    await server.close();
  });

  it("checks the store once, however many strangers ask at the same time", async () => {
    let calls = 0;
    const store = async () => {
      calls += 1;
      return true;
    };
    const server = await startTestServer({}, { checks: { store } });
    const answers = Array.from({ length: 50 }, () => fetch(`${server.origin}/readyz`));
    expect((await Promise.all(answers)).every(({ status }) => status === 200)).toBe(true);
    // a machine that takes seconds for fifty requests checks once for each of them
    expect(calls).toBeLessThan(10);
    await server.close();
  });

  it.each([
    ["from this machine", {}, {}, 200],
    ["through a proxy on this machine", {}, { "x-forwarded-for": "203.0.113.9" }, 403],
    ["where a proxy is trusted", { TRUST_PROXY: "1" }, {}, 403],
    ["where people come by another address", { PUBLIC_URL: "https://desk.example.com" }, {}, 403],
    ["without the token", { WATCHFLOOR_METRICS_TOKEN: "a long metrics token" }, {}, 403],
    [
      "with another token",
      { WATCHFLOOR_METRICS_TOKEN: "a-long-metrics-token" },
      { authorization: "Bearer a-long-metrics-tokem" },
      403,
    ],
    [
      "with the token",
      { WATCHFLOOR_METRICS_TOKEN: "a-long-metrics-token", TRUST_PROXY: "1" },
      { authorization: "Bearer a-long-metrics-token" },
      200,
    ],
  ])("answers metrics %s or not", async (_, environment, headers, status) => {
    const server = await startTestServer(environment as Record<string, string>);
    const answer = await fetch(`${server.origin}/metrics`, { headers: headers as HeadersInit });
    expect(answer.status).toBe(status);
    expect((await answer.text()).includes("watchfloor_sockets")).toBe(status === 200);
    await server.close();
  });

  it("shows metrics to Prometheus by route, never by path", async () => {
    const disks = [{ place: "data" as const, freeBytes: 5e9, totalBytes: 9e9 }];
    const gauges = {
      sockets: () => 7,
      feedLag: async () => ({ incidents: 3 }),
      isLeader: () => true,
      waitingMutations: () => 2,
      disks: async () => disks,
      openDeliveries: async () => 4,
      errors: () => ({ conflict: 6 }),
    };
    const server = await startTestServer({}, { gauges });
    const client = apiClient(server.origin);
    await client.call("GET", "/api/v1/users/somebody");
    const { body } = await client.call("GET", "/metrics");
    expect(body.text).toContain(`watchfloor_build_info{version="${buildVersion}"} 1`);
    expect(body.text).toContain("watchfloor_sockets 7");
    expect(body.text).toContain('watchfloor_feed_lag_changes{table="incidents"} 3');
    expect(body.text).toContain("watchfloor_leader 1");
    expect(body.text).toContain("watchfloor_mutations_waiting 2");
    expect(body.text).toContain('watchfloor_disk_free_bytes{place="data"} 5000000000');
    expect(body.text).toContain("watchfloor_webhook_deliveries_open 4");
    expect(body.text).toContain('watchfloor_errors_total{code="conflict"} 6');
    expect(body.text).toContain('watchfloor_errors_total{code="internal"} 0');
    expect(body.text).toContain("watchfloor_nodejs_eventloop_lag_seconds");
    expect(body.text).toMatch(
      /duration_seconds_count\{method="GET",route="\/users\/\{id\}",status="401"\} 1/,
    );
    expect(body.text).not.toContain("somebody");
    await server.close();
  });
});

describe("stopping a server", () => {
  it("lets running requests end, accepts no new ones, and does not wait for idle connections", async () => {
    const held = Promise.withResolvers<void>();
    const server = createServer(async (_request, response) => {
      await held.promise;
      response.end("done");
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const running = fetch(`http://127.0.0.1:${port}`).then((answer) => answer.text());
    await new Promise((resolve) => server.once("request", resolve));
    const stopped = stopServer(server, 60_000, () => expect.unreachable());
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    held.resolve();
    expect(await running).toBe("done");
    await stopped;
  });

  it("closes what has not ended after the grace period", async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const cut = new Promise((resolve) => {
      request({ port, host: "127.0.0.1" }).on("error", resolve).end();
    });
    await new Promise((resolve) => server.once("request", resolve));
    const connections: number[] = [];
    await stopServer(server, 50, (count) => connections.push(count));
    expect(connections).toEqual([1]);
    expect(await cut).toBeInstanceOf(Error);
  });
});
