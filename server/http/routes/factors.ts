import type { Request } from "express";
import { z } from "zod";
import {
  addedPasskeySchema,
  addPasskeySchema,
  confirmTotpSchema,
  factorsSchema,
  passkeyOptionsSchema,
  provenSchema,
  recoveryCodesSchema,
  totpSecretSchema,
} from "../../../shared/protocol/factors.ts";
import type { AppDeps } from "../app-deps.ts";
import { baseUrl } from "../base-url.ts";
import { callerOf } from "../caller-of.ts";
import { type Route, route } from "../route.ts";

const params = z.object({ id: z.string().max(1_400) });

/** My second factors. What changes them asks for the password in the body. */
export function factorRoutes(deps: Pick<AppDeps, "auth" | "config">): Route[] {
  const { factors } = deps.auth;
  const mine = route(
    {
      method: "get",
      path: "/me/factors",
      summary: "My second factors.",
      answer: factorsSchema,
    },
    async (me) => ({ body: await factors.mine(me) }),
  );
  const renew = route(
    {
      method: "post",
      path: "/me/recovery-codes",
      summary: "New recovery codes in place of the old ones. They are shown this once.",
      body: provenSchema,
      answer: recoveryCodesSchema,
    },
    async (me, { body, request }) => ({
      body: { recoveryCodes: await factors.renewCodes(me, body.password, ipOf(request)) },
    }),
  );
  return [mine, ...totpRoutes(deps), renew, ...passkeyRoutes(deps)];
}

function totpRoutes({ auth: { factors } }: Pick<AppDeps, "auth">): Route[] {
  const path = "/me/totp";
  return [
    route(
      {
        method: "post",
        path,
        summary: "Begin with an authenticator app. It is not asked for until it is confirmed.",
        body: provenSchema,
        answer: totpSecretSchema,
      },
      async (me, { body, request }) => ({
        body: await factors.startTotp(me, body.password, ipOf(request)),
      }),
    ),
    route(
      {
        method: "put",
        path,
        summary: "Confirm the authenticator app by its first code.",
        body: confirmTotpSchema,
        answer: recoveryCodesSchema,
      },
      async (me, { body, request }) => ({
        body: { recoveryCodes: await factors.confirmTotp(me, body.code, ipOf(request)) },
      }),
    ),
    route(
      {
        method: "delete",
        path,
        summary: "Remove the authenticator app.",
        body: provenSchema,
        status: 204,
      },
      async (me, { body, request }) => {
        await factors.removeTotp(me, body.password, ipOf(request));
        return {};
      },
    ),
  ];
}

function passkeyRoutes({ auth: { factors }, config }: Pick<AppDeps, "auth" | "config">): Route[] {
  const siteOf = (request: Request) => ({ origin: baseUrl(request, config.publicUrl) });
  return [
    route(
      {
        method: "post",
        path: "/me/passkeys/challenge",
        summary: "What a browser needs to make a passkey for me.",
        body: provenSchema,
        answer: passkeyOptionsSchema,
      },
      async (me, { body, request }) => {
        const proof = { password: body.password, ip: ipOf(request) };
        return { body: await factors.startPasskey(me, proof, siteOf(request)) };
      },
    ),
    route(
      {
        method: "post",
        path: "/me/passkeys",
        summary: "Keep the passkey that the browser made.",
        body: addPasskeySchema,
        answer: addedPasskeySchema,
        status: 201,
      },
      async (me, { body, request }) => ({
        status: 201,
        body: await factors.addPasskey(me, body, siteOf(request)),
      }),
    ),
    route(
      {
        method: "delete",
        path: "/me/passkeys/{id}",
        summary: "Remove a passkey.",
        params,
        body: provenSchema,
        status: 204,
      },
      async (me, { params: { id }, body, request }) => {
        await factors.removePasskey(me, id, { password: body.password, ip: ipOf(request) });
        return {};
      },
    ),
  ];
}

function ipOf(request: Request): string {
  return callerOf(request).ip;
}
