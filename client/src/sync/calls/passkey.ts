import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/browser";
import { quote } from "../../../../shared/error-texts/explain.ts";
import type { AddedPasskey, PasskeyResponse } from "../../../../shared/protocol/account.ts";
import { Refusal } from "../../../../shared/protocol/errors.ts";
import { errorMessages as messages } from "../../messages/en/errors.ts";
import { rest } from "../../transport/rest/rest.ts";
import { continueSignedIn } from "./account.ts";

/** Passkeys in this browser. The library is loaded at the first use. */

/** Whether this page may use passkeys: a secure origin and a browser that supports them. */
export function passkeysSupported(): boolean {
  return isSecureContext && "PublicKeyCredential" in globalThis;
}

/** Signs in with a passkey that the user chooses; does nothing if they cancel. */
export async function signInByPasskey(): Promise<void> {
  const response = await askForPasskey();
  if (!response) return;
  await rest("POST /session/passkey", { body: { response } });
  await continueSignedIn();
}

/** Shows a passkey as the second factor of this session; false if the user cancels. */
export async function showPasskey(): Promise<boolean> {
  const response = await askForPasskey();
  if (!response) return false;
  await rest("POST /session/factor", { body: { response } });
  return true;
}

async function askForPasskey(): Promise<PasskeyResponse | null> {
  const { startAuthentication } = await import("@simplewebauthn/browser");
  const optionsJSON = await rest("POST /session/passkey-challenge");
  const response = await promptPasskey(() => startAuthentication({ optionsJSON }));
  return response && plain(response);
}

/** Creates a passkey for the signed-in user; null if they cancel. */
export async function addPasskey(
  name: string,
  password: string | undefined,
): Promise<AddedPasskey | null> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  const body = password === undefined ? {} : { password };
  const options = await rest("POST /me/passkeys/challenge", { body });
  const optionsJSON = options as unknown as Parameters<typeof startRegistration>[0]["optionsJSON"];
  const response = await promptPasskey(() => startRegistration({ optionsJSON }));
  return response && rest("POST /me/passkeys", { body: { name, response: plain(response) } });
}

/** The response as plain JSON. */
function plain(made: AuthenticationResponseJSON | RegistrationResponseJSON): PasskeyResponse {
  const { response, clientExtensionResults, ...rest } = made;
  return {
    ...rest,
    response: { ...response },
    clientExtensionResults: { ...clientExtensionResults },
  };
}

/** Returns null if the user cancels, waits too long or has no passkey: browsers report all three in the same way. */
async function promptPasskey<T>(prompt: () => Promise<T>): Promise<T | null> {
  try {
    return await prompt();
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    if (name === "NotAllowedError" || name === "AbortError") return null;
    if (name === "InvalidStateError") {
      throw new Refusal("duplicate", {}, quote(messages.passkeyExists()));
    }
    throw new Refusal("internal", {}, quote(messages.passkeyFailed()));
  }
}
