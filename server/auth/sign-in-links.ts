import { hashToken, newToken } from "./tokens.ts";

/**
 * Links that sign somebody in by one click, once: whoever started this process hands them out (the
 * demo prints them). Kept in memory: they end with the process, or after an hour.
 */
export interface SignInLinks {
  /** A token for the link; `to` is the page that it leads to. */
  issue(user: string, to: string): string;
  /** Uses the token up; null when it was used, is too old or never was. */
  take(token: string): { user: string; to: string } | null;
}

const LINK_TTL_MS = 3_600_000;

export function createSignInLinks(now: () => number = Date.now): SignInLinks {
  const links = new Map<string, { user: string; to: string; until: number }>();
  return {
    issue(user, to) {
      const token = newToken();
      links.set(hashToken(token), { user, to, until: now() + LINK_TTL_MS });
      return token;
    },
    take(token) {
      const id = hashToken(token);
      const link = links.get(id);
      links.delete(id);
      return link && link.until > now() ? { user: link.user, to: link.to } : null;
    },
  };
}
