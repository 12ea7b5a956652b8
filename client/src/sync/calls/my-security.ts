import type { Factors, RecoveryCodes, TotpSecret } from "../../../../shared/protocol/factors.ts";
import type {
  ChangePasswordCall,
  PasswordResetInfo,
} from "../../../../shared/protocol/password.ts";
import type { EndedSessions, SessionEntry } from "../../../../shared/protocol/sessions.ts";
import { rest } from "../../transport/rest.ts";

/** How I come in: my sessions, my password, my second factors; and a reset by a link. */

export async function listMySessions(): Promise<SessionEntry[]> {
  return (await rest<{ items: SessionEntry[] }>("GET", "/me/sessions")).items;
}

export function endMySession(id: string): Promise<void> {
  return rest<void>("DELETE", `/me/sessions/${encodeURIComponent(id)}`);
}

/** Ends all but this one; answers how many. */
export async function endMyOtherSessions(): Promise<number> {
  return (await rest<EndedSessions>("DELETE", "/me/sessions")).ended;
}

export function changeMyPassword(call: ChangePasswordCall): Promise<void> {
  return rest<void>("PUT", "/me/password", call);
}

export function readMyFactors(): Promise<Factors> {
  return rest<Factors>("GET", "/me/factors");
}

/** What to tell the authenticator app; it counts from the first code on. */
export function beginTotp(password: string): Promise<TotpSecret> {
  return rest<TotpSecret>("POST", "/me/totp", { password });
}

/** Recovery codes to show once; null where there are some already. */
export async function confirmTotp(code: string): Promise<string[] | null> {
  return (await rest<RecoveryCodes>("PUT", "/me/totp", { code })).recoveryCodes;
}

export function removeTotp(password: string): Promise<void> {
  return rest<void>("DELETE", "/me/totp", { password });
}

export async function renewRecoveryCodes(password: string): Promise<string[]> {
  const { recoveryCodes } = await rest<RecoveryCodes>("POST", "/me/recovery-codes", { password });
  return recoveryCodes ?? [];
}

export function removePasskey(id: string, password: string): Promise<void> {
  return rest<void>("DELETE", `/me/passkeys/${encodeURIComponent(id)}`, { password });
}

/** For whom a link to reset a password is; refused where it was used, replaced or is too old. */
export function readPasswordReset(token: string): Promise<PasswordResetInfo> {
  return rest<PasswordResetInfo>("GET", `/password-resets/${encodeURIComponent(token)}`);
}

export function resetPassword(token: string, password: string): Promise<void> {
  return rest<void>("POST", `/password-resets/${encodeURIComponent(token)}`, { password });
}
