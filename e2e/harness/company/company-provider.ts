import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from "jose";
import { Provider } from "oidc-provider";

/**
 * A real OpenID Connect provider on this machine. Nobody is asked there: `signsIn` is who sits before it. What a provider that is broken or
 * hostile would send is made of what the real one sends: its signed token is opened, changed and signed again, by the same key or another.
 */
export interface CompanyProvider extends AsyncDisposable {
  issuer: string;
  /** Who is at the provider's sign-in, and what it knows of them. */
  signsIn: Account;
  /** Changes the claims of the next signed tokens; `key: "foreign"` signs by a key that the provider does not have. */
  forge: { claims?: (claims: Claims) => Claims; key?: "foreign" } | null;
  /** Answers no user info, as AD FS where nothing is configured for it. */
  refusesUserInfo: boolean;
  /** Answers nothing, as a machine that was switched off. */
  isDown: boolean;
  /** An order to sign out, as the provider signs it. */
  logoutToken(claims: Claims, header?: Record<string, string>, key?: "foreign"): Promise<string>;
}

type Claims = Record<string, unknown>;
export type Account = { sub: string; amr?: string[]; acr?: string } & Claims;
export const clientSecret = "a secret of the company";
export const clientId = "watchfloor";

interface Options {
  /** The public address of the console, for the redirects that are registered. */
  publicUrl: string;
  /** Where it can really be reached, for orders to sign out. */
  origin: string;
  /** The ids that the console has for it. */
  ids: readonly string[];
}

export async function startCompanyProvider({ publicUrl, origin, ids }: Options) {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const foreign = await generateKeyPair("RS256");
  const key = { ...(await exportJWK(privateKey)), kid: "first", alg: "RS256", use: "sig" };
  let provider: Provider;
  const state = {
    ...{ signsIn: { sub: "nobody" } as Account, forge: null },
    ...{ isDown: false, refusesUserInfo: false },
  } as Pick<CompanyProvider, "signsIn" | "forge" | "isDown" | "refusesUserInfo">;
  const known = new Map<string, Account>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (state.isDown) return void request.socket.destroy();
    const { pathname } = new URL(request.url ?? "/", issuer);
    if (pathname.startsWith("/interaction/")) return signInAtProvider(request, response);
    if (pathname === "/me" && state.refusesUserInfo) {
      return void response.writeHead(401, { "www-authenticate": "Bearer" }).end();
    }
    if (pathname === "/token" && state.forge) forgeAnswer(response);
    provider.callback()(request, response);
  }

  async function signInAtProvider(request: IncomingMessage, response: ServerResponse) {
    const { sub, amr, acr } = state.signsIn;
    known.set(sub, state.signsIn);
    const grant = new provider.Grant({ accountId: sub, clientId });
    grant.addOIDCScope("openid email profile groups");
    const login = { accountId: sub, ...(amr && { amr }), ...(acr && { acr }) };
    const consent = { grantId: await grant.save() };
    await provider.interactionFinished(request, response, { login, consent });
  }

  /** Replaces the token in an answer before it leaves. */
  function forgeAnswer(response: ServerResponse): void {
    const end = response.end.bind(response);
    response.end = ((body: string | Buffer) => {
      void (async () => {
        const answer = JSON.parse(String(body));
        const { claims = (same: Claims) => same, key } = state.forge ?? {};
        if (answer.id_token)
          answer.id_token = await sign(claims(decodeJwt(answer.id_token)), {}, key);
        const text = JSON.stringify(answer);
        response.setHeader("content-length", Buffer.byteLength(text));
        end(text);
      })();
      return response;
    }) as typeof response.end;
  }

  function sign(claims: Claims, header: Record<string, string> = {}, by?: "foreign") {
    const token = new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "first", ...header });
    return token.sign(by === "foreign" ? foreign.privateKey : privateKey);
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: ids.map((id) => `${publicUrl}/sign-in/${id}/callback`),
        post_logout_redirect_uris: [`${publicUrl}/login`],
        backchannel_logout_uri: `${origin}/sign-in/${ids[0]}/logout`,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ["not secret in a test"] },
    claims: {
      openid: ["sub", "sid", "amr", "acr"],
      email: ["email", "email_verified"],
      profile: ["name"],
      groups: ["groups", "_claim_names", "_claim_sources"],
    },
    scopes: ["openid", "email", "profile", "groups", "offline_access"],
    conformIdTokenClaims: false,
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => {
        const { amr: _amr, acr: _acr, ...claims } = known.get(sub) ?? { sub };
        return claims;
      },
    }),
    // its own refuses this machine
    fetch: (
      address: string,
      { dispatcher: _own, ...options }: RequestInit & { dispatcher?: object },
    ) => fetch(address, options),
    pkce: { required: () => true },
    ttl: { Session: 3_600, Grant: 3_600, Interaction: 600, AccessToken: 600, IdToken: 600 },
  });

  return Object.assign(state, {
    issuer,
    async logoutToken(claims: Claims, header: Record<string, string> = {}, by?: "foreign") {
      const now = Math.floor(Date.now() / 1_000);
      const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
      const usual = {
        iss: issuer,
        aud: clientId,
        iat: now,
        exp: now + 120,
        jti: crypto.randomUUID(),
        events,
      };
      return sign({ ...usual, ...claims }, { typ: "logout+jwt", ...header }, by);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  }) satisfies CompanyProvider;
}
