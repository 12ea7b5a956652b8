import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { expect, it } from "vitest";
import { serveTests } from "../../server/http/testing/test-server.ts";
import { createToken } from "../../server/http/testing/token-calls.ts";
import { until } from "../harness/until.ts";

const { server, owner, member } = await serveTests("service-desk");
const { port } = new URL(server.origin);
const PIECE = Buffer.alloc(65_536, "x");
/** More than the buffers of a connection hold. */
const ENOUGH_BYTES = 100_000_000;

/** Sends a body without an end; the answer, and how much was taken of the body until the connection was closed. */
async function sendEndless(
  path: string,
  method: string,
  token: string | null,
  pieces = `10000\r\n${PIECE}\r\n`,
) {
  const socket = connect(Number(port), "127.0.0.1");
  let [answer, sent] = ["", 0];
  socket.on("error", () => undefined);
  socket.on("data", (data) => {
    answer += data;
  });
  const closed = new Promise((resolve) => socket.once("close", resolve));
  const authorization = token ? `authorization: Bearer ${token}\r\n` : "";
  const type = "content-type: application/json\r\ntransfer-encoding: chunked\r\n";
  socket.write(`${method} /api/v1${path} HTTP/1.1\r\nhost: x\r\n${authorization}${type}\r\n`);
  const send = () => {
    while (!socket.destroyed && sent < ENOUGH_BYTES) {
      sent += pieces.length;
      if (!socket.write(pieces)) break;
    }
    if (sent >= ENOUGH_BYTES) socket.destroy();
  };
  socket.on("drain", send);
  send();
  await closed;
  return { status: answer.slice(9, 12), sent };
}

it.each([
  ["without the right", "PUT", "/model", "display", "403"],
  ["without a session", "POST", "/mutations", null, "401"],
])("the body of a request %s is not received: %s %s", async (_who, method, path, role, status) => {
  const token = role ? (await member(role)).token() : null;
  const answer = await sendEndless(path, method, token);
  expect(answer.status).toBe(status);
  expect(answer.sent).toBeLessThan(ENOUGH_BYTES);
});

it("a client that sends its whole body first reads the answer", async () => {
  const user = await member("display");
  const body = JSON.stringify({ version: 1, padding: "x".repeat(900_000) });
  for (let n = 0; n < 5; n += 1) {
    const answer = await fetch(`${server.origin}/api/v1/model`, {
      method: "PUT",
      headers: { authorization: `Bearer ${user.token()}`, "content-type": "application/json" },
      body,
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: "forbidden" });
  }
});

it("a refused request without a body leaves its connection open", async () => {
  const socket = connect(Number(port), "127.0.0.1");
  let [answers, isClosed] = ["", false];
  socket.on("data", (data) => {
    answers += data;
  });
  socket.on("close", () => {
    isClosed = true;
  });
  for (const path of ["/me", "/nowhere"]) {
    const before = answers.length;
    socket.write(`GET /api/v1${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
    await until("it is answered", 60_000, () => answers.length > before);
  }
  expect(answers).not.toMatch(/connection: close/i);
  expect(isClosed).toBe(false);
  socket.destroy();
});

it("large bodies of one user are received one after the other, also of another token; small ones do not wait", async () => {
  const body = JSON.stringify({ id: "m", ops: [], padding: "x".repeat(900_000) });
  const { token } = await createToken(owner);
  const answered: string[] = [];
  const open = (name: string, bearer: string | null) => {
    const sent = request(`${server.origin}/api/v1/mutations`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bearer}`,
        "content-type": "application/json",
        "content-length": body.length,
      },
    });
    const ended = once(sent, "response").then(([{ statusCode }]) => {
      answered.push(name);
      return statusCode as number;
    });
    return { sent, ended };
  };
  const first = open("first", owner.token());
  first.sent.write(body.slice(0, 1_000));
  await until("the first is received", 60_000, () => first.sent.writableLength === 0);
  const small = async () => {
    const { status } = await owner.call("POST", "/api/v1/mutations", { id: "n", padding: "x" });
    return status;
  };
  expect(await small()).toBe(400);
  const second = open("second", token);
  second.sent.end(body);
  for (let n = 0; n < 20; n += 1) expect(await small()).toBe(400);
  first.sent.end(body.slice(1_000));
  expect(await Promise.all([first.ended, second.ended])).toEqual([400, 400]);
  expect(answered).toEqual(["first", "second"]);
});

it("a client that hangs up while it sends its body is not reported as an outage of the database", async () => {
  const socket = connect(Number(port), "127.0.0.1");
  const type = "content-type: application/json\r\ncontent-length: 1000\r\n";
  socket.write(`POST /api/v1/session HTTP/1.1\r\nhost: x\r\n${type}\r\n{"email":`);
  const lines = () => server.log.filter((line) => line.includes("/session")).length;
  const before = lines();
  await until("it is received", 60_000, () => socket.writableLength === 0);
  socket.destroy();
  await until("its end is logged", 60_000, () => lines() > before);
  expect(server.log.filter((line) => line.includes("unavailable"))).toEqual([]);
});

it("a body in pieces of one byte is not received, whoever sends it", async () => {
  const { sent } = await sendEndless(
    "/mutations",
    "POST",
    owner.token(),
    "1\r\nx\r\n".repeat(8_000),
  );
  expect(sent).toBeLessThan(ENOUGH_BYTES / 10);
});

it("a file that its user may import comes in pieces of any size", async () => {
  const lines = ["title\n", ...Array.from({ length: 3_000 }, (_, at) => `r${at}\n`)];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const line = lines.shift();
      if (line === undefined) controller.close();
      else controller.enqueue(Buffer.from(line));
    },
  });
  const answer = await fetch(`${server.origin}/api/v1/tables/incidents/imports?dryRun=true`, {
    method: "POST",
    headers: { authorization: `Bearer ${owner.token()}`, "content-type": "text/csv" },
    body,
    duplex: "half",
  } as RequestInit);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ created: 3_000 });
});
