import type { InputArguments } from "../../../../shared/protocol/call.ts";
import type { Answer, Contract, RouteName } from "../../../../shared/protocol/contract.ts";
import { type ErrorCode, errorCatalogue } from "../../../../shared/protocol/errors.ts";

/**
 * The few calls of a display. A television gets all kinds of answers: 502 pages of a proxy, sign-in
 * pages of a network, nothing. Only what is plainly the server's own word counts as an answer.
 */
export type Reply<T> =
  | { kind: "answer"; body: T }
  | { kind: "refused"; code: ErrorCode; retryAfterMs: number }
  | { kind: "nothing" };

const TIMEOUT_MS = 8_000;

export type DisplayRoute = Extract<RouteName, `${string} /display${"" | "/pairing" | "/report"}`>;

/** The name is method and path: none of these routes has parameters. The body is any JSON: the caller checks what it depends on. */
export async function requestServer<K extends DisplayRoute>(
  name: K,
  ...[input]: InputArguments<Contract[K]>
): Promise<Reply<Answer<K>>> {
  const [method = "", path = ""] = name.split(" ");
  const body: unknown = input?.body;
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const type = response.headers.get("content-type") ?? "";
    if (!/^application\/(problem\+)?json/.test(type)) return { kind: "nothing" };
    const answer: unknown = await response.json();
    if (response.ok) return { kind: "answer", body: answer as Answer<K> };
    return readRefusal(answer);
  } catch {
    return { kind: "nothing" };
  }
}

function readRefusal(answer: unknown): Reply<never> {
  const { code, retryAfter } = (answer ?? {}) as { code?: unknown; retryAfter?: unknown };
  if (typeof code !== "string" || !(code in errorCatalogue)) return { kind: "nothing" };
  const retryAfterMs = typeof retryAfter === "number" ? retryAfter * 1_000 : 0;
  return { kind: "refused", code: code as ErrorCode, retryAfterMs };
}
