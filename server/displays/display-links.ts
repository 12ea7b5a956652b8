import { createSignInLinks, type SignInLinks } from "../auth/sign-in-links.ts";

/** One-time links that make a browser the screen of a display; of this process only (the demo prints one). */
export interface DisplayLinks {
  /** A token for the link. */
  issue(display: string): string;
  /** Uses the token up and answers the display; null when it was used, is too old or never was. */
  take(token: string): string | null;
}

export function createDisplayLinks(links: SignInLinks = createSignInLinks()): DisplayLinks {
  return {
    issue: (display) => links.issue(display, ""),
    take: (token) => links.take(token)?.user ?? null,
  };
}
