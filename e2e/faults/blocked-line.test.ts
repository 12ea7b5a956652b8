import { createServer, type Server as HttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Server } from "socket.io";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSocketTransport } from "../../client/src/transport/socket-transport.ts";
import type { Transport, TransportEvents } from "../../client/src/transport/transport.ts";
import { checkLiveConnection } from "../../server/terminal/doctor/check-live-connection.ts";
import { type Obstacle, ObstacleProxy } from "../harness/obstacle-proxy.ts";

let http: HttpServer;
let server: Server;
let proxy: ObstacleProxy;
let transport: Transport;
let events: { [K in keyof TransportEvents]: ReturnType<typeof vi.fn<TransportEvents[K]>> };

beforeEach(async () => {
  http = createServer((_request, answer) => {
    answer.writeHead(401, { "content-type": "application/problem+json" }).end("{}");
  });
  server = new Server(http, { transports: ["websocket", "polling"] });
  await new Promise<void>((resolve) => http.listen(0, resolve));
  proxy = await ObstacleProxy.start((http.address() as AddressInfo).port);
  transport = createSocketTransport({ url: proxy.url, token: "secret" });
  events = {
    ...{ onUp: vi.fn(), onDown: vi.fn(), onMessage: vi.fn(), onUnreadable: vi.fn() },
    onPing: vi.fn(),
  };
  transport.listen(events);
});

afterEach(async () => {
  transport.disconnect();
  await proxy[Symbol.asyncDispose]();
  await server.close();
});

/** Waits until a check holds, however long that takes a busy machine. */
const happens = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

/** How the server reaches its only client. */
const way = () => [...server.sockets.sockets.values()].map(({ conn }) => conn.transport.name);

describe("C2 a line through a network that does not let WebSockets pass", () => {
  it.each<Obstacle>(["403", "html", "never", "swallowed", "held"])(
    "%s is opened by polling, and works",
    async (obstacle) => {
      proxy.obstacle = obstacle;
      server.on("connection", (socket) => {
        socket.on("subscribe", (_call: unknown, answer: (message: object) => void) =>
          answer({ ok: true, epoch: "e", seq: 3, scope: "s" }),
        );
      });
      transport.connect();
      await happens(() => expect(events.onUp).toHaveBeenCalled());
      const position = { epoch: "e", seq: 3, scope: "s" };
      expect(await transport.call("subscribe", { table: "t" }, 30_000)).toEqual(position);
      expect([way(), events.onDown.mock.calls]).toEqual([["polling"], []]);
    },
  );

  it("changes to a WebSocket once that works, and returns to one", async () => {
    proxy.obstacle = "403";
    transport.connect();
    await happens(() => expect(way()).toEqual(["polling"]));
    // The server has its client before the client knows.
    await happens(() => expect(events.onUp).toHaveBeenCalled());
    await happens(() => {
      // Between two polls there is nothing to cut.
      proxy.reset();
      expect(events.onDown).toHaveBeenCalledWith(null);
    });
    proxy.obstacle = "none";
    transport.connect();
    await happens(() => expect(way()).toEqual(["websocket"]));
    const { polls } = proxy;
    server.disconnectSockets(true);
    await happens(() => expect(events.onDown).toHaveBeenCalledTimes(2));
    transport.connect();
    await happens(() => expect(way()).toEqual(["websocket"]));
    expect(proxy.polls).toBe(polls);
  });

  it("is blocked where polling does not pass either though the server answers, and only then", async () => {
    proxy.obstacle = "403";
    proxy.refusesPolling = true;
    const isBlocked = () =>
      (events.onDown.mock.calls.at(-1) as unknown[] | undefined)?.[1] === true;
    events.onDown.mockImplementation(() =>
      setTimeout(() => isBlocked() || transport.connect(), 100),
    );
    const started = performance.now();
    transport.connect();
    await happens(() => expect(isBlocked()).toBe(true));
    // A server that is being replaced must not be called blocked.
    expect(performance.now() - started).toBeGreaterThan(3_000);
    const { length } = events.onDown.mock.calls;
    await proxy[Symbol.asyncDispose]();
    transport.connect();
    // It tries again and again.
    await happens(() => expect(events.onDown.mock.calls.at(length)).toEqual([null]));
    proxy = await ObstacleProxy.start(0);
  });
});

describe("watchfloor doctor at a public address", () => {
  const found = async () =>
    (await checkLiveConnection(proxy.url)).map(({ level, message }) => [level, message]);

  it("finds nothing where WebSockets pass", async () => {
    expect(await found()).toEqual([]);
  });

  it.each<[Obstacle, RegExp]>([
    ["403", /the upgrade is answered 403, not 101/],
    ["html", /the upgrade is answered 200 \(text\/html\), not 101/],
    ["never", /the upgrade is never answered/],
    ["swallowed", /accepted, but nothing arrives after it/],
    ["held", /accepted, but nothing arrives after it/],
  ])(
    "warns of %s, and calls it a fault where polling does not work either",
    async (obstacle, cause) => {
      proxy.obstacle = obstacle;
      expect(await found()).toEqual([["warning", expect.stringMatching(cause)]]);
      proxy.refusesPolling = true;
      expect(await found()).toEqual([["fault", expect.stringMatching(cause)]]);
    },
  );
});
