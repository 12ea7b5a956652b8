import { hashToken, newToken } from "./tokens.ts";

/**
 * Links that open something by one click, once; the process hands them out (the demo prints them). Held in
 * memory: they end with the process, or after an hour.
 */
export interface OneTimeLinks<T> {
  /** A token for a link that opens this. */
  issue(opens: T): string;
  /** Uses up the token; null if it was used, has expired or never existed. */
  take(token: string): T | null;
}

const LINK_TTL_MS = 3_600_000;

/** Links of one kind: a token of another kind opens none of them. */
export function createOneTimeLinks<T>(now: () => number = Date.now): OneTimeLinks<T> {
  const links = new Map<string, { opens: T; until: number }>();
  return {
    issue(opens) {
      const token = newToken();
      links.set(hashToken(token), { opens, until: now() + LINK_TTL_MS });
      return token;
    },
    take(token) {
      const id = hashToken(token);
      const link = links.get(id);
      links.delete(id);
      return link && link.until > now() ? link.opens : null;
    },
  };
}
