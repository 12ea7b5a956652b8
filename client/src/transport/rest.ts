import { type ErrorCode, errorCatalogue, Refusal } from "../../../shared/protocol/errors.ts";

/**
 * The REST door of the browser. Whatever goes wrong leaves here as a `Refusal` of the catalogue:
 * a lost connection is `unavailable`, an answer that is no problem document is `internal`. Callers
 * switch on the code.
 */
const BASE = "/api/v1";
const REQUEST_TIMEOUT_MS = 20_000;

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const sessionWatchers = new Set<(code: ErrorCode) => void>();

/** Tells when a call was refused for want of a session: the only news REST has about it. */
export function onUnauthenticated(watcher: (code: ErrorCode) => void): () => void {
  sessionWatchers.add(watcher);
  return () => sessionWatchers.delete(watcher);
}

/** Calls the API and answers its JSON body; `T` is what the route is documented to answer. */
export async function rest<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const response = await send(method, path, body);
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  const refusal = toRefusal(response, answer);
  if (response.status === 401) for (const watcher of sessionWatchers) watcher(refusal.code);
  throw refusal;
}

async function send(method: Method, path: string, body: unknown): Promise<Response> {
  try {
    return await fetch(BASE + path, {
      method,
      credentials: "same-origin",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  } catch {
    throw new Refusal("unavailable", { offline: true }, "The server can't be reached.");
  }
}

/** A problem document as a `Refusal`; exported for its test. */
export function toRefusal(
  response: { status: number; headers: { get(name: string): string | null } },
  answer: unknown,
): Refusal {
  const problem = isRecord(answer) ? answer : {};
  const { code, message, type: _type, title, status: _status, detail, ...rest } = problem;
  const known = typeof code === "string" && Object.hasOwn(errorCatalogue, code);
  const words = [message, detail, title].find((text) => typeof text === "string");
  const retryAfter = Number(response.headers.get("retry-after"));
  const details = retryAfter > 0 ? { retryAfter, ...rest } : rest;
  if (known) return new Refusal(code as ErrorCode, details, words as string | undefined);
  return new Refusal(response.status >= 502 ? "unavailable" : "internal", details);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
