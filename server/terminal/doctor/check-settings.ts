import { isIP } from "node:net";
import type { Config } from "../../config/config.ts";
import { unknownSettings } from "../../config/settings.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Faults that the settings alone show. */

/** A key of 32 characters with fewer different ones was not made by a random generator. */
const KEY_MIN_DISTINCT = 12;

const isLocal = (host: string) => /^(localhost|127\.|\[?::1)/.test(host);

/** The server ignores them, so that what they should have set is not set. */
export function checkNames(environment: Readonly<Record<string, unknown>>): Finding[] {
  const { fault } = findingsOf("settings");
  const advice = "Correct or remove it. docs/guides/configuration.md lists all settings.";
  return unknownSettings(environment).map((name) => fault(`${name} is not a setting.`, advice));
}

/** Beside the embedded database the first start makes one. */
export function checkSecretKey({
  secretKey,
  databaseUrl,
}: Pick<Config, "secretKey" | "databaseUrl">): Finding[] {
  const { fault, warning } = findingsOf("secret-key");
  const advice =
    "Set it to the output of: openssl rand -base64 33. The same on all servers; keep a copy.";
  if (secretKey === undefined) {
    if (databaseUrl === undefined) return [];
    const message =
      "WATCHFLOOR_SECRET_KEY is not set: secrets of authenticator apps and webhooks are stored readable.";
    return [warning(message, advice)];
  }
  if (new Set(secretKey).size >= KEY_MIN_DISTINCT) return [];
  return [fault("WATCHFLOOR_SECRET_KEY is easy to guess.", advice)];
}

export function checkPublicUrl({
  publicUrl,
  host,
  trustProxy,
}: Pick<Config, "publicUrl" | "host" | "trustProxy">): Finding[] {
  const { fault, warning } = findingsOf("public-url");
  if (publicUrl === undefined) {
    if (isLocal(host)) return [];
    const message = `PUBLIC_URL is not set, and the server listens on ${host}: links contain the address of each request, and passkeys work on localhost only.`;
    return [warning(message, "Set PUBLIC_URL to the address that users open.")];
  }
  const { protocol, hostname } = new URL(publicUrl);
  const found: Finding[] = [];
  if (protocol === "http:" && !isLocal(hostname)) {
    const message = `PUBLIC_URL (${publicUrl}) is http: passwords and sessions can be read on the network.`;
    const advice =
      "Put a proxy with TLS in front (docs/guides/deploying.md) and set PUBLIC_URL to https.";
    found.push(fault(message, advice));
  }
  if (protocol === "https:" && trustProxy === 0) {
    const message =
      "PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is not set: every user has the proxy's address, and shares its limits for signing in.";
    found.push(fault(message, "Set TRUST_PROXY to the number of proxies."));
  }
  if (protocol === "https:" && isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    const message = `PUBLIC_URL (${publicUrl}) is an address without a name: passkeys can't be used.`;
    found.push(warning(message, "Give the server a name in the DNS."));
  }
  return found;
}

/** Whoever can read the password of the first owner in the environment can sign in with it. */
export function checkOwnerPassword({ owner }: Pick<Config, "owner">, isSetUp: boolean): Finding[] {
  if (!owner || !isSetUp) return [];
  const message = "WATCHFLOOR_OWNER_PASSWORD is still set. It was needed for the first start only.";
  return [
    findingsOf("owner-password").warning(
      message,
      "Remove it from the environment, and change the password if it is still the same.",
    ),
  ];
}
