import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";
import { explain } from "../../shared/error-texts/explain.ts";
import type {
  AddPasskeyCall,
  PasskeyOptions,
  PasskeyResponse,
} from "../../shared/protocol/account.ts";
import { invalidValue, Refusal } from "../../shared/protocol/errors.ts";
import type { Db } from "../store/database.ts";
import {
  claimChallenge,
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
} from "../store/users/passkeys.ts";
import type { Auth } from "./create-auth.ts";
import type { Identity } from "./identity.ts";
import { hashToken } from "./tokens.ts";

/**
 * Passkeys by WebAuthn. They are on the user's device, which requires a finger, a face or a PIN (user
 * verification), so that a passkey is two factors by itself and signs in alone. Challenges are stored in the
 * database, valid once and for five minutes, on any server.
 */

export const CHALLENGE_TTL_MS = 300_000;
const PASSKEYS_MAX = 20;

/** The browser's site: a passkey is bound to the host, its answer to the whole origin. */
export interface Site {
  origin: string;
}

type NewPasskey = Parameters<typeof insertPasskey>[1];

/** The options for the browser to create a passkey for the user. */
export async function passkeyToMake(
  { db }: Auth,
  { user }: Identity,
  site: Site,
): Promise<PasskeyOptions> {
  const known = await listBelowLimit(db, user.id);
  const webAuthn = await library();
  const options = await webAuthn.generateRegistrationOptions({
    rpName: "Watchfloor",
    rpID: hostOf(site),
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: "none",
    excludeCredentials: known.map(({ id, transports }) => ({
      id,
      transports: asHints(transports),
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await insertChallenge(db, hashToken(options.challenge), user.id);
  return { ...options };
}

/**
 * Verifies the passkey that the browser created; refuses one that answers no challenge of this user. The
 * challenge is used up in any case.
 */
export async function provenPasskey(
  { db }: Auth,
  { user }: Identity,
  { name, response }: AddPasskeyCall,
  site: Site,
): Promise<NewPasskey> {
  const webAuthn = await library();
  const { registrationInfo } = await webAuthn
    .verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: (challenge) => claim(db, challenge, user.id),
      expectedOrigin: site.origin,
      expectedRPID: hostOf(site),
    })
    .catch(() => ({ registrationInfo: undefined }));
  if (!registrationInfo) throw invalidValue("passkey", "wrong", explain("factor.passkeyWrong"));
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential;
  const public_key = Buffer.from(publicKey).toString("base64url");
  return { id, user_id: user.id, name, site: hostOf(site), public_key, counter, transports };
}

/** Stores it; refuses one that is stored already, for any user, and one too many. */
export async function storePasskey(db: Db, key: NewPasskey): Promise<PasskeyRow> {
  await listBelowLimit(db, key.user_id);
  const row = await insertPasskey(db, key);
  if (!row) throw new Refusal("duplicate", { field: "passkey" }, explain("factor.passkeyKnown"));
  return row;
}

/** The passkeys of a user who may have one more. */
async function listBelowLimit(db: Db, user: string): Promise<PasskeyRow[]> {
  const known = await listPasskeys(db, user);
  if (known.length >= PASSKEYS_MAX) throw new Refusal("too_large", { limit: PASSKEYS_MAX });
  return known;
}

/** The options for the browser to offer its passkeys for this site. Reveals nothing about users. */
export async function passkeyToUse({ db }: Auth, site: Site): Promise<PasskeyOptions> {
  const webAuthn = await library();
  const options = await webAuthn.generateAuthenticationOptions({
    rpID: hostOf(site),
    userVerification: "required",
  });
  await insertChallenge(db, hashToken(options.challenge), null);
  return { ...options };
}

/** A right answer to our challenge: the passkey, its user, and its use counter. */
export interface PasskeyUse {
  passkey: string;
  user: string;
  counter: number;
}

/** Null if the passkey is unknown, or the answer is wrong. */
export async function provenUse(
  { db }: Auth,
  response: PasskeyResponse,
  site: Site,
): Promise<PasskeyUse | null> {
  const key = await findPasskey(db, response.id);
  if (!key || key.site !== hostOf(site)) return null;
  const { id, counter, transports } = key;
  const publicKey = new Uint8Array(Buffer.from(key.public_key, "base64url"));
  const webAuthn = await library();
  const verified = await webAuthn
    .verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: (challenge) => claim(db, challenge, null),
      expectedOrigin: site.origin,
      expectedRPID: key.site,
      credential: { id, publicKey, counter, transports: asHints(transports) },
    })
    .catch(() => null);
  if (!verified?.verified) return null;
  const { newCounter } = verified.authenticationInfo;
  return { passkey: id, user: key.user_id, counter: newCounter };
}

/** Loaded with the first passkey: it is large, and the start does not need it. */
const library = () => import("@simplewebauthn/server");

function claim(db: Db, challenge: string, user: string | null): Promise<boolean> {
  return claimChallenge(db, hashToken(challenge), { user, maxAgeMs: CHALLENGE_TTL_MS });
}

const hostOf = ({ origin }: Site) => new URL(origin).hostname;

/** The device's description of itself; browsers leave out what they don't know. */
const asHints = (transports: readonly string[]) => transports as AuthenticatorTransport[];
