import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { isDeepStrictEqual } from "node:util";
import { gunzipSync } from "node:zlib";
import express, { type NextFunction, type Request, type Response, Router } from "express";
import { englishOnly, explain } from "../../shared/error-texts/explain.ts";
import { tagInexactNumbers } from "../../shared/model/exact-json.ts";
import type { Model } from "../../shared/model/model.ts";
import { BACKGROUND_HEADER, methodAndPath } from "../../shared/protocol/call.ts";
import { type Contract, contract, type RouteName } from "../../shared/protocol/contract.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { type Route, statusOf } from "../../shared/protocol/route.ts";
import type { Auth } from "../auth/create-auth.ts";
import type { Identity } from "../auth/identity.ts";
import { networkOf } from "../auth/network-of.ts";
import { requireRecentProof } from "../auth/recent-authentication.ts";
import { requestOrigin } from "../auth/security-log.ts";
import { factorRequired } from "../auth/sign-in-policy.ts";
import { endedCredential } from "../auth/tokens.ts";
import type { Config } from "../config/config.ts";
import type { Displays } from "../displays/create-displays.ts";
import type { ClientConnections } from "../load/client-connections.ts";
import type { RateLimits } from "../load/rate-limits.ts";
import type { UnreadAnswers } from "../load/unread-answers.ts";
import { hasTooManyParts } from "../policy/parse-input.ts";
import { allowBodyTime } from "./body-deadline.ts";
import { callerOf } from "./caller-of.ts";
import { checkAnswer, checkError } from "./check-contract.ts";
import {
  type Credential,
  cookieLine,
  isHttps,
  readCredential,
  SESSION_COOKIE,
} from "./credential.ts";
import { sendGzipped } from "./gzipped.ts";
import { type Handlers, Reply } from "./handlers.ts";
import { HeldBodies } from "./held-bodies.ts";
import { parseCall } from "./parse.ts";
import { requireRouteRight } from "./require-route-right.ts";
import { isSameOrigin } from "./same-origin.ts";

/** Unauthenticated writing requests of one address in RATE_WINDOW_MS: signing in, links, passkeys. */
const STRANGERS_CALLS_PER_ADDRESS = 300;

/**
 * Makes Express routes of the contract and its handlers. The order within a request is: rate limit of the
 * address, same origin, authentication, rate limit of the user, right, space for the answer and for the body, body, authentication again, right, form, handler.
 * So the body of a caller without the right is never read, except on the few public routes.
 */

interface RouterDeps {
  auth: Pick<Auth, "authenticate" | "db" | "limits">;
  displays: Pick<Displays, "authenticate">;
  rates: Pick<RateLimits, "take" | "left">;
  connections: Pick<ClientConnections, "authenticated">;
  answers: Pick<UnreadAnswers, "requireCapacity" | "count">;
  config: Pick<Config, "limits" | "publicUrl" | "trustProxy">;
  /** The published model: it says which tables the caller may read. */
  model: () => Model;
  /** Whether answers and refusals are compared with the contract, as in tests; a mismatch is `internal`. */
  checksContract?: boolean;
}

/** A route with its handler, without the types of its parts. */
interface Served {
  name: RouteName;
  route: Route;
  handle: (call: object) => Promise<unknown>;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function createRouter(handlers: Handlers<Contract>, deps: RouterDeps): Router {
  const router = Router({ caseSensitive: true });
  const { PUBLIC_BODY_MAX_BYTES, REQUEST_BODY_MAX_BYTES } = deps.config.limits;
  const held = new HeldBodies(deps.config.limits);
  const type = "application/json";
  const readSmall = express.text({ type, limit: PUBLIC_BODY_MAX_BYTES });
  const readText = (limit: number) =>
    express.text({
      type,
      limit,
      verify: (request, _response, body) => held.received(request, body.length),
    });
  const readUsual = readText(REQUEST_BODY_MAX_BYTES);
  for (const name of Object.keys(contract) as RouteName[]) {
    const served: Served = { name, route: contract[name], handle: handlers[name] as never };
    const { method, path } = methodAndPath(name);
    const { right, bodyMaxBytes } = served.route;
    const readWhole = bodyMaxBytes === undefined ? readUsual : readText(bodyMaxBytes);
    const read =
      right === "none" ? [readSmall] : [held.admit(bodyMaxBytes), held.waitForTurn, readWhole];
    const body = served.route.body ? [...read, parseJson] : [];
    const steps = [admit(served, deps), ...body, answer(served, deps)];
    const verb = method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    router[verb](path.replace(/\{(\w+)\}/g, ":$1"), ...steps);
  }
  return router;
}

function admit({ name, route }: Served, deps: RouterDeps) {
  const { auth, displays, rates, connections, answers, config, model } = deps;
  const { path } = methodAndPath(name);
  const isForDisplays = route.right === "display";
  const isPublic = route.right === "none";
  const { authenticate } = isForDisplays ? displays : auth;
  const kind = isForDisplays ? "display" : "person";
  return async (request: Request, response: Response, next: NextFunction) => {
    response.locals.route = path;
    const address = networkOf(request.ip ?? "");
    rates.take(`address ${address}`, config.limits.REQUESTS_PER_ADDRESS);
    const credential = readCredential(request.headers, { kind, publicUrl: config.publicUrl });
    if (!route.anyOrigin) requireSameOrigin(request, credential, config);
    const isActivity = request.headers[BACKGROUND_HEADER] === undefined;
    const ask = async () => {
      const known =
        credential && (await authenticate(credential.token, { isActivity, withoutFactor: true }));
      if (known?.lacksFactor && !isPublic && !route.withoutFactor) throw factorRequired();
      return known;
    };
    const identity = await requestOrigin.run({ ...callerOf(request), ip: address }, ask);
    if (identity?.token) countTokenCall(identity.token.id, response, rates, config.limits);
    else if (identity) rates.take(`user ${identity.subject.id}`, config.limits.REQUESTS_PER_USER);
    else if (!safeMethods.has(request.method)) {
      rates.take(`stranger ${address}`, STRANGERS_CALLS_PER_ADDRESS);
    }
    if (identity) connections.authenticated(request.socket, identity.subject.id);
    response.locals.owner = identity ? identity.subject.id : `address ${address}`;
    if (!isPublic && !identity) {
      throw credential ? endedCredential(credential.token) : new Refusal("unauthenticated");
    }
    if (!isPublic && identity?.token && !route.tokens) throw notForTokens();
    if (!isPublic && identity) requireRouteRight(route, identity.subject, request.params, model());
    answers.requireCapacity(response.locals.owner);
    if (!isPublic) allowBodyTime(request, config.limits.REQUEST_BODY_TIMEOUT_MS);
    response.locals.identity = identity;
    response.locals.askAgain = async () => {
      const now = await ask();
      if (!now) throw endedCredential(credential?.token ?? "");
      return now;
    };
    next();
  };
}

/** Counts a call with an API token, and says in the answer what is left (draft-ietf-httpapi-ratelimit-headers). */
function countTokenCall(
  token: string,
  response: Response,
  rates: RouterDeps["rates"],
  { REQUESTS_PER_TOKEN: limit, RATE_WINDOW_MS }: RouterDeps["config"]["limits"],
): void {
  const key = `token ${token}`;
  try {
    rates.take(key, limit);
  } finally {
    const { calls, seconds } = rates.left(key, limit);
    response.set("RateLimit-Policy", `"token";q=${limit};w=${Math.ceil(RATE_WINDOW_MS / 1_000)}`);
    response.set("RateLimit", `"token";r=${calls};t=${seconds}`);
  }
}

function notForTokens(): Refusal {
  return new Refusal("forbidden", { right: "session" }, explain("session.notForTokens"));
}

/** Parses the text of a body without altering a number that a double can't hold. An empty one is an empty object. */
function parseJson(request: Request, _response: Response, next: NextFunction): void {
  if (typeof request.body === "string") {
    const json = request.body === "" ? {} : readJson(request.body);
    if (typeof json !== "object" || json === null) throw notJson();
    request.body = json;
  }
  next();
}

function readJson(text: string): unknown {
  if (hasTooManyParts(text)) throw tooManyParts();
  try {
    return JSON.parse(tagInexactNumbers(text));
  } catch {
    throw notJson();
  }
}

const tooManyParts = () =>
  new Refusal(
    "invalid_request",
    {},
    englishOnly("The body has too many objects and lists. Send it in parts."),
  );

const notJson = () => new Refusal("invalid_request", {}, englishOnly("The body is not JSON."));

/** Signing in from another site is refused too, so that nobody is put into somebody else's session. */
function requireSameOrigin(
  { method, headers }: Request,
  credential: Credential | null,
  { publicUrl, trustProxy }: RouterDeps["config"],
): void {
  if (safeMethods.has(method) || credential?.by === "bearer") return;
  if (isSameOrigin(headers, { publicUrl, behindProxy: trustProxy !== 0 })) return;
  const explanation = englishOnly("This request came from another site.");
  throw new Refusal("forbidden", { right: "same-origin" }, explanation);
}

function answer({ name, route, handle }: Served, deps: RouterDeps) {
  const { auth, checksContract, model } = deps;
  return async (request: Request, response: Response) => {
    const { params, query, body } = request;
    const origin = callerOf(request);
    const run = (identity: Identity | null) =>
      requestOrigin.run({ ...origin, token: identity?.token?.name }, async () => {
        const me = identity?.subject ?? null;
        if (me) requireRouteRight(route, me, params, model());
        if (identity && route.needsProof) await requireRecentProof(auth, identity);
        const call = parseCall(route, { params, query, body });
        response.locals.endTurn?.();
        return handle({ ...call, identity, me, request });
      });
    const { identity: admitted, askAgain: reauthenticate } = response.locals;
    const isPublic = route.right === "none";
    const isRead = request.method === "GET" && !isPublic;
    // The body may have arrived long after its author was authenticated.
    const identity = route.body && !isPublic ? await reauthenticate() : admitted;
    const result = await (isRead
      ? readUnderCurrentRights(run, identity, reauthenticate)
      : run(identity)
    ).catch(async (error: unknown) => {
      if (checksContract) checkError(name, error);
      // Edits of a caller whose rights change are answered so. One who is signed out must not repeat them.
      if (identity && error instanceof Refusal && error.code === "unavailable")
        await reauthenticate();
      throw error;
    });
    const reply = result instanceof Reply ? result : new Reply(result, {});
    const { gzipped } = reply.extras;
    if (checksContract) {
      checkAnswer(name, gzipped ? JSON.parse(String(gunzipSync(gzipped))) : reply.body);
    }
    if (gzipped) {
      deps.answers.count(response.locals.owner, response, gzipped.length, true);
      return sendGzipped(request, response, "json", gzipped);
    }
    if (reply.extras.file) return sendFile(reply.extras.file, route, response);
    send(reply, statusOf(route), request, response, deps);
  };
}

/**
 * What was read under rights that ended meanwhile is never sent: it is read again under the current ones.
 * Public routes need no rights, and a one-time link must be used once.
 */
async function readUnderCurrentRights(
  run: (identity: Identity) => Promise<unknown>,
  first: Identity,
  reauthenticate: () => Promise<Identity>,
): Promise<unknown> {
  for (let identity = first; ; ) {
    const result = await run(identity);
    const now = await reauthenticate();
    if (isDeepStrictEqual(now.subject, identity.subject)) return result;
    identity = now;
  }
}

/**
 * Streams a file. A failure before its first bytes is an ordinary error; one after them ends the connection, so that
 * nobody takes the part for the whole. The first bytes are sent at once, also where they are few and compressed: the next may take long.
 */
async function sendFile(
  { name, chunks }: NonNullable<Reply<unknown>["extras"]["file"]>,
  { download = "" }: Route,
  response: Response,
): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const first = await iterator.next();
    // `attachment` guesses a type by the name, and knows no `.jsonl`.
    response.attachment(name);
    response.type(`${download}; charset=utf-8`);
    if (!first.done) response.write(first.value);
    // There is one where answers are compressed.
    response.flush?.();
    const rest = async function* () {
      for (let next = first; !next.done; ) {
        next = await iterator.next();
        if (!next.done) yield next.value;
      }
    };
    await pipeline(Readable.from(rest()), response);
  } finally {
    await iterator.return?.();
  }
}

function send(
  { body, extras }: Reply<unknown>,
  status: number,
  request: Request,
  response: Response,
  { answers, config: { limits, publicUrl } }: RouterDeps,
): void {
  const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body));
  answers.count(response.locals.owner, response, bytes.length, safeMethods.has(request.method));
  const secure = request.secure || isHttps(publicUrl);
  const cookies = [...(extras.cookies ?? [])];
  if (extras.session !== undefined) {
    const maxAgeMs = limits.SESSION_ABSOLUTE_MS;
    cookies.unshift({ name: SESSION_COOKIE, value: extras.session, maxAgeMs, sameSite: "Lax" });
  }
  for (const cookie of cookies) response.append("Set-Cookie", cookieLine(cookie, secure));
  response.set(extras.headers ?? {});
  if (body === undefined) response.status(status).end();
  else
    response
      .status(extras.status ?? status)
      .type("json")
      .send(bytes);
}
