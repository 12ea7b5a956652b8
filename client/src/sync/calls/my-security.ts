import type { Factors, TotpSecret } from "../../../../shared/protocol/factors.ts";
import type {
  ChangePasswordCall,
  PasswordResetInfo,
} from "../../../../shared/protocol/password.ts";
import type { SessionEntry } from "../../../../shared/protocol/sessions.ts";
import { rest } from "../../transport/rest.ts";

/** How I come in: my sessions, my password, my second factors; and a reset by a link. */

export async function listMySessions(): Promise<SessionEntry[]> {
  return (await rest("GET /me/sessions")).items;
}

export function endMySession(id: string): Promise<void> {
  return rest("DELETE /me/sessions/{id}", { params: { id } });
}

/** Ends all but this one; answers how many. */
export async function endMyOtherSessions(): Promise<number> {
  return (await rest("DELETE /me/sessions")).ended;
}

export function changeMyPassword(body: ChangePasswordCall): Promise<void> {
  return rest("PUT /me/password", { body });
}

export function readMyFactors(): Promise<Factors> {
  return rest("GET /me/factors");
}

/** Begins set-up: returns the secret for the authenticator app. It is active after the first code. */
export function beginTotp(password: string): Promise<TotpSecret> {
  return rest("POST /me/totp", { body: { password } });
}

/** Recovery codes to show once; null where there are some already. */
export async function confirmTotp(code: string): Promise<string[] | null> {
  return (await rest("PUT /me/totp", { body: { code } })).recoveryCodes;
}

export function removeTotp(password: string): Promise<void> {
  return rest("DELETE /me/totp", { body: { password } });
}

export async function renewRecoveryCodes(password: string): Promise<string[]> {
  const { recoveryCodes } = await rest("POST /me/recovery-codes", { body: { password } });
  return recoveryCodes ?? [];
}

export function removePasskey(id: string, password: string): Promise<void> {
  return rest("DELETE /me/passkeys/{id}", { params: { id }, body: { password } });
}

/** For whom a link to reset a password is; refused where it was used, replaced or is too old. */
export function readPasswordReset(token: string): Promise<PasswordResetInfo> {
  return rest("GET /password-resets/{token}", { params: { token } });
}

export function resetPassword(token: string, password: string): Promise<void> {
  return rest("POST /password-resets/{token}", { params: { token }, body: { password } });
}
