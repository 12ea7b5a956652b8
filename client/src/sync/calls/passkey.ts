import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { AddedPasskey, PasskeyResponse } from "../../../../shared/protocol/factors.ts";
import { rest } from "../../transport/rest.ts";
import { continueSignedIn } from "./account.ts";

/** Passkeys in this browser. The library arrives when the first one is asked for. */

/** Whether this page may use passkeys: a secure origin and a browser that knows them. */
export function passkeysSupported(): boolean {
  return isSecureContext && "PublicKeyCredential" in globalThis;
}

/** Signs in by a passkey that the person chooses; nothing happens where they think better of it. */
export async function signInByPasskey(): Promise<void> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = await rest("POST /session/passkey-challenge");
  const response = await promptPasskey(() => startAuthentication({ optionsJSON }));
  if (!response) return;
  await rest("POST /session/passkey", { body: { response: plain(response) } });
  await continueSignedIn();
}

/** Makes a passkey for me and keeps it; null where the person thought better of it. */
export async function addPasskey(name: string, password: string): Promise<AddedPasskey | null> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const options = await rest("POST /me/passkeys/challenge", { body: { password } });
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]["optionsJSON"];
  const response = await promptPasskey(() => startRegistration({ optionsJSON }));
  return response && rest("POST /me/passkeys", { body: { name, response: plain(response) } });
}

/** The same as plain JSON, whose inside only the library knows. */
function plain(made: AuthenticationResponseJSON | RegistrationResponseJSON): PasskeyResponse {
  const { response, clientExtensionResults, ...rest } = made;
  return {
    ...rest,
    response: { ...response },
    clientExtensionResults: { ...clientExtensionResults },
  };
}

/** Browsers say the same where a person cancels, waits too long or has no passkey. */
async function promptPasskey<T>(prompt: () => Promise<T>): Promise<T | null> {
  try {
    return await prompt();
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") return null;
    if (name === "InvalidStateError") {
      throw new Refusal("duplicate", {}, "This device has a passkey for you already.");
    }
    throw new Refusal("internal", {}, "This browser could not use a passkey here.");
  }
}
