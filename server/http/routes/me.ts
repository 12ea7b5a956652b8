import type { Request } from "express";
import type { factorRoutes, meRoutes } from "../../../shared/contract/me.ts";
import type { AppDeps } from "../app-deps.ts";
import { passkeyOrigin } from "../base-url.ts";
import { type Handlers, listed } from "../handlers.ts";

export function meHandlers({ auth }: Pick<AppDeps, "auth">): Handlers<typeof meRoutes> {
  const { sessions, passwords } = auth;
  return {
    "GET /me/sessions": async ({ identity }) => listed(await sessions.mine(identity)),
    "DELETE /me/sessions": async ({ identity }) => ({
      ended: await sessions.endMyOthers(identity),
    }),
    "DELETE /me/sessions/{id}": ({ identity, params }) => sessions.endMine(identity, params.id),
    "PUT /me/password": ({ identity, body }) => passwords.change(identity, body),
  };
}

export function factorHandlers({
  auth: { factors },
  config,
}: Pick<AppDeps, "auth" | "config">): Handlers<typeof factorRoutes> {
  const siteOf = (request: Request) => ({ origin: passkeyOrigin(request, config.publicUrl) });
  return {
    "GET /me/factors": ({ identity }) => factors.mine(identity),
    "POST /me/totp": ({ identity, body }) => factors.startTotp(identity, body.password),
    "PUT /me/totp": async ({ identity, body }) => ({
      recoveryCodes: await factors.confirmTotp(identity, body.code),
    }),
    "DELETE /me/totp": ({ identity, body }) => factors.removeTotp(identity, body.password),
    "POST /me/recovery-codes": async ({ identity, body }) => ({
      recoveryCodes: await factors.renewCodes(identity, body.password),
    }),
    "POST /me/passkeys/challenge": async ({ identity, body, request }) =>
      factors.startPasskey(identity, body.password, siteOf(request)),
    "POST /me/passkeys": async ({ identity, body, request }) =>
      factors.addPasskey(identity, body, siteOf(request)),
    "DELETE /me/passkeys/{id}": ({ identity, params, body }) =>
      factors.removePasskey(identity, params.id, body.password),
  };
}
