/**
 * Identifies the build of this page by the hashed files that it loaded. The server reads the same from the page that it
 * serves (server/displays/player-build.ts). If they differ, this page is outdated.
 */
export function ownBuild(page: Document): string {
  const named = [...page.querySelectorAll("script[src], link[href]")].map(
    (element) => element.getAttribute("src") ?? element.getAttribute("href") ?? "",
  );
  return buildOf(named);
}

/** The build of a page with this HTML. */
export function buildOfText(html: string): string {
  return buildOf([...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? ""));
}

function buildOf(addresses: readonly string[]): string {
  const files = addresses
    .map((address) => /^\/assets\/([\w.-]+)$/.exec(address)?.[1])
    .filter((file) => file !== undefined);
  return [...new Set(files)].sort().join(" ");
}
