import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from "playwright";
import { chromiumPath, fullChromiumPath } from "../../provision/chromium.ts";
import { tempFolder } from "../../provision/temp-folder.ts";
import { recordEvidence } from "../../suite/evidence.ts";

/** Enough for a cold page on a very busy machine; what must be quick asserts its own time. */
const ACTION_TIMEOUT_MS = 60_000;

/** A Chromium of its own, found or provided. Root may not use its sandbox, and tests visit only us. */
export async function launch(...args: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: await chromiumPath(), args: ["--no-sandbox", ...args] });
}

/**
 * A Chromium of its own on a screen with so many pixels for one of the page. The scale factor of a context only enlarges the drawn page,
 * so that edges between two pixels are mixed, which no screen shows. Visits need `viewport: null`.
 */
export function launchOnScreen(pixels: number): Promise<Browser> {
  return launch(`--force-device-scale-factor=${pixels}`, "--window-size=1440,900");
}

let launched: Promise<Browser> | undefined;

/** One Chromium for all test files of a worker, as starting one takes a second of a core. Left by `leaveBrowser`. */
export async function openBrowser(): Promise<Browser> {
  const current = launched;
  if (current && (await current).isConnected()) return current;
  launched = launch();
  return launched;
}

/** A Chromium whose user blocks all cookies and site data, with an empty page. Storage really is refused. */
export async function openBlockingBrowser(): Promise<Visitor> {
  const profile = await tempFolder();
  await mkdir(join(profile.path, "Default"));
  const settings = { profile: { default_content_setting_values: { cookies: 2 } } };
  await writeFile(join(profile.path, "Default", "Preferences"), JSON.stringify(settings));
  const context = await chromium.launchPersistentContext(profile.path, {
    executablePath: await fullChromiumPath(),
    args: ["--no-sandbox"],
    locale: "en-GB",
  });
  const visitor = await observe(context);
  const leave = async () => {
    await context.close();
    profile.drop();
  };
  return { ...visitor, leave };
}

/**
 * A signed-in user in a browser of their own, whose storage is in a folder and outlives it. `kill` ends all its processes at once, as
 * a crash does.
 */
export async function openProfile(folder: string, at: { url: string }, who: Credentials) {
  const context = await chromium.launchPersistentContext(folder, {
    executablePath: await fullChromiumPath(),
    args: ["--no-sandbox"],
    locale: "en-GB",
  });
  const visitor = await observe(context);
  await startSession(visitor.page, at.url, who);
  const closed = new Promise((resolve) => context.once("close", resolve));
  const kill = async () => {
    for (const pid of processesWith(folder)) process.kill(pid, "SIGKILL");
    await closed;
  };
  return { ...visitor, kill };
}

/** The processes whose command names a folder of this test. */
function processesWith(folder: string): number[] {
  const command = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8");
    } catch {
      return "";
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => command(pid).includes(folder)).map(Number);
}

/** Closes all pages of a test file, with their cookies and storage. */
export async function leaveBrowser(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** A user with a screen of their own: cookies, storage and errors are not shared with others. */
export interface Visitor {
  page: Page;
  /** What the page threw or logged as an error, except refused requests. A test that expects it removes it. */
  consoleErrors: string[];
  leave(): Promise<void>;
}

interface VisitOptions extends BrowserContextOptions {
  /** Whether pages fetch the code of other screens ahead, which takes a fifth of the work of a page load. */
  prefetches?: boolean;
  /** The page's requests or its code fail in the tests: what the browser logs of that fails none of them. */
  expectsErrors?: boolean;
}

function saveData(): void {
  const { connection } = navigator as unknown as { connection: object };
  Object.defineProperty(connection, "saveData", { value: true });
}

export async function visit(
  browser: Browser,
  { prefetches = false, expectsErrors = false, ...options }: VisitOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    reducedMotion: "reduce",
    ...options,
  });
  if (!prefetches) await context.addInitScript(saveData);
  return observe(context, expectsErrors);
}

/** A page of the context, with its errors. */
async function observe(context: BrowserContext, expectsErrors = false): Promise<Visitor> {
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_TIMEOUT_MS);
  return {
    page,
    consoleErrors: recordEvidence(page, { expectsErrors }),
    leave: () => context.close(),
  };
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
  options: VisitOptions = {},
): Promise<Visitor> {
  const visitor = await visit(browser, options);
  await startSession(visitor.page, url, who);
  return visitor;
}

async function startSession({ request }: Page, url: string, who: Credentials): Promise<void> {
  const headers = { origin: url };
  const answer = await request.post(`${url}/api/v1/session`, { data: who, headers });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
}

/** Signs in like a user, and waits for the first screen. */
export async function signIn(page: Page, url: string, who: Credentials) {
  await page.goto(`${url}/login`);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password", { exact: true }).fill(who.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation", { name: "Main navigation" }).waitFor();
}
