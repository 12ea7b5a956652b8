import type { Request } from "express";
import { clientLimits } from "../../../shared/limits.ts";
import { abilitiesOf } from "../../../shared/policy/abilities.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import type { SessionInfo, sessionRoutes } from "../../../shared/protocol/session.ts";
import { KNOWN_DEVICE_TTL_MS, rememberDevice } from "../../auth/devices.ts";
import type { Identity } from "../../auth/identity.ts";
import { passkeyToUse } from "../../auth/passkeys.ts";
import { proveAgain } from "../../auth/recent-authentication.ts";
import { completeSignIn, signIn, signInByPasskey, signOut } from "../../auth/sign-in.ts";
import type { AppDeps } from "../app-deps.ts";
import { passkeyOrigin } from "../base-url.ts";
import { callerOf } from "../caller-of.ts";
import { DEVICE_COOKIE, readCookie } from "../credential.ts";
import { type Handlers, Reply } from "../handlers.ts";

export function sessionHandlers(deps: AppDeps): Handlers<typeof sessionRoutes> {
  const { auth, config } = deps;
  const siteOf = (request: Request) => ({ origin: passkeyOrigin(request, config.publicUrl) });
  return {
    "POST /session": async ({ body, request, identity }) => {
      const device = readCookie(request.headers, DEVICE_COOKIE, config.publicUrl);
      const token = await signIn(auth, body, callerOf(request), device);
      return signedIn(deps, request, token, identity);
    },
    "GET /session": async ({ identity }) => sessionInfo(identity, deps),
    "POST /session/factor": async ({ body, identity, request }) => {
      const known = readCookie(request.headers, DEVICE_COOKIE, config.publicUrl);
      const isShown = await completeSignIn(auth, identity, body, siteOf(request), known);
      const cookies = isShown ? [await deviceCookie(deps, request, identity)] : [];
      return new Reply(undefined, { cookies });
    },
    "POST /session/proof": ({ body, identity, request }) =>
      proveAgain(auth, identity, body, siteOf(request)),
    "DELETE /session": async ({ identity }) => {
      if (identity) await signOut(auth, identity);
      return new Reply(undefined, { session: null });
    },
    "POST /session/passkey-challenge": ({ request }) => passkeyToUse(auth, siteOf(request)),
    "POST /session/passkey": async ({ body, request, identity }) => {
      const token = await signInByPasskey(auth, body.response, siteOf(request), callerOf(request));
      return signedIn(deps, request, token, identity);
    },
  };
}

/**
 * The answer to a successful sign-in: the cookies, and the user. Ends the browser's former session, which
 * nobody could end from there any more. The browser is a known device from now on, unless a second factor must still be shown.
 */
export async function signedIn(
  deps: AppDeps,
  request: Request,
  token: string,
  former: Identity | null = null,
): Promise<Reply<SessionInfo>> {
  const { auth } = deps;
  if (former) await signOut(auth, former);
  const identity = await auth.authenticate(token, { withoutFactor: true });
  if (!identity) throw new Refusal("session_ended");
  const cookies = identity.lacksFactor ? [] : [await deviceCookie(deps, request, identity)];
  return new Reply(sessionInfo(identity, deps), { session: token, cookies });
}

async function deviceCookie({ auth, config }: AppDeps, request: Request, { subject }: Identity) {
  const known = readCookie(request.headers, DEVICE_COOKIE, config.publicUrl);
  const value = await rememberDevice(auth, subject.id, known);
  const maxAgeMs = KNOWN_DEVICE_TTL_MS;
  return { name: DEVICE_COOKIE, value, maxAgeMs, sameSite: "Lax" } as const;
}

function sessionInfo(
  identity: Identity,
  { model, config: { limits }, textOrder }: AppDeps,
): SessionInfo {
  const { user, subject, token, provider, lacksFactor, expires } = identity;
  return {
    user: {
      ...user,
      role: subject.role.id,
      roleName: subject.role.name,
      attributes: subject.attributes,
    },
    ...(token && { token }),
    ...(provider && { provider }),
    ...(lacksFactor && { lacksFactor }),
    abilities: abilitiesOf(subject, model()),
    limits: clientLimits(limits),
    textOrder,
    expires,
  };
}
