import express, { type NextFunction, type Request, type Response, Router } from "express";
import { Refusal } from "../../shared/protocol/errors.ts";
import { requirePublicUrl } from "../auth/identity-providers.ts";
import { networkOf } from "../auth/network-of.ts";
import { beginSignIn, endVisit, obeyLogout, VISIT_TTL_MS } from "../auth/provider-sign-in.ts";
import { requestOrigin } from "../auth/security-log.ts";
import { reportTo } from "../policy/internal-error.ts";
import { toRefusal } from "../policy/to-refusal.ts";
import type { AppDeps } from "./app-deps.ts";
import { callerOf } from "./caller-of.ts";
import {
  type CookieToSet,
  cookieLine,
  isHttps,
  readCookie,
  readCredential,
  SESSION_COOKIE,
  VISIT_COOKIE,
} from "./credential.ts";

/**
 * The addresses that browsers and providers call, outside of the API: where a sign-in begins, where a provider hands the browser back,
 * and where it orders to sign out. None has an origin check: the first only begins, the second is bound to its browser by a cookie
 * (provider-sign-in.ts), the third is signed. A browser is answered by another page, never by the text of an error.
 */

const VISIT_COOKIE_MS = VISIT_TTL_MS;
/** Begun from one network address in RATE_WINDOW_MS: a whole office may sign in, and nobody fill the table. */
const VISITS_PER_ADDRESS = 100;
const LOGOUT_BODY_BYTES = 32_768;
const SENT_ON = "sentOn";

/** Binds a visit to its browser. `Lax`: it comes back by a link from elsewhere. */
export function visitCookie(value: string): CookieToSet {
  return { name: VISIT_COOKIE, value, maxAgeMs: VISIT_COOKIE_MS, sameSite: "Lax" };
}

export function providerPages(
  deps: AppDeps,
  limit: (request: Request, response: Response, next: NextFunction) => void,
): Router {
  const { auth, config, log } = deps;
  const { publicUrl, limits } = config;
  const router = Router({ caseSensitive: true });
  const browserOf = ({ headers }: Request) => readCookie(headers, VISIT_COOKIE, publicUrl);
  const setCookie = (request: Request, response: Response, cookie: CookieToSet) =>
    response.append("Set-Cookie", cookieLine(cookie, request.secure || isHttps(publicUrl)));
  const fromHere = <T>(request: Request, act: () => Promise<T>) =>
    requestOrigin.run(callerOf(request), act);
  const onError = (response: Response) => (error: unknown) =>
    toRefusal(error, reportTo(log, "request"), response.locals.id);
  router.use(limit, (_request, response, next) => {
    response.set({ "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" });
    next();
  });

  /**
   * The address at which a browser begins that has opened another one of this server: null if it is there. The provider hands it back there,
   * and its cookie must be of the same host. A proxy may hide by which name it was opened: it is sent on once.
   */
  const publicAddressOf = ({ host, params, query }: Request) => {
    if (publicUrl === undefined || query[SENT_ON] || host === new URL(publicUrl).host) return null;
    const { returnTo } = query;
    const sent = { ...(typeof returnTo === "string" && { returnTo }), [SENT_ON]: "1" };
    return `${publicUrl}/sign-in/${encodeURIComponent(String(params.provider))}?${new URLSearchParams(sent)}`;
  };

  router.get("/:provider", async (request, response) => {
    const elsewhere = publicAddressOf(request);
    if (elsewhere !== null) return response.redirect(302, elsewhere);
    const { returnTo } = request.query;
    deps.rates.take(`visit ${networkOf(request.ip ?? "")}`, VISITS_PER_ADDRESS);
    const call = {
      ...{ provider: request.params.provider, browser: browserOf(request) },
      returnTo: typeof returnTo === "string" ? returnTo : undefined,
    };
    const visit = await beginSignIn(auth, call, onError(response));
    setCookie(request, response, visitCookie(visit.browser));
    response.redirect(302, visit.location);
  });

  router.get("/:provider/callback", async (request, response) => {
    const credential = readCredential(request.headers, { kind: "person", publicUrl });
    const former =
      credential?.by === "cookie"
        ? await auth.authenticate(credential.token, { withoutFactor: true })
        : null;
    const call = {
      ...{ provider: request.params.provider, browser: browserOf(request), former },
      address: new URL(request.originalUrl, requirePublicUrl(auth)),
      caller: callerOf(request),
    };
    const { location, session } = await fromHere(request, () =>
      endVisit(auth, call, onError(response)),
    );
    if (session !== null) {
      const maxAgeMs = limits.PROVIDER_SESSION_MS;
      setCookie(request, response, {
        name: SESSION_COOKIE,
        value: session,
        maxAgeMs,
        sameSite: "Lax",
      });
    }
    response.redirect(303, location);
  });

  const form = express.urlencoded({ extended: false, limit: LOGOUT_BODY_BYTES });
  router.post("/:provider/logout", form, async (request, response) => {
    const token = (request.body as { logout_token?: unknown } | undefined)?.logout_token;
    const isObeyed =
      typeof token === "string" &&
      (await fromHere(request, () => obeyLogout(auth, String(request.params.provider), token)));
    if (!isObeyed) throw new Refusal("invalid_request");
    response.status(200).end();
  });
  return router;
}
