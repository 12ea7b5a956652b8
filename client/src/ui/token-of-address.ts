/**
 * The one-time token of a printed or sent link. It stands behind `#`, where no server or proxy logs
 * it; `?token=` is understood as well, because people paste links through tools that drop the rest.
 */
export function tokenOfAddress(address: { hash: string; search: string }): string | null {
  const hash = address.hash.replace(/^#/, "");
  const named = new URLSearchParams(hash).get("token");
  return named || hash || new URLSearchParams(address.search).get("token") || null;
}
