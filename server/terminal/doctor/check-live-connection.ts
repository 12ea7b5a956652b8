import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Duplex } from "node:stream";
import { type Finding, findingsOf } from "./finding.ts";

/** Tries a WebSocket, and then polling, at the public address, as a browser does. */

const ANSWER_TIMEOUT_MS = 5_000;
/** Polls of one connection: behind a balancer without sticky sessions they reach several servers. */
const POLLS = 4;
const advice =
  "Let the proxy pass WebSockets on at /socket.io/, unchanged and without buffering (docs/guides/deploying.md).";

type Attempt = { isOpen: true } | { isOpen: false; reason: string };

export async function checkLiveConnection(publicUrl: string): Promise<Finding[]> {
  const { fault, warning } = findingsOf("live-connection");
  const webSocket = await tryWebSocket(publicUrl);
  if (webSocket.isOpen) return [];
  const message = `At PUBLIC_URL (${publicUrl}) no WebSocket can be opened: ${webSocket.reason}`;
  const polling = await tryPolling(publicUrl);
  if (polling.isOpen) {
    const slower = "Pages use polling instead, which is slower and costs the server more.";
    return [warning(`${message} ${slower}`, advice)];
  }
  const none = `Polling does not work either (${polling.reason}), so pages show no data.`;
  return [fault(`${message} ${none}`, advice)];
}

/** Open counts a WebSocket whose first frame arrives: some proxies accept the upgrade and pass nothing on. */
async function tryWebSocket(publicUrl: string): Promise<Attempt> {
  const url = new URL("/socket.io/?EIO=4&transport=websocket", publicUrl);
  const begin = url.protocol === "https:" ? requestHttps : requestHttp;
  const asked = begin(url, {
    headers: {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": randomBytes(16).toString("base64"),
    },
  });
  const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  const closed = (reason: string): Attempt => ({ isOpen: false, reason });
  try {
    asked.end();
    const answered = new Promise<Attempt | Duplex>((resolve, reject) => {
      asked.once("response", ({ statusCode, headers }) => {
        const type = headers["content-type"] ?? "";
        resolve(closed(`the upgrade is answered ${statusCode}${type && ` (${type})`}, not 101.`));
      });
      asked.once("upgrade", (_answer, line, head) => {
        if (head.length > 0) line.unshift(head);
        resolve(line);
      });
      asked.once("error", ({ message }) => resolve(closed(`the connection breaks (${message}).`)));
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    const line = await answered.catch(() => closed("the upgrade is never answered."));
    if ("isOpen" in line) return line;
    line.on("error", () => undefined);
    const first = once(line, "data", { signal }).then(
      (): Attempt => ({ isOpen: true }),
      () => closed("the upgrade is accepted, but nothing arrives after it."),
    );
    return await first.finally(() => line.destroy());
  } finally {
    asked.destroy();
  }
}

async function tryPolling(publicUrl: string): Promise<Attempt> {
  const url = new URL("/socket.io/?EIO=4&transport=polling", publicUrl);
  const send = async (init: RequestInit) => {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const answer = await fetch(url, { ...init, signal, redirect: "manual" });
    const text = await answer.text();
    if (answer.ok) return text;
    const isUnknown = text.includes("Session ID unknown");
    throw new Error(isUnknown ? "servers without sticky sessions" : `status ${answer.status}`);
  };
  try {
    const { sid } = JSON.parse((await send({})).slice(1)) as { sid: string };
    url.searchParams.set("sid", sid);
    // What the server answers with its ping: nothing that needs a user.
    for (let poll = 0; poll < POLLS; poll += 1) await send({ method: "POST", body: "6" });
    await send({ method: "POST", body: "1" });
    return { isOpen: true };
  } catch (error) {
    const isJson = !(error instanceof SyntaxError);
    return { isOpen: false, reason: isJson ? (error as Error).message : "a page in its place" };
  }
}
