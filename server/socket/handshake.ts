import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";
import type { Identity } from "../auth/identity.ts";
import { requestOrigin } from "../auth/security-log.ts";
import { endedCredential, isApiToken } from "../auth/tokens.ts";

/** A user's session or token, or the credential of a display: each is looked up among its own kind only. */
type CredentialKind = "person" | "display";

/** The result of the handshake; the token is stored to look it up again whenever rights may have changed. */
export interface Handshake {
  token: string;
  kind: CredentialKind;
  identity: Identity;
  /** The number of revocations received before the identity was looked up. */
  asOf: number;
}

/** The identity of a credential now, and whether the look-up counts as activity. */
export type Authenticate = (
  token: string,
  kind: CredentialKind,
  options: { isActivity: boolean },
) => Promise<Identity | null>;

export interface HandshakeDeps {
  authenticate: Authenticate;
  /** What counts as one address of a request. */
  addressOf: (request: IncomingMessage) => string;
  /** Refuses an address that opens connections too often, before anything is looked up for it. */
  countConnectionAttempt: (request: IncomingMessage) => void;
  /** Refuses users who open connections too often. */
  countHandshake: (identity: Identity) => void;
  /** The credential in the headers; a browser sends its cookie by itself. */
  readCredential: (
    headers: IncomingHttpHeaders,
    kind: CredentialKind,
  ) => { token: string; by: "cookie" | "bearer" } | null;
  isSameOrigin: (headers: IncomingHttpHeaders) => boolean;
}

const TOKEN_MAX = 200;

/** Authenticates a connection. Refuses an old client first: it may not even know how to sign in today. */
export async function authenticateHandshake(
  deps: HandshakeDeps,
  sent: unknown,
  request: IncomingMessage,
): Promise<Omit<Handshake, "asOf">> {
  const { headers } = request;
  deps.countConnectionAttempt(request);
  const auth = (sent ?? {}) as Record<string, unknown>;
  if (auth.protocol !== PROTOCOL_VERSION) {
    throw new Refusal("update_required", { protocol: PROTOCOL_VERSION });
  }
  const kind = auth.as === "display" ? "display" : "person";
  const token = readToken(deps, auth, headers, kind);
  if (!token) throw new Refusal("unauthenticated");
  const origin = { ip: deps.addressOf(request), userAgent: headers["user-agent"] ?? "" };
  // A page reconnects by itself, whoever is there. An API token is used by connecting.
  const options = { isActivity: isApiToken(token) };
  const identity = await requestOrigin.run(origin, () => deps.authenticate(token, kind, options));
  if (!identity || isOtherUser(auth, identity)) throw endedCredential(token);
  deps.countHandshake(identity);
  return { token, kind, identity };
}

/**
 * A page names the user it works for: when another user has signed in on the same browser, the cookie is
 * theirs, and what the page still has to send is not.
 */
function isOtherUser({ user }: Record<string, unknown>, identity: Identity): boolean {
  return user !== undefined && user !== identity.user.id;
}

function readToken(
  deps: HandshakeDeps,
  auth: Record<string, unknown>,
  headers: IncomingHttpHeaders,
  kind: CredentialKind,
): string | null {
  if (typeof auth.token === "string") return auth.token.slice(0, TOKEN_MAX);
  const credential = deps.readCredential(headers, kind);
  if (credential?.by === "cookie" && !deps.isSameOrigin(headers)) {
    const explanation = englishOnly("This connection came from another site.");
    throw new Refusal("forbidden", { right: "same-origin" }, explanation);
  }
  return credential?.token ?? null;
}
