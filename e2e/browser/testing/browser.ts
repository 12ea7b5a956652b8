import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright";
import { chromiumPath } from "../../provision/chromium.ts";

/** Enough for a cold page on a very busy machine; what must be quick asserts its own time. */
const ACTION_TIMEOUT_MS = 60_000;

/** Opens Chromium, found or provided. Root may not use its sandbox, and tests visit only us. */
export async function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox"] });
}

/** A user with a screen of their own: cookies, storage and errors are not shared with others. */
export interface Visitor {
  page: Page;
  /** What the page threw or logged as an error, except refused requests. */
  consoleErrors: string[];
  leave(): Promise<void>;
}

export async function visit(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  const consoleErrors: string[] = [];
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  page.on("console", (message) => {
    const expected = /status of 4\d\d|WebSocket connection|ERR_INTERNET_DISCONNECTED/.test(
      message.text(),
    );
    if (message.type() === "error" && !expected) consoleErrors.push(message.text());
  });
  return { page, consoleErrors, leave: () => context.close() };
}

interface Credentials {
  email: string;
  password: string;
}

/** A signed-in user with no page open yet: most tests are about what follows sign-in. */
export async function visitAs(
  browser: Browser,
  { url }: { url: string },
  who: Credentials,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const visitor = await visit(browser, options);
  const { request } = visitor.page;
  const answer = await request.post(`${url}/api/v1/session`, {
    data: who,
    headers: { origin: url },
  });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
  return visitor;
}

/** Signs in like a user, and waits for the first screen. */
export async function signIn(page: Page, url: string, who: Credentials) {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
}
