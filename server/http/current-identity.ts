import type { Request } from "express";
import type { Identity } from "../auth/identity.ts";
import { endedCredential } from "../auth/tokens.ts";
import type { AppDeps } from "./app-deps.ts";
import { readCredential } from "./credential.ts";

/**
 * Reads the caller's identity as it is now, for requests that take long: each part is done under the rights of that
 * moment. Throws `session_ended` once they are signed out.
 */
export function currentIdentityOf(
  { headers }: Request,
  { auth, config }: AppDeps,
): () => Promise<Identity> {
  const { publicUrl } = config;
  const token = readCredential(headers, { kind: "person", publicUrl })?.token ?? "";
  return async () => {
    const identity = await auth.authenticate(token);
    if (!identity) throw endedCredential(token);
    return identity;
  };
}
