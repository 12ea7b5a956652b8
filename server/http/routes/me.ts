import type { Request } from "express";
import type { factorRoutes, meRoutes } from "../../../shared/protocol/account.ts";
import {
  addPasskey,
  confirmTotp,
  factorsOf,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
  startPasskey,
  startTotp,
} from "../../auth/factors.ts";
import { changePassword } from "../../auth/passwords.ts";
import { endMyOtherSessions, endMySession, mySessions } from "../../auth/sessions.ts";
import type { AppDeps } from "../app-deps.ts";
import { passkeyOrigin } from "../base-url.ts";
import { type Handlers, listed } from "../handlers.ts";

export function meHandlers({ auth }: AppDeps): Handlers<typeof meRoutes> {
  return {
    "GET /me/sessions": async ({ identity }) => listed(await mySessions(auth, identity)),
    "DELETE /me/sessions": ({ identity, query }) =>
      endMyOtherSessions(auth, identity, query.revoke),
    "DELETE /me/sessions/{id}": ({ identity, params }) => endMySession(auth, identity, params.id),
    "PUT /me/password": ({ identity, body }) => changePassword(auth, identity, body),
  };
}

export function factorHandlers({ auth, config }: AppDeps): Handlers<typeof factorRoutes> {
  const siteOf = (request: Request) => ({ origin: passkeyOrigin(request, config.publicUrl) });
  return {
    "GET /me/factors": ({ me }) => factorsOf(auth.db, me.id),
    "POST /me/totp": ({ identity, body }) => startTotp(auth, identity, body.password),
    "PUT /me/totp": async ({ identity, body }) => ({
      recoveryCodes: await confirmTotp(auth, identity, body.code),
    }),
    "DELETE /me/totp": ({ identity, body }) => removeTotp(auth, identity, body.password),
    "POST /me/recovery-codes": async ({ identity, body }) => ({
      recoveryCodes: await renewRecoveryCodes(auth, identity, body.password),
    }),
    "POST /me/passkeys/challenge": async ({ identity, body, request }) =>
      startPasskey(auth, identity, body.password, siteOf(request)),
    "POST /me/passkeys": async ({ identity, body, request }) =>
      addPasskey(auth, identity, body, siteOf(request)),
    "DELETE /me/passkeys/{id}": ({ identity, params, body }) =>
      removePasskey(auth, identity, params.id, body.password),
  };
}
