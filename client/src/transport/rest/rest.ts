import {
  BACKGROUND_HEADER,
  type InputArguments,
  requestOf,
  sessionToken,
} from "../../../../shared/protocol/call.ts";
import type { Answer, Contract, RouteName } from "../../../../shared/protocol/contract.ts";
import { type ErrorCode, errorCatalogue, Refusal } from "../../../../shared/protocol/errors.ts";
import { pendingRead } from "./pending-work.ts";

/**
 * REST calls typed by the contract. Every failure is a `Refusal` of the catalogue: a lost connection
 * is `unavailable`, an answer that is no JSON object is `internal`. Callers switch on the code.
 */
const BASE = "/api/v1";
const REQUEST_TIMEOUT_MS = 20_000;
/** Change sets may hold 100,000 ops, which are evaluated before the answer. */
const CHANGE_SET_TIMEOUT_MS = 180_000;

/** Dispatched at the window when the server refuses a call of the page because there is no session. */
export const UNAUTHENTICATED_EVENT = "watchfloor:unauthenticated";

/** A typed call of a route. */
export type RestCall = <K extends RouteName>(
  name: K,
  ...input: InputArguments<Contract[K]>
) => Promise<Answer<K>>;

/** Where calls go, and by which token. Without one a page sends its session cookie to its own origin. */
export interface RestCaller {
  url: string;
  token?: string;
  /** Called after each call that is refused because there is no session. */
  onUnauthenticated?(): void;
}

const page: RestCaller = {
  url: "",
  onUnauthenticated: () => void dispatchEvent(new Event(UNAUTHENTICATED_EVENT)),
};

/**
 * Calls a route and returns its answer. Tests of the server check that answers match the contract; checking them here
 * would add the schemas of all routes to the first load.
 */
export function rest<K extends RouteName>(
  name: K,
  ...input: InputArguments<Contract[K]>
): Promise<Answer<K>> {
  return callAs(page, name, input);
}

/** The same for another caller than the page. */
export function restWith(caller: RestCaller): RestCall {
  return (name, ...input) => callAs(caller, name, input);
}

/** Opens a session by a password. Returns its token; in a browser, which holds it as a cookie, an empty text. */
export async function openSession(
  url: string,
  body: { email: string; password: string; code?: string },
): Promise<string> {
  const response = await send({ url }, "POST", "/session", body);
  await readAnswer({ url }, response);
  return sessionToken(response);
}

async function callAs<K extends RouteName>(
  caller: RestCaller,
  name: K,
  [input]: InputArguments<Contract[K]>,
): Promise<Answer<K>> {
  const { method, path } = requestOf(name, input);
  const answer = send(caller, method, path, input?.body).then((sent) => readAnswer(caller, sent));
  return (await pendingRead(answer)) as Answer<K>;
}

async function readAnswer(caller: RestCaller, response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  const answer: unknown = await response.json().catch(withoutJson);
  if (response.ok && isRecord(answer)) return answer;
  const refusal = toRefusal(response, answer);
  // Another proof is asked for by the form: the session goes on.
  const isNobody = response.status === 401 && refusal.code !== "authentication_too_old";
  if (isNobody) caller.onUnauthenticated?.();
  throw refusal;
}

/** A text that is no JSON has arrived whole; an answer that broke off has not. */
function withoutJson(error: unknown): null {
  if (error instanceof SyntaxError) return null;
  throw new Refusal("unavailable", { offline: true });
}

async function send(
  { url, token }: RestCaller,
  method: string,
  path: string,
  body: unknown,
): Promise<Response> {
  try {
    return await fetch(url + BASE + path, {
      method,
      credentials: token === undefined ? "same-origin" : "omit",
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(isBackground() && { [BACKGROUND_HEADER]: "1" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutOf(path)),
    });
  } catch {
    throw new Refusal("unavailable", { offline: true });
  }
}

/** A page that nobody touched in the last seconds calls by itself, such as upon a notice. Outside browsers this is unknown. */
function isBackground(): boolean {
  return globalThis.navigator?.userActivation?.isActive === false;
}

function timeoutOf(path: string): number {
  return path.startsWith("/change-sets") ? CHANGE_SET_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
}

/** A problem document as a `Refusal`; exported for its test. */
export function toRefusal(
  response: { status: number; headers: { get(name: string): string | null } },
  answer: unknown,
): Refusal {
  const problem = isRecord(answer) ? answer : {};
  const { code, message, type: _type, title, status: _status, detail, ...rest } = problem;
  const known = typeof code === "string" && Object.hasOwn(errorCatalogue, code);
  const text = [message, detail, title].find((text) => typeof text === "string");
  const retryAfter = Number(response.headers.get("retry-after"));
  const details = retryAfter > 0 ? { retryAfter, ...rest } : rest;
  if (known) {
    const fallback = errorCatalogue[code as ErrorCode].message;
    const body = { ...details, code: code as ErrorCode, message: (text ?? fallback) as string };
    return Refusal.fromBody(body);
  }
  return new Refusal(response.status >= 502 ? "unavailable" : "internal", details);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
