/**
 * Where a person goes after signing in. Only addresses of this page are believed: a link that
 * somebody else made must not send a freshly signed-in person to another site.
 */

/** The sign-in address that remembers where the person wanted to go. */
export function signInAddress(path: string, search: string): string {
  const requested = search ? `${path}?${search}` : path;
  if (requested === "/" || requested === "/setup" || path === "/login") return "/login";
  return `/login?next=${encodeURIComponent(requested)}`;
}

/** The address after signing in: the remembered one if it is ours, else the first screen. */
export function nextAfterSignIn(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  // Browsers leave out tabs and line ends when they read an address: "/⇥/elsewhere" is another site's.
  const isInternal = /^\/(?![/\\])\P{Cc}*$/u.test(next) && !/^\/(login|setup)\b/.test(next);
  return isInternal ? next : "/";
}
