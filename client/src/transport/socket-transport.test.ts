import { Server } from "socket.io";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROTOCOL_VERSION } from "../../../shared/protocol/socket.ts";
import { createSocketTransport } from "./socket-transport.ts";
import type { Transport, TransportEvents } from "./transport.ts";

type Ack = (answer: unknown) => void;

let server: Server;
let url: string;
let transport: Transport;
let events: { [K in keyof TransportEvents]: ReturnType<typeof vi.fn<TransportEvents[K]>> };

beforeEach(async () => {
  server = new Server({ transports: ["websocket"], pingInterval: 50 });
  server.listen(0);
  const address = server.httpServer.address();
  url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  transport = createSocketTransport({ url, token: "secret", user: "ann" });
  events = {
    ...{ onUp: vi.fn(), onDown: vi.fn(), onMessage: vi.fn(), onUnreadable: vi.fn() },
    onPing: vi.fn(),
  };
  transport.listen(events);
});

afterEach(async () => {
  transport.disconnect();
  await server.close();
});

/** Waits until a check holds, however long that takes a busy machine. */
const happens = (check: () => void) => vi.waitFor(check, { timeout: 60_000 });

async function up(): Promise<void> {
  transport.connect();
  await happens(() => expect(events.onUp).toHaveBeenCalled());
}

const position = { epoch: "e", seq: 3, scope: "s" };
const lost = { code: "unavailable", detail: { lost: true } };

describe("the socket transport", () => {
  it("says who it is and what it speaks, and how the server calls the line", async () => {
    const met = new Promise<unknown>((resolve) => {
      server.on("connection", ({ handshake, id }) => resolve([handshake.auth, id]));
    });
    expect(transport.connectionId()).toBeNull();
    await up();
    const auth = { protocol: PROTOCOL_VERSION, token: "secret", user: "ann" };
    expect(await met).toEqual([auth, transport.connectionId()]);
  });

  it("says that the server pinged", async () => {
    await up();
    await happens(() => expect(events.onPing).toHaveBeenCalled());
  });

  it("passes on answers that fit their schema, without undeclared properties", async () => {
    server.on("connection", (socket) => {
      socket.on("subscribe", (_call: unknown, ack: Ack) => ack({ ok: true, ...position, more: 1 }));
    });
    await up();
    expect(await transport.call("subscribe", { table: "t" }, 1_000)).toEqual(position);
  });

  it("turns refusals into the catalogue's, with their detail", async () => {
    server.on("connection", (socket) => {
      const error = { code: "rate_limited", message: "Slowly.", retryAfter: 2 };
      socket.on("subscribe", (_call: unknown, ack: Ack) => ack({ ok: false, error }));
    });
    await up();
    await expect(transport.call("subscribe", { table: "t" }, 1_000)).rejects.toMatchObject({
      code: "rate_limited",
      message: "Slowly.",
      detail: { retryAfter: 2 },
    });
  });

  it.each([
    { ok: true, epoch: 7 },
    { ok: false },
    { ok: false, error: { code: "made_up", message: "?" } },
    "nonsense",
    null,
  ])("takes the answer %j for a failure of the server", async (answer) => {
    server.on("connection", (socket) => {
      socket.on("subscribe", (_call: unknown, ack: Ack) => ack(answer));
    });
    await up();
    const call = transport.call("subscribe", { table: "t" }, 1_000);
    await expect(call).rejects.toMatchObject({ code: "internal" });
  });

  it("gives up a call that is not answered in time, and ignores a late answer", async () => {
    const acks: Ack[] = [];
    server.on("connection", (socket) => {
      socket.on("query", (_call: unknown, ack: Ack) => acks.push(ack));
    });
    await up();
    await expect(transport.call("query", { table: "t" }, 30)).rejects.toMatchObject(lost);
    acks[0]?.({ ok: true });
    expect(events.onDown).not.toHaveBeenCalled();
  });

  it("loses calls under way when the line breaks, says so once, and stays down", async () => {
    server.on("connection", (socket) => {
      socket.on("query", () => socket.disconnect(true));
    });
    await up();
    await expect(transport.call("query", { table: "t" }, 5_000)).rejects.toMatchObject(lost);
    await happens(() => expect(events.onDown).toHaveBeenCalledWith(null));
    await expect(transport.call("query", { table: "t" }, 5_000)).rejects.toMatchObject(lost);
    expect(events.onDown).toHaveBeenCalledTimes(1);
    expect(events.onUp).toHaveBeenCalledTimes(1);
  });

  it("can be connected again after it broke", async () => {
    await up();
    server.disconnectSockets(true);
    await happens(() => expect(events.onDown).toHaveBeenCalled());
    transport.connect();
    await happens(() => expect(events.onUp).toHaveBeenCalledTimes(2));
  });

  it("reports no lost connection after disconnect()", async () => {
    await up();
    const gone = new Promise((resolve) => {
      server.sockets.sockets.forEach((socket) => {
        socket.on("disconnect", resolve);
      });
    });
    transport.disconnect();
    await gone;
    expect(events.onDown).not.toHaveBeenCalled();
  });

  it("reports why the server refused the connection", async () => {
    server.use((_socket, next) => {
      next(Object.assign(new Error("no"), { data: { code: "session_ended", message: "Gone." } }));
    });
    transport.connect();
    await happens(() => expect(events.onDown).toHaveBeenCalledWith("session_ended"));
  });

  it("reports a server that does not respond", async () => {
    await server.close();
    transport.connect();
    await happens(() => expect(events.onDown).toHaveBeenCalledWith(null));
  });

  it("C8 drops a message that does not fit its schema and names its table", async () => {
    await up();
    server.emit("changes", { table: "t", epoch: "e", from: "zero", to: 1, changes: [] });
    server.emit("changes", "nonsense");
    server.emit("changes", { table: "t", epoch: "e", from: 0, to: 1, changes: [], new: true });
    await happens(() => expect(events.onMessage).toHaveBeenCalledTimes(1));
    expect(events.onUnreadable.mock.calls).toEqual([
      ["changes", "t"],
      ["changes", null],
    ]);
    const [name, message] = events.onMessage.mock.calls[0] ?? [];
    expect([name, message]).toEqual([
      "changes",
      { table: "t", epoch: "e", from: 0, to: 1, changes: [] },
    ]);
  });
});
