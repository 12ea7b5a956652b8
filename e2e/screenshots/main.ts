import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright";
import { openBrowser } from "../browser/testing/browser.ts";
import { animate } from "./apng.ts";
import { compose, withoutSame } from "./compose.ts";
import { makeScreens } from "./make-screens.ts";
import { type Demo, runDemo, runWithoutOwner } from "./run-demo.ts";
import { forbiddenPath, screens } from "./screens.ts";
import { states } from "./states.ts";
import { openAs, show, trackRequests, waitUntilComplete } from "./take.ts";

/**
 * `npm run screenshots [-- --docs] [name …]`: every screen and state of the demo and the set-up, or those named, in light and dark at three widths, into
 * `.cache/screenshots`. With `--docs` the pictures of the documentation instead, into `docs/images`.
 */
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = `${root}/.cache/screenshots`;
const images = `${root}/docs/images`;

const sizes = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
  { width: 3840, height: 2160 },
] as const;
const schemes = ["light", "dark"] as const;
const MIRA = "mira@example.com";
const SAM = "sam@example.com";

const FRAMES = 14;
const FRAME_MS = 450;
const ANIMATION_WIDTH = 820;

async function takeAll(
  browser: Browser,
  demo: Demo,
  setupLink: string,
  names: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const wall = await openWall(browser, demo);
  const author = await openAs(browser, demo, MIRA, {});
  const designer = await designerPath(author, demo);
  const made = await makeScreens(author, demo, SAM);
  const links = {
    ...made.links,
    "set-up-without-link": new URL("/setup", setupLink).href,
    "set-up": setupLink,
  };
  await author.context().close();
  for (const viewport of sizes) {
    for (const colorScheme of schemes) {
      const touch = viewport.width < 600;
      const options = { viewport, colorScheme, hasTouch: touch, isMobile: touch };
      const page = await openAs(browser, demo, MIRA, options);
      const isNamed = (name: string) => names.length === 0 || names.includes(name);
      const save = (of: Page, name: string) =>
        of.screenshot({ path: `${folder}/${name}-${viewport.width}-${colorScheme}.png` });
      const all = { ...screens, ...made.paths, designer };
      for (const [name, path] of Object.entries(all).filter(([name]) => isNamed(name))) {
        await show(page, demo.url + path);
        await save(page, name);
      }
      for (const [name, bring] of Object.entries(states).filter(([name]) => isNamed(name)))
        await bring(page, demo.url, (of) => save(of, name));
      await page.context().clearCookies();
      await page.goto(`${demo.url}/login`);
      await page.getByLabel("Email").waitFor();
      await waitUntilComplete(page);
      if (isNamed("sign-in")) await save(page, "sign-in");
      for (const [name, link] of Object.entries(links).filter(([name]) => isNamed(name))) {
        await page.goto(link);
        await page.locator(name === "set-up-without-link" ? "pre" : "form").waitFor();
        await waitUntilComplete(page);
        await save(page, name);
      }
      await page.context().close();
      if (isNamed("forbidden")) {
        const editor = await openAs(browser, demo, SAM, options);
        await show(editor, demo.url + forbiddenPath);
        await save(editor, "forbidden");
        await editor.context().close();
      }
      await wall.setViewportSize(viewport);
      await wall.emulateMedia({ colorScheme });
      await waitUntilComplete(wall);
      if (isNamed("wall")) await save(wall, "wall");
    }
  }
  console.log(`The pictures are in ${folder}`);
}

/** The wall, which its link opens once. */
async function openWall(browser: Browser, demo: Demo): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 960, height: 540 } });
  const wall = await context.newPage();
  trackRequests(wall);
  await wall.goto(demo.wall);
  await wall.locator("[data-tile]").first().waitFor();
  await waitUntilComplete(wall);
  return wall;
}

/** The address of the first wallboard, whose designer opens for users who may change it. */
async function designerPath(page: Page, demo: Demo): Promise<string> {
  const answer = await page.request.get(`${demo.url}/api/v1/wallboards`);
  const { items } = (await answer.json()) as { items: { id: string }[] };
  return `/wallboards/${items[0]?.id}`;
}

/** The README's picture and animation, and single screens. */
async function takeForDocs(browser: Browser, demo: Demo): Promise<void> {
  const viewport = { width: 1180, height: 700 };
  const mira = await openAs(browser, demo, MIRA, { viewport, colorScheme: "light" });
  const sam = await openAs(browser, demo, SAM, { viewport, colorScheme: "dark" });
  const wall = await openWall(browser, demo);
  const canvas = await (await browser.newContext()).newPage();
  await Promise.all([mira, sam].map((page) => show(page, demo.url + screens.groups)));
  const shoot = () => Promise.all([mira, wall, sam].map((page) => page.screenshot()));
  const frames: Buffer[] = [];
  let before: Buffer | null = null;
  for (let index = 0; index < FRAMES; index += 1) {
    await edit(index, mira, sam);
    const picture = await compose(canvas, await shoot(), ANIMATION_WIDTH);
    frames.push(await withoutSame(canvas, picture, before));
    before = picture;
    if (index !== FRAMES / 2) continue;
    // A change of a group makes its count an estimate for a moment.
    await Promise.all(
      [mira, sam].map((page) => page.getByText("≈").first().waitFor({ state: "hidden" })),
    );
    await writeFile(`${images}/two-people.png`, await compose(canvas, await shoot()));
  }
  await writeFile(`${images}/two-people-live.png`, animate(frames, FRAME_MS));
  await wall.screenshot({ path: `${images}/wall.png` });
  await takeSingle(browser, demo);
}

/** What two users do in a grouped table while the animation is taken: one types into a title, the other looks at a state. */
async function edit(frame: number, mira: Page, sam: Page): Promise<void> {
  const cell = (page: Page, row: number, field: string) =>
    page.locator(`.ag-row[row-id] [col-id="${field}"]`).nth(row);
  if (frame === 1) await cell(mira, 2, "state").click();
  if (frame === 2) await cell(sam, 1, "title").dblclick();
  if (frame >= 3 && frame < 9)
    await sam.keyboard.type([" —", " si", "nce", " th", "is mor", "ning"][frame - 3] ?? "");
  if (frame === 10) await sam.keyboard.press("Enter");
}

async function takeSingle(browser: Browser, demo: Demo): Promise<void> {
  const wide = { viewport: { width: 1280, height: 760 }, colorScheme: "light" } as const;
  const page = await openAs(browser, demo, MIRA, wide);
  for (const name of ["dashboard", "board", "groups", "workflow"]) {
    await show(page, demo.url + screens[name]);
    await page.screenshot({ path: `${images}/${name}.png` });
  }
  const small = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const phone = await openAs(browser, demo, MIRA, { ...small, colorScheme: "light" });
  await show(phone, `${demo.url}/t/incidents`);
  await phone.screenshot({ path: `${images}/phone.png` });
}

const args = process.argv.slice(2);
const [demo, fresh, browser] = await Promise.all([runDemo(), runWithoutOwner(), openBrowser()]);
try {
  if (args.includes("--docs")) await takeForDocs(browser, demo);
  else await takeAll(browser, demo, fresh.setupLink, args);
} finally {
  await browser.close();
  await Promise.all([demo.stop(), fresh.stop()]);
}
