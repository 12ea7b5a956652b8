/**
 * The address to open after sign-in. Only addresses of this origin are accepted, so that a forged link can't redirect
 * a user to another site.
 */

/** The sign-in address with the requested address as a parameter. */
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

/** Where to go on after a refused sign-in: what was asked for is not lost by trying again, or another way. */
export function nextAfterRefusal(search: string, isSignedIn: boolean): string {
  const next = nextAfterSignIn(search);
  return isSignedIn ? next : signInAddress(next, "");
}
