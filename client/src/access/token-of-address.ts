/**
 * The one-time token of a link. It follows `#`, so that no server or proxy logs it. `?token=` is accepted too, because
 * some tools drop the fragment.
 */
export function tokenOfAddress(address: { hash: string; search: string }): string | null {
  const hash = address.hash.replace(/^#/, "");
  const named = new URLSearchParams(hash).get("token");
  return named || hash || new URLSearchParams(address.search).get("token") || null;
}
