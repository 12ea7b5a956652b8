import type { Browser, BrowserContextOptions, Page, Request } from "playwright";
import { visit } from "../browser/testing/browser.ts";
import type { Demo } from "./run-demo.ts";

/** The demo's password is public (server/demo/cast.ts). */
const PASSWORD = "watch the floor";
/** What a screen shows while something is still loading: also a grid without rows that has nothing over it, such as a notice. */
const LOADING = `[aria-busy="true"], [data-state="waiting"], .mantine-Skeleton-root, [class*="skeleton" i], .wf-loading, .wf-waiting, main section:empty,
  section:has(.ag-root):not(:has(.ag-row), :has(+ *))`;
/** So many frames in a row without any of it: a screen may load one part after the other. */
const QUIET_FRAMES = 20;
/** What pages have requested and not received yet, such as the code of the record panel. */
const requested = new WeakMap<Page, Set<Request>>();

/** A page of one of the demo's users. */
export async function openAs(
  browser: Browser,
  { url }: Demo,
  email: string,
  options: BrowserContextOptions,
): Promise<Page> {
  const { page } = await visit(browser, options);
  trackRequests(page);
  const answer = await page.request.post(`${url}/api/v1/session`, {
    data: { email, password: PASSWORD },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  return page;
}

/** Opens an address of the console and waits until the screen is complete. */
export async function show(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("[data-testid=connection][data-tone=good]").waitFor();
  await waitUntilComplete(page);
}

/** Has `waitUntilComplete` wait for everything that the page requests from now on. */
export function trackRequests(page: Page): void {
  const open = new Set<Request>();
  page.on("request", (request) => open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  requested.set(page, open);
}

/** Waits until nothing on the screen is loading any more, with its code, fonts and pictures. */
export async function waitUntilComplete(page: Page): Promise<void> {
  do await waitUntilQuiet(page);
  while (requested.get(page)?.size);
}

async function waitUntilQuiet(page: Page): Promise<void> {
  await page.evaluate(
    async ([loading, frames]) => {
      const isComplete = () =>
        document.querySelector(loading) === null &&
        document.fonts.status === "loaded" &&
        [...document.images].every(({ complete }) => complete);
      for (let quiet = 0; quiet < frames; quiet = isComplete() ? quiet + 1 : 0)
        await new Promise((resolve) => requestAnimationFrame(resolve));
    },
    [LOADING, QUIET_FRAMES] as const,
  );
}
