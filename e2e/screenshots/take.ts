import type { Browser, BrowserContextOptions, Page } from "playwright";
import { visit } from "../browser/testing/browser.ts";
import type { Demo } from "./run-demo.ts";

/** The demo's password is public (server/demo/cast.ts). */
const PASSWORD = "watch the floor";
/** Values, pictures of users and animations arrive after the screen. */
const ARRIVE_MS = 1_500;

/** A page of one of the demo's users. */
export async function openAs(
  browser: Browser,
  { url }: Demo,
  email: string,
  options: BrowserContextOptions,
): Promise<Page> {
  const { page } = await visit(browser, options);
  const answer = await page.request.post(`${url}/api/v1/session`, {
    data: { email, password: PASSWORD },
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  return page;
}

/** Opens an address and waits until the screen is complete. */
export async function show(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator("[data-testid=connection][data-tone=good]").waitFor();
  await page.waitForTimeout(ARRIVE_MS);
}
