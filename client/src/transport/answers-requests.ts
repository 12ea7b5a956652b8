/** How long the server may take to answer. */
const TIMEOUT_MS = 1_400;

/**
 * Whether the server answers an ordinary request, signed in or not: then something on the way keeps live connections from it.
 * Only JSON counts, because a network may answer everything by a page of its own.
 */
export async function answersRequests(url = location.origin): Promise<boolean> {
  try {
    const response = await fetch(new URL("/api/v1/session", url), {
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      headers: { "x-watchfloor-background": "1" },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
  } catch {
    return false;
  }
}
