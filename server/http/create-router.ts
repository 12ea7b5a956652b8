import { isDeepStrictEqual } from "node:util";
import express, { type NextFunction, type Request, type Response, Router } from "express";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Auth } from "../auth/create-auth.ts";
import type { Identity } from "../auth/identity.ts";
import { networkOf } from "../auth/network-of.ts";
import type { RateLimits } from "../auth/rate-limits.ts";
import { requestOrigin } from "../auth/security-log.ts";
import type { Config } from "../config/config.ts";
import type { Displays } from "../displays/create-displays.ts";
import { callerOf } from "./caller-of.ts";
import {
  type Credential,
  cookieLine,
  isHttps,
  readCredential,
  SESSION_COOKIE,
} from "./credential.ts";
import type { Reply, Route } from "./route.ts";
import { isSameOrigin } from "./same-origin.ts";

/**
 * Makes Express routes of the table of routes. The order within a request is: whether the address calls too
 * often, same origin, who is it, whether they call too often, body, handler. So a stranger's body is never read,
 * but on the few public routes.
 */

export interface RouterDeps {
  auth: Pick<Auth, "authenticate">;
  displays: Pick<Displays, "authenticate">;
  rates: Pick<RateLimits, "take">;
  config: Pick<Config, "limits" | "publicUrl" | "trustProxy">;
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export function createRouter(routes: readonly Route[], deps: RouterDeps): Router {
  const router = Router({ caseSensitive: true });
  const readJson = express.json({ limit: deps.config.limits.REQUEST_BODY_MAX_BYTES });
  for (const one of routes) {
    const path = one.path.replace(/\{(\w+)\}/g, ":$1");
    const steps = [admit(one, deps), ...(one.body ? [readJson] : []), answer(one, deps)];
    router[one.method](path, ...steps);
  }
  return router;
}

function admit({ access, path }: Route, { auth, displays, rates, config }: RouterDeps) {
  const isForDisplays = access === "display";
  const { authenticate } = isForDisplays ? displays : auth;
  const kind = isForDisplays ? "display" : "person";
  return async (request: Request, response: Response, next: NextFunction) => {
    response.locals.route = path;
    const address = networkOf(request.ip ?? "");
    rates.take(`address ${address}`, config.limits.REQUESTS_PER_ADDRESS);
    const credential = readCredential(request.headers, { kind, publicUrl: config.publicUrl });
    judgeOrigin(request, credential, config);
    const identity = credential && (await authenticate(credential.token));
    if (identity) rates.take(`user ${identity.subject.id}`, config.limits.REQUESTS_PER_USER);
    else if (!safeMethods.has(request.method)) {
      rates.take(`stranger ${address}`, config.limits.STRANGERS_CALLS_PER_ADDRESS);
    }
    if (access !== "public" && !identity) {
      throw new Refusal(credential ? "session_ended" : "unauthenticated");
    }
    response.locals.identity = identity;
    response.locals.askAgain = () => credential && authenticate(credential.token);
    next();
  };
}

/** Signing in from elsewhere is refused too: nobody is put into somebody else's session unasked. */
function judgeOrigin(
  { method, headers }: Request,
  credential: Credential | null,
  { publicUrl, trustProxy }: RouterDeps["config"],
): void {
  if (safeMethods.has(method) || credential?.by === "bearer") return;
  if (isSameOrigin(headers, { publicUrl, behindProxy: trustProxy !== 0 })) return;
  const message = "This request came from another site.";
  throw new Refusal("forbidden", { right: "same-origin" }, message);
}

function answer(one: Route, { config }: RouterDeps) {
  return async (request: Request, response: Response) => {
    const { params, query, body } = request;
    const origin = callerOf(request);
    const run = (identity: Identity | null) =>
      requestOrigin.run(origin, () => one.run({ params, query, body, request }, identity));
    const { identity, askAgain } = response.locals;
    const isRead = one.method === "get" && one.access !== "public";
    const reply = isRead ? await readHolding(run, identity, askAgain) : await run(identity);
    send(reply, request, response, config);
  };
}

/**
 * What was read under rights that ended meanwhile is never sent: it is read again by those of now. What is public is
 * read by nobody's rights, and a link that is followed must be followed once.
 */
async function readHolding(
  run: (identity: Identity) => Promise<Reply>,
  first: Identity,
  askAgain: () => Promise<Identity | null>,
): Promise<Reply> {
  for (let identity = first; ; ) {
    const reply = await run(identity);
    const now = await askAgain();
    if (!now) throw new Refusal("session_ended");
    if (isDeepStrictEqual(now.subject, identity.subject)) return reply;
    identity = now;
  }
}

function send(
  reply: Reply,
  request: Request,
  response: Response,
  { limits, publicUrl }: RouterDeps["config"],
): void {
  const secure = request.secure || isHttps(publicUrl);
  const cookies = [...(reply.cookies ?? [])];
  if (reply.session !== undefined) {
    const maxAgeMs = limits.SESSION_ABSOLUTE_MS;
    cookies.push({ name: SESSION_COOKIE, value: reply.session, maxAgeMs, sameSite: "Lax" });
  }
  for (const cookie of cookies) response.append("Set-Cookie", cookieLine(cookie, secure));
  response.set(reply.headers ?? {});
  if (reply.body === undefined) response.status(reply.status ?? 204).end();
  else response.status(reply.status ?? 200).json(reply.body);
}
