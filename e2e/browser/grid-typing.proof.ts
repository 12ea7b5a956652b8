// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { runSeed } from "../provision/test-seed.ts";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable } from "./testing/grid.ts";
import { openProduct, owner } from "./testing/product.ts";
import { slowRenderers } from "./testing/slow-renderers.ts";

/** How many times slower than the machine the page runs, so that late drawing becomes very late. */
const CPU_SLOWDOWN = 6;

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;
let runAtFullSpeed = async () => {};
let round = 0;
let ids: string[] = [];

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
  await page.addInitScript(stopMissedClicks);
});

/** What a click is meant for, and whether another record was there when it came. */
interface Aim {
  record: string;
  isMissed: boolean;
}

/** Keeps clicks from the page that come when rows have moved, and another record is under the pointer. */
function stopMissedClicks(): void {
  const page = window as unknown as { aim?: Aim };
  for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
    const listener = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest("[row-id]") : null;
      if (!page.aim) return;
      if (type === "pointerdown")
        page.aim.isMissed = row?.getAttribute("row-id") !== page.aim.record;
      if (page.aim.isMissed) event.stopImmediatePropagation();
    };
    window.addEventListener(type, listener, true);
  }
}

/**
 * Clicks the title of a record. Playwright would do so again by itself if another record were there, but can't see that
 * where the product holds the click back until earlier keys are handled.
 */
async function clickTitle(record: string): Promise<void> {
  const isMissed = () => page.evaluate(() => (window as unknown as { aim: Aim }).aim.isMissed);
  do {
    await page.evaluate(
      (to) => Object.assign(window, { aim: { record: to, isMissed: false } }),
      record,
    );
    await cell(page, record, "title").click();
  } while (await isMissed());
}

/** Presses keys one right after the other, like a fast typist who does not look at the screen. */
async function typeWithoutWaiting(...keys: string[]): Promise<void> {
  for (const key of keys) {
    if (/^(\w+\+)+\w+$|^(Enter|Tab|Escape|F2|Home|End|Backspace|Delete|Arrow\w+)$/.test(key))
      await page.keyboard.press(key);
    else await page.keyboard.type(key);
  }
}

/** Random numbers that a seed repeats. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Holds the page's timers from now on; the returned function runs those that are due. */
async function holdTimers(on: Page): Promise<() => Promise<void>> {
  await on.evaluate(() => {
    const waiting: (() => void)[] = [];
    const setNative = setTimeout;
    const hold = (run: () => void) => waiting.push(run) + 1_000_000;
    const clearNative = clearTimeout;
    Object.assign(window, {
      setTimeout: hold,
      clearTimeout: (id: number) => {
        if (id > 1_000_000) waiting[id - 1_000_001] = () => undefined;
        else clearNative(id);
      },
      runTimers: () =>
        new Promise((resolve) => {
          for (let index = 0, due = waiting.length; index < due; index += 1) {
            const run = waiting[index];
            waiting[index] = () => undefined;
            run?.();
          }
          setNative(resolve, 20);
        }),
    });
  });
  return () => on.evaluate(() => (window as unknown as { runTimers(): Promise<void> }).runTimers());
}

/** Opens a table, and slows the page down only then. */
async function openSlowTable(path: string): Promise<void> {
  await runAtFullSpeed();
  await openTable(page, product, path);
  runAtFullSpeed = await slowRenderers(browser, CPU_SLOWDOWN);
}

const place = () => `Typing ${round}`;

async function records(): Promise<WireRecord[]> {
  const filter = encodeURIComponent(
    JSON.stringify({ field: "location", op: "eq", value: place() }),
  );
  const { records: found } = await apiRequest<{ records: WireRecord[] }>(
    page,
    product,
    "GET",
    `/tables/incidents/records?filter=${filter}&sort=category&limit=100`,
  );
  return found;
}

/** The stored values of a field of this round's records, in the order of the fixed ones, then the new ones. */
async function titles(): Promise<string[]> {
  return (await records()).map(({ values }) => String(values.title ?? ""));
}

afterAll(() => runAtFullSpeed());

describe("typing without a pause", () => {
  beforeEach(async () => {
    round += 1;
    ids = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `typing-${round}-${n}`);
    for (const [n, id] of ids.entries()) {
      const values = { title: `Title ${n + 1}`, category: `Row ${n + 1}`, location: place() };
      await makeRecord(page, product, "incidents", id, values);
    }
    const filter = JSON.stringify({ field: "location", op: "eq", value: place() });
    await openSlowTable(`incidents?sort=category&filter=${encodeURIComponent(filter)}`);
  });

  it("fills the new record from the moment of the command, and no other", async () => {
    for (const [n, id] of ids.entries()) {
      await clickTitle(id);
      await typeWithoutWaiting("ControlOrMeta+Enter", `New one ${n + 1}`, "Enter");
    }
    await expect
      .poll(async () => (await titles()).filter((title) => title.startsWith("New")).sort())
      .toEqual(ids.map((_, n) => `New one ${n + 1}`));
    expect((await titles()).filter((title) => title.startsWith("Title"))).toEqual(
      ids.map((_, n) => `Title ${n + 1}`),
    );
  });

  it("finishes the cell that is being typed in before it follows a click", async () => {
    await runAtFullSpeed();
    const runTimers = await holdTimers(page);
    await cell(page, ids[0] ?? "", "category").click();
    await typeWithoutWaiting("ControlOrMeta+Enter", "New");
    // The first key opens the editor; the others still wait when the click comes.
    const editor = page.locator(".wf-editor input");
    while ((await editor.count()) === 0) await runTimers();
    await cell(page, ids[3] ?? "", "title").click();
    await typeWithoutWaiting("Clicked", "Enter");
    await expect
      .poll(async () => {
        await runTimers();
        return (await titles()).filter((title) => !title.startsWith("Title")).sort();
      })
      .toEqual(["Clicked", "New"]);
    expect((await titles())[3]).toBe("Clicked");
  });

  it("goes to the cell that a command leads to, however late that is drawn", async () => {
    await openSlowTable("incidents?sort=number");
    const first = page.locator('.ag-row[row-index="0"]');
    const title = first.locator('[col-id="title"] .wf-value');
    const before = await title.textContent();
    await first.locator('[col-id="title"]').click();
    await typeWithoutWaiting("ControlOrMeta+End", "Home", "ArrowRight", `Last ${round}`, "Enter");
    await expect
      .poll(async () => {
        const path = "/tables/incidents/records?sort=-number&limit=1";
        const { records: found } = await apiRequest<{ records: WireRecord[] }>(
          page,
          product,
          "GET",
          path,
        );
        return found[0]?.values.title;
      })
      .toBe(`Last ${round}`);
    await page.keyboard.press("ControlOrMeta+Home");
    await expect.poll(() => title.textContent()).toBe(before);
  });

  it("never reaches another record, however fast the user types", async () => {
    const seed = runSeed;
    const random = dice(seed);
    const pick = (count: number) => Math.floor(random() * count);
    const expected = ids.map((_, n) => `Title ${n + 1}`);
    const made: string[] = [];
    await clickTitle(ids[0] ?? "");
    for (let step = 0; step < 25; step += 1) {
      if (pick(2) === 0) {
        made.push(`Made ${step}`);
        await typeWithoutWaiting("ControlOrMeta+Enter", `Made ${step}`, "Enter");
        continue;
      }
      const at = pick(ids.length);
      await clickTitle(ids[at] ?? "");
      expected[at] = `Typed ${step}`;
      await typeWithoutWaiting(`Typed ${step}`, "Enter");
      if (at + 1 < ids.length && pick(2) === 0) {
        expected[at + 1] = `Below ${step}`;
        await typeWithoutWaiting(`Below ${step}`, "Enter");
      }
    }
    const sorted = [...expected, ...made].sort();
    const message = `WATCHFLOOR_SEED=${seed}`;
    await expect.poll(async () => (await titles()).sort(), { message }).toEqual(sorted);
    const found = new Map((await records()).map(({ id, values }) => [id, values.title]));
    expect(
      ids.map((id) => found.get(id)),
      message,
    ).toEqual(expected);
  });
});
