import type { ApiTokenInfo } from "../../../../shared/protocol/api-tokens.ts";
import { tokensMessages as messages } from "../../messages/en/tokens.ts";
import { formatAgo, formatMoment } from "../../ui/numbers.ts";

/** What a token is doing, in words: when it was used, and when it expires. */
export function usageLabel({ lastUsed, expiresAt, state }: ApiTokenInfo): string {
  const used = lastUsed ? messages.usedAgo({ ago: formatAgo(lastUsed) }) : messages.notUsed();
  if (!expiresAt) return used;
  const date = formatMoment(expiresAt);
  const end = state === "expired" ? messages.expiredAt({ date }) : messages.expiresAt({ date });
  return `${used} · ${end}`;
}

/** Why a token is refused at present; null if it is not. */
export function stateLabel({ state }: ApiTokenInfo): string | null {
  if (state === "active") return null;
  if (state === "expired") return messages.expired();
  return state === "paused" ? messages.paused() : messages.suspended();
}

const DAY_MS = 86_400_000;

/** The choices of an expiry date, in days; 0 means that it does not expire. */
export const expiryDays = [30, 90, 365, 0] as const;

/** The date so many days from now; null for none. */
export function expiryAfter(days: number, now: number = Date.now()): string | null {
  return days === 0 ? null : new Date(now + days * DAY_MS).toISOString();
}

/** A first call with a token, for a terminal. */
export function curlExample(token: string): string {
  return `curl -H "Authorization: Bearer ${token}" ${location.origin}/api/v1/session`;
}
