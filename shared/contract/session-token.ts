/** The token of the session that an answer opens. Empty if it opens none, and in browsers, which don't show cookies. */
export function sessionToken({ headers }: { headers: { getSetCookie(): string[] } }): string {
  return /watchfloor_session=([^;]+)/.exec(headers.getSetCookie().join("\n"))?.[1] ?? "";
}
