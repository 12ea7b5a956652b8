import type { Request } from "express";
import type {
  identityProviderRoutes,
  providerSignInRoutes,
} from "../../../shared/protocol/identity-providers.ts";
import {
  addProvider,
  allProviders,
  changeProvider,
  oneProvider,
  providerState,
  removeProvider,
} from "../../auth/identity-providers.ts";
import {
  type BegunVisit,
  beginInvited,
  beginLink,
  beginVisit,
  linkedAccounts,
  signInMethods,
  signOutEverywhere,
  unlinkAccount,
} from "../../auth/provider-sign-in.ts";
import { policyFor, savePolicy } from "../../auth/sign-in-policy.ts";
import type { AppDeps } from "../app-deps.ts";
import { readCookie, VISIT_COOKIE } from "../credential.ts";
import { created, type Handlers, listed, Reply } from "../handlers.ts";
import { visitCookie } from "../provider-pages.ts";

export function identityProviderHandlers({
  auth,
}: AppDeps): Handlers<typeof identityProviderRoutes> {
  return {
    "GET /identity-providers": async ({ me }) => listed(await allProviders(auth, me)),
    "POST /identity-providers": async ({ me, body }) =>
      created("GET /identity-providers/{id}", await addProvider(auth, me, body)),
    "GET /identity-providers/{id}": ({ me, params }) => oneProvider(auth, me, params.id),
    "GET /identity-providers/{id}/state": ({ me, params }) => providerState(auth, me, params.id),
    "PATCH /identity-providers/{id}": ({ me, params, body }) =>
      changeProvider(auth, me, params.id, body),
    "DELETE /identity-providers/{id}": ({ me, params }) => removeProvider(auth, me, params.id),
    "GET /sign-in-policy": ({ me }) => policyFor(auth, me),
    "PUT /sign-in-policy": ({ me, body }) => savePolicy(auth, me, body),
  };
}

export function providerSignInHandlers({
  auth,
  config,
}: AppDeps): Handlers<typeof providerSignInRoutes> {
  const browserOf = ({ headers }: Request) => readCookie(headers, VISIT_COOKIE, config.publicUrl);
  const begun = ({ location, browser }: BegunVisit) =>
    new Reply({ location }, { cookies: [visitCookie(browser)] });
  return {
    "GET /sign-in-methods": ({ request }) => signInMethods(auth, browserOf(request)),
    "POST /session/proof/{provider}": async ({ identity, params, body, request }) =>
      begun(
        await beginVisit(auth, {
          ...{ provider: params.provider, purpose: "proof", returnTo: body.returnTo },
          ...{ browser: browserOf(request), session: identity.session },
        }),
      ),
    "POST /session/end": async ({ identity }) => {
      const location = identity && (await signOutEverywhere(auth, identity));
      return new Reply({ location }, { session: null });
    },
    "POST /invitations/{token}/sign-in": async ({ params, body, request }) =>
      begun(await beginInvited(auth, params.token, body.provider, browserOf(request))),
    "GET /me/linked-accounts": async ({ identity }) => listed(await linkedAccounts(auth, identity)),
    "POST /me/linked-accounts": async ({ identity, body, request }) =>
      begun(await beginLink(auth, identity, body, browserOf(request))),
    "DELETE /me/linked-accounts/{id}": ({ identity, params }) =>
      unlinkAccount(auth, identity, params.id),
  };
}
