import type * as OpenId from "openid-client";
import type { Explanation } from "../../shared/error-texts/explain.ts";
import { explainSignIn } from "../../shared/error-texts/sign-in-texts.ts";
import { invalidValue, Refusal, unavailable } from "../../shared/protocol/errors.ts";
import { isProviderAddress } from "../../shared/protocol/provider-address.ts";
import type { ProviderRow } from "../store/users/identity-providers.ts";

/**
 * Talks to a provider by OpenID Connect: the address that a browser is sent to, the exchange of its code for signed claims, and the
 * provider's orders to sign out. The library checks state, nonce, PKCE, issuer (also that of the answer, against mix-ups), audience,
 * times and signature; what it leaves to us is here: every address of a provider is https or on this machine, no redirect is followed,
 * no answer is larger than a megabyte or takes longer than ten seconds. Secrets and tokens are in no error and no log.
 */

/** A provider as its row says, with its secret. */
export type Provider = Omit<ProviderRow, "client_secret" | "users" | "created_at"> & {
  secret: string;
};

/** What a provider says of who has signed in. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  /** The name of its session, if it sends one. */
  sid: string | null;
  /** In seconds; null: it does not say. */
  authTime: number | null;
  idToken: string;
  /** All claims: those of the signed token, and of its user info what that lacks. */
  claims: Readonly<Record<string, unknown>>;
}

interface Connection {
  library: typeof OpenId;
  configuration: OpenId.Configuration;
  /** By how many seconds the provider's clock was ahead when it was read; null: it did not say. */
  clock: { aheadS: number | null };
}

const TIMEOUT_S = 10;
const ANSWER_MAX_BYTES = 1_048_576;
const ISSUER_MAX_CHARACTERS = 500;
const ALGORITHMS_MAX_CHARACTERS = 60;
/** Clocks may differ by this much. */
const CLOCK_TOLERANCE_S = 60;
/** A longer query is refused by some servers (2,048 by default in IIS; Entra: AADSTS90015), and a token with many groups is longer. */
const QUERY_MAX_CHARACTERS = 2_048;
/** How long what a provider says of itself is used before it is read again. */
const DISCOVERY_TTL_MS = 600_000;
/** An order to sign out is obeyed when it is this new. */
const LOGOUT_TOKEN_MAX_AGE_S = 300;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
const signatures = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/**
 * Providers that ask nobody anew. Google's documentation says that it supports no requests to re-authenticate an account
 * (developers.google.com/identity/siwg/security-bundle, read in November 2026): it answers `prompt=login` by a page of its own.
 */
const NEVER_ASK_ANEW: readonly (string | null)[] = ["https://accounts.google.com"];

/** Whether a provider asks a user anew who they are. */
export const asksAnew = (issuer: string | null) => !NEVER_ASK_ANEW.includes(issuer);

/** Loaded with the first provider: an installation without any does not need it. */
const library = () => import("openid-client");
const tokenLibrary = () => import("jose");

/** What providers say of themselves, read once by a server and then again from time to time. */
export class ProviderClient {
  readonly #connections = new Map<
    string,
    { key: string; connection: Promise<Connection>; until: number }
  >();
  readonly #keys = new Map<string, ReturnType<typeof import("jose").createRemoteJWKSet>>();

  /** Reads what a provider says of itself, now: its issuer as it spells it. Refuses an issuer that is none, or that can't be used. */
  async requireDiscovery(provider: Provider): Promise<string> {
    try {
      return requireComplete(provider, await connect(provider));
    } catch (error) {
      throw invalidValue("issuer", "discovery", problemOf(error));
    }
  }

  /**
   * Whether users can sign in by a provider now, as far as that shows without one: what is wrong with its discovery, and by how many
   * seconds its clock is ahead of ours.
   */
  async examine(
    provider: Provider,
  ): Promise<{ problem: Explanation | null; aheadS: number | null }> {
    try {
      const connection = await connect(provider);
      requireComplete(provider, connection);
      return { problem: null, aheadS: connection.clock.aheadS };
    } catch (error) {
      return { problem: problemOf(error), aheadS: null };
    }
  }

  /** Where a browser goes to sign in. `prompt`: to be asked anew, or for another account than the one that the browser has there. */
  async authorizationUrl(
    provider: Provider,
    visit: {
      redirectUri: string;
      state: string;
      nonce: string;
      verifier: string;
      prompt: "anew" | "account" | null;
    },
  ): Promise<string> {
    const { library, configuration } = await this.#connected(provider);
    const url = library.buildAuthorizationUrl(configuration, {
      redirect_uri: visit.redirectUri,
      scope: [...new Set(["openid", ...provider.options.scopes])].join(" "),
      state: visit.state,
      nonce: visit.nonce,
      code_challenge: await library.calculatePKCECodeChallenge(visit.verifier),
      code_challenge_method: "S256",
      ...(visit.prompt === "anew" && { max_age: "0", prompt: "login" }),
      ...(visit.prompt === "account" && {
        prompt: asksAnew(provider.issuer) ? "login" : "select_account",
      }),
    });
    return requireAddress(url.href, provider);
  }

  /** The claims for the code in the address that a browser has come back to. Refuses whatever is not exactly right. */
  async exchange(
    provider: Provider,
    address: URL,
    visit: { state: string; nonce: string; verifier: string },
  ): Promise<ProviderClaims> {
    const { library, configuration } = await this.#connected(provider);
    try {
      const tokens = await library.authorizationCodeGrant(configuration, address, {
        expectedState: visit.state,
        expectedNonce: visit.nonce,
        pkceCodeVerifier: visit.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error("no claims");
      const more = await userInfo(provider, library, configuration, {
        accessToken: tokens.access_token,
        claims,
      });
      return {
        issuer: claims.iss,
        subject: claims.sub,
        sid: typeof claims.sid === "string" ? claims.sid : null,
        authTime: claims.auth_time ?? null,
        idToken: tokens.id_token ?? "",
        claims: mergeClaims(claims, more),
      };
    } catch (error) {
      throw toRefusal(provider, error);
    }
  }

  /**
   * Where a browser goes to sign out; null if the provider has no such page. Without the token, which a long address goes without, the
   * provider may ask whether its user means it.
   */
  async endSessionUrl(
    provider: Provider,
    idToken: string | null,
    returnTo: string,
  ): Promise<string | null> {
    const { library, configuration } = await this.#connected(provider);
    if (!configuration.serverMetadata().end_session_endpoint) return null;
    const url = library.buildEndSessionUrl(configuration, {
      post_logout_redirect_uri: returnTo,
      ...(idToken !== null && { id_token_hint: idToken }),
    });
    if (url.search.length > QUERY_MAX_CHARACTERS) url.searchParams.delete("id_token_hint");
    return requireAddress(url.href, provider);
  }

  /** Whose sessions a provider orders to end. Its signature is the proof; null for anything else. */
  async readLogoutToken(
    provider: Provider,
    token: string,
  ): Promise<{
    issuer: string;
    jti: string;
    sid: string | undefined;
    subject: string | undefined;
  } | null> {
    const { configuration } = await this.#connected(provider);
    const { issuer } = configuration.serverMetadata();
    const { jwtVerify } = await tokenLibrary();
    const keys = await this.#keysOf(provider, configuration);
    const verified = await jwtVerify(token, keys, {
      issuer,
      audience: provider.client_id,
      algorithms: signatures,
      clockTolerance: CLOCK_TOLERANCE_S,
      maxTokenAge: LOGOUT_TOKEN_MAX_AGE_S,
      requiredClaims: ["jti", "iat"],
    }).catch(() => null);
    if (!verified) return null;
    const { payload, protectedHeader } = verified;
    const { events, nonce, jti, sub, sid } = payload;
    const isOrder = typeof events === "object" && events !== null && LOGOUT_EVENT in events;
    const type = protectedHeader.typ?.toLowerCase();
    const isLogoutToken = type === undefined || type === "jwt" || type === "logout+jwt";
    const session = typeof sid === "string" && sid !== "" ? sid : undefined;
    if (!isOrder || !isLogoutToken || nonce !== undefined || typeof jti !== "string") return null;
    if (session === undefined && !sub) return null;
    return { issuer, jti, sid: session, subject: sub };
  }

  async #connected(provider: Provider): Promise<Connection> {
    const key = JSON.stringify([provider.issuer, provider.client_id, provider.secret]);
    const known = this.#connections.get(provider.id);
    if (known?.key === key && known.until > performance.now()) return known.connection;
    const connection = connect(provider).catch((error: unknown) => {
      this.#connections.delete(provider.id);
      throw toRefusal(provider, error);
    });
    this.#connections.set(provider.id, {
      key,
      connection,
      until: performance.now() + DISCOVERY_TTL_MS,
    });
    return connection;
  }

  async #keysOf(provider: Provider, configuration: OpenId.Configuration) {
    const address = configuration.serverMetadata().jwks_uri ?? "";
    const known = this.#keys.get(address);
    if (known) return known;
    const { createRemoteJWKSet, customFetch } = await tokenLibrary();
    const keys = createRemoteJWKSet(new URL(requireAddress(address, provider)), {
      timeoutDuration: TIMEOUT_S * 1_000,
      [customFetch]: guardedFetch(provider),
    });
    this.#keys.set(address, keys);
    return keys;
  }
}

/** What is wrong with what a provider says of itself. */
class DiscoveryProblem extends Error {
  readonly explanation: Explanation;

  constructor(explanation: Explanation) {
    super("discovery");
    this.explanation = explanation;
  }
}

function problemOf(error: unknown): Explanation {
  return error instanceof DiscoveryProblem
    ? error.explanation
    : isDown(error)
      ? explainSignIn("provider.unreachable", { reason: reasonOf(error) })
      : explainSignIn("provider.discovery", { reason: reasonOf(error) });
}

/** The issuer as the provider spells it. Refuses one that is another, or lacks what a sign-in needs. */
function requireComplete(provider: Provider, { configuration }: Connection): string {
  const server = configuration.serverMetadata();
  const hasAll = server.authorization_endpoint && server.token_endpoint && server.jwks_uri;
  if (!hasAll) throw new DiscoveryProblem(explainSignIn("provider.incomplete"));
  if (!isSameIssuer(server.issuer, provider.issuer)) throw otherIssuer(server.issuer);
  const { id_token_signing_alg_values_supported: algorithms } = server;
  if (Array.isArray(algorithms) && !algorithms.some((one) => signatures.includes(String(one)))) {
    const named = algorithms.join(", ").slice(0, ALGORITHMS_MAX_CHARACTERS);
    throw new DiscoveryProblem(explainSignIn("provider.unsigned", { algorithms: named }));
  }
  return server.issuer;
}

/** Whether two issuers differ at most in a slash at the end, which is easily overlooked. */
function isSameIssuer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((issuer) => new URL(issuer).href.replace(/\/$/, ""));
  return a === b;
}

const otherIssuer = (issuer: string) =>
  new DiscoveryProblem(
    explainSignIn("provider.otherIssuer", { issuer: issuer.slice(0, ISSUER_MAX_CHARACTERS) }),
  );

/** The issuer that a provider names where another was expected; null for other failures. */
function issuerNamedBy(error: unknown): string | null {
  const { cause } = error as { cause?: { attribute?: string; body?: { issuer?: unknown } } };
  const issuer = cause?.attribute === "issuer" ? cause.body?.issuer : null;
  return typeof issuer === "string" ? issuer : null;
}

/** As the provider spells its issuer: what it signs has that, to the letter. */
async function connect(provider: Provider): Promise<Connection> {
  try {
    return await discover(provider, provider.issuer);
  } catch (error) {
    const issuer = issuerNamedBy(error);
    if (issuer === null) throw error;
    if (!isSameIssuer(issuer, provider.issuer)) throw otherIssuer(issuer);
    return discover(provider, issuer);
  }
}

async function discover(provider: Provider, issuer: string): Promise<Connection> {
  const clock: Connection["clock"] = { aheadS: null };
  const openId = await library();
  const basic = openId.ClientSecretBasic(provider.secret);
  const post = openId.ClientSecretPost(provider.secret);
  const configuration = await openId.discovery(
    new URL(issuer),
    provider.client_id,
    { client_secret: provider.secret, [openId.clockTolerance]: CLOCK_TOLERANCE_S },
    // What a client has to use where nothing else is agreed, unless the provider can't.
    (server, ...request) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
      return (methods.includes("client_secret_basic") ? basic : post)(server, ...request);
    },
    {
      timeout: TIMEOUT_S,
      [openId.customFetch]: async (address: string, options: object) => {
        const answer = await guardedFetch(provider)(address, options);
        const ahead = (Date.parse(answer.headers.get("date") ?? "") - Date.now()) / 1_000;
        clock.aheadS = Number.isNaN(ahead) ? null : Math.round(ahead);
        return answer;
      },
      execute: [
        openId.enableNonRepudiationChecks,
        // `guardedFetch` decides, for each address.
        openId.allowInsecureRequests,
      ],
    },
  );
  return { library: openId, configuration, clock };
}

/** Only to addresses that a provider may have, and no more of an answer than anybody needs. */
const guardedFetch = (provider: Provider) => async (address: string, options: object) => {
  const response = await fetch(requireAddress(address, provider), {
    ...options,
    redirect: "manual",
  });
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > ANSWER_MAX_BYTES) throw new Error("The answer of the provider is too large.");
    parts.push(part);
  }
  const hasBody = response.status !== 204 && response.status !== 304 && response.status !== 0;
  const { status, headers } = response;
  return new Response(hasBody ? Buffer.concat(parts) : null, { status: status || 502, headers });
};

/** A provider that is reached over https names no other addresses. */
function requireAddress(address: string, { issuer }: Provider): string {
  const isAsSafe = address.startsWith("https:") || issuer.startsWith("http:");
  if (isAsSafe && isProviderAddress(new URL(address).href)) return address;
  throw new Error("The provider names an address that is not https.");
}

/**
 * What the user info adds to a token; nothing where the provider has none, or refuses it, as AD FS does, whose token says all. It is of the
 * same subject, which the library checks. Groups may be in it alone: without it their user would get the role of those who have none.
 */
async function userInfo(
  { options: { groups } }: Provider,
  openId: typeof OpenId,
  configuration: OpenId.Configuration,
  { accessToken, claims }: { accessToken: string; claims: OpenId.IDToken },
): Promise<Readonly<Record<string, unknown>>> {
  if (!configuration.serverMetadata().userinfo_endpoint) return {};
  try {
    return await openId.fetchUserInfo(configuration, accessToken, claims.sub);
  } catch (error) {
    const status = statusOf(error);
    const isRefused = status === UNAUTHORIZED || status === FORBIDDEN;
    if (isRefused && (!groups || claims[groups.claim] !== undefined)) return {};
    throw error;
  }
}

/**
 * The signed token decides; user info adds what it lacks. Whether an email is verified is never taken from elsewhere than the email
 * itself, nor the pointer to groups.
 */
function mergeClaims(
  token: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const merged: Record<string, unknown> = { ...more, ...token };
  if (token.email === undefined) merged.email_verified = more.email_verified;
  else if (token.email !== more.email) merged.email_verified = token.email_verified;
  return merged;
}

/** A provider that does not answer is down, for now; anything else is a sign-in that was not right. */
function toRefusal(provider: Provider, error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (isDown(error)) {
    return unavailable(
      { provider: provider.id },
      explainSignIn("provider.down", { provider: provider.name }),
    );
  }
  const { error: code } = error as { error?: unknown };
  const isCancelled = code === "access_denied" || code === "login_required";
  const key = isCancelled ? "provider.cancelled" : "provider.notRight";
  return new Refusal(
    "unauthenticated",
    { provider: provider.id, reason: reasonOf(error) },
    explainSignIn(key, { provider: provider.name }),
  );
}

const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const SERVER_ERROR = 500;
const down = ["TimeoutError", "AbortError", "TypeError"];

function isDown(error: unknown): boolean {
  if ((statusOf(error) ?? 0) >= SERVER_ERROR) return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (down.includes(cause.name) && !("code" in cause && String(cause.code).startsWith("ERR_")))
      return true;
  }
  return false;
}

/** The status of the answer that a failure is of; null if it is of none. */
function statusOf(error: unknown): number | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("status" in cause) return Number(cause.status);
    if (cause.cause instanceof Response) return cause.cause.status;
  }
  return null;
}

/** A short name of a failure, without what a provider or a browser sent. */
function reasonOf(error: unknown): string {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown };
    if (typeof code === "string" && /^[A-Z_]{3,60}$/.test(code) && !code.startsWith("ERR_"))
      return code;
    if (code !== undefined && !cause.cause) return String(code).slice(0, 60);
    if (cause.name === "TimeoutError") return "timeout";
  }
  return error instanceof Error ? error.message.slice(0, 120) : "unknown";
}
