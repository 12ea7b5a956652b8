import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP } from "node:net";
import type { WebhookFailure } from "../../shared/protocol/webhooks.ts";
import { AddressRefused, isPublicAddress, publicLookup } from "./receiver-address.ts";

interface SendOptions {
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  allowPrivate: boolean;
  /** Resolves names; for tests. */
  resolve?: Parameters<typeof publicLookup>[0];
}

interface SendResult {
  /** Null: it was delivered. */
  error: WebhookFailure | null;
  status: number | null;
  /** The beginning of the answer. */
  excerpt: string | null;
  /** How long the receiver wants to be left alone. */
  retryAfterMs: number | null;
  durationMs: number;
}

const EXCERPT_MAX_BYTES = 400;
/** So long the beginning of an answer is waited for: its status has arrived, and some receivers leave the body open. */
const EXCERPT_WAIT_MS = 1_000;
/** What a receiver's certificate is refused for: its time, its name, or an authority that is not known. */
const certificateCodes: readonly [RegExp, WebhookFailure][] = [
  [/^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID)$/, "certificate_expired"],
  [/^ERR_TLS_CERT_ALTNAME/, "certificate_name"],
  [/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS_|ERR_SSL_)/, "certificate"],
];
// Control characters: an excerpt is stored, and shown as text.
const UNPRINTABLE = /[\p{Cc}\ufffd]+/gu;

/**
 * Posts a body to a receiver. Connects only to the address that was checked, follows no redirects, reads no more than
 * the beginning of the answer, and ends after `timeoutMs` whatever the receiver does. Never throws.
 */
export async function sendRequest(options: SendOptions): Promise<SendResult> {
  const began = performance.now();
  const outcome = await post(options).catch((error: Error) => ({
    error: failureOf(error),
    status: null,
    excerpt: null,
    retryAfterMs: null,
  }));
  return { ...outcome, durationMs: Math.round(performance.now() - began) };
}

async function post(options: SendOptions): Promise<Omit<SendResult, "durationMs">> {
  const { headers, body, timeoutMs, allowPrivate, resolve } = options;
  const url = new URL(options.url);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) throw new AddressRefused();
  const signal = AbortSignal.timeout(timeoutMs);
  const {
    promise,
    resolve: done,
    reject,
  } = Promise.withResolvers<Omit<SendResult, "durationMs">>();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  const request = send(url, {
    method: "POST",
    // A connection of its own: one from a pool may have been closed by the receiver.
    agent: false,
    signal,
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "Watchfloor-Webhooks",
    },
    ...(!allowPrivate && { lookup: publicLookup(resolve) }),
  });
  const onError = (error: Error) => reject(signal.aborted ? signal.reason : error);
  request.on("error", onError);
  // Without a listener Node would drop the connection and report nothing.
  request.on("upgrade", ({ statusCode = 0 }, socket) => {
    socket.destroy();
    done({ error: "status", status: statusCode, excerpt: null, retryAfterMs: null });
  });
  const onClosed = () => reject(new Error("The connection was closed without an answer."));
  request.on("close", onClosed);
  request.on("response", (response) => {
    request.off("close", onClosed).off("error", onError);
    const status = response.statusCode ?? 0;
    const retryAfterMs = retryAfterOf(response.headers["retry-after"]);
    let start = Buffer.alloc(0);
    const finish = () => {
      clearTimeout(patience);
      const text = start.subarray(0, EXCERPT_MAX_BYTES).toString("utf8").replace(UNPRINTABLE, " ");
      done({ error: errorOf(status), status, excerpt: text.trim() || null, retryAfterMs });
      request.destroy();
    };
    const patience = setTimeout(finish, EXCERPT_WAIT_MS);
    response.on("data", (chunk: Buffer) => {
      start = Buffer.concat([start, chunk]);
      if (start.length >= EXCERPT_MAX_BYTES) finish();
    });
    // The status has arrived: an answer that is cut off, or does not end, counts all the same.
    request.on("error", finish);
    response.on("end", finish).on("error", finish).on("close", finish);
  });
  request.end(body);
  return promise;
}

function errorOf(status: number): WebhookFailure | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}

/** The header is a number of seconds or a date. */
function retryAfterOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : null;
}

function failureOf(error: Error): WebhookFailure {
  if (error instanceof AddressRefused) return "address_refused";
  if (error.name === "TimeoutError") return "timeout";
  const { code = "" } = error as NodeJS.ErrnoException;
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return "unresolved";
  const [, failure = "connection"] = certificateCodes.find(([of]) => of.test(code)) ?? [];
  return failure;
}
