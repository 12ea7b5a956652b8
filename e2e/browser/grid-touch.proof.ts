// Covers: client/src/features/grid client/src/sync
import type { CDPSession, Locator, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, goToTable, openTable, textOf } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { openProduct, owner } from "./testing/product.ts";

const tablet = { viewport: { width: 1024, height: 768 }, hasTouch: true, isMobile: true };
const COLUMNS = 5;

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;
let touch: CDPSession;
let ids: string[];
let path: string;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner, tablet);
  page = visitor.page;
  touch = await page.context().newCDPSession(page);
  await addParcels(page, product);
  const made = await makeParcels(page, product, { series: "touch", count: 12 });
  ids = made.ids;
  path = made.path;
  await goToTable(page, product, made.path);
});

const at = (index: number, field: string) => cell(page, ids[index] ?? "", field);
const cells = (count: number) =>
  page.getByTestId("range").getByText(`${count} cells`, { exact: true }).waitFor();

/** Taps and waits for the click, which comes after the range has followed the focus: late, it would end the next drag's range. */
async function tap(on: Locator, options: Parameters<Locator["tap"]>[0] = {}): Promise<void> {
  const clicked = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        addEventListener("click", () => resolve(), { once: true, capture: true });
      }),
  );
  await on.tap(options);
  await clicked;
}

/**
 * Drags a handle of the range with a finger to a cell, where it rests before it is lifted. By the times that the events state, as a finger that
 * is lifted while it moves flings: the next tap only ends the fling, on any page.
 */
async function drag(end: "first" | "last" | "fill", index: number, field: string): Promise<void> {
  const start = await middleOf(end);
  const to = await boxAtRest(at(index, field));
  const goal = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
  const halfWay = { x: (start.x + goal.x) / 2, y: (start.y + goal.y) / 2 };
  const liftedAt = Date.now() / 1_000;
  const send = (type: "touchStart" | "touchMove", point: typeof start, before: number) =>
    touch.send("Input.dispatchTouchEvent", {
      type,
      touchPoints: [point],
      timestamp: liftedAt - before,
    });
  await send("touchStart", start, 0.5);
  await send("touchMove", halfWay, 0.45);
  await send("touchMove", goal, 0.4);
  await send("touchMove", goal, 0.2);
  await send("touchMove", { ...goal, x: goal.x + 1 }, 0.1);
  await lift(liftedAt);
}

function lift(timestamp = Date.now() / 1_000): Promise<unknown> {
  return touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [], timestamp });
}

/** Where the middle of a handle of the range is. */
async function middleOf(end: "first" | "last" | "fill") {
  const box = await boxAtRest(page.locator(`.ag-cell > .wf-range-handle[data-end="${end}"]`));
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

describe("on a tablet", () => {
  it("a tap selects a cell, and the handles of the range are dragged in every direction", async () => {
    await tap(at(4, "pieces"));
    await drag("last", 6, "size");
    await cells(6);
    await drag("first", 3, "name");
    await cells(12);
    await drag("last", 4, "pieces");
    await cells(4);
    await drag("last", 2, "pieces");
    await page.locator(`.ag-row[row-id="${ids[2]}"] [data-range]`).first().waitFor();
    await cells(4);
    await expect.poll(() => page.locator(".ag-cell[data-range]").count()).toBe(4);
  });

  it("a tap on the handle of a row selects the row", async () => {
    const handle = page.locator(`.ag-row[row-id="${ids[5]}"] .wf-gutter-cell`);
    await tap(handle, { position: { x: 6, y: 10 } });
    await cells(COLUMNS);
    await drag("first", 3, "place");
    await cells(3 * COLUMNS);
    await tap(at(1, "name"));
    await page.getByTestId("range").waitFor({ state: "detached" });
  });

  it("a tap on the cell with the focus selects this cell alone", async () => {
    await drag("last", 2, "place");
    await cells(4);
    await tap(at(1, "name"));
    await page.getByTestId("range").waitFor({ state: "detached" });
  });
});

it("the square handle of the range is dragged to fill, down and to the right", async () => {
  await tap(at(8, "place"));
  await drag("fill", 10, "place");
  await page.getByText("2 cells filled.").first().waitFor();
  await cells(3);
  const places = () => Promise.all([8, 9, 10, 11].map((index) => textOf(at(index, "place"))));
  const [first = "", last = ""] = [ids[8], ids[11]];
  await expect.poll(places).toEqual([first, first, first, last]);
  await tap(at(11, "place"));
  await drag("fill", 11, "name");
  await expect.poll(() => textOf(at(11, "name"))).toBe(last);
});

it("the square handle of the range is dragged to fill upwards and to the left", async () => {
  await tap(at(6, "name"));
  const name = await textOf(at(6, "name"));
  await drag("fill", 5, "name");
  await expect.poll(() => textOf(at(5, "name"))).toBe(name);
  await drag("fill", 5, "place");
  await cells(4);
  await expect.poll(() => textOf(at(5, "place"))).toBe(name);
});

it("a finger that rests on a handle opens no menu", async () => {
  await tap(at(4, "name"));
  const start = await middleOf("last");
  await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [start] });
  // As a browser says that the finger rests.
  const isTaken = await page.evaluate(({ x, y }) => {
    const init = { bubbles: true, cancelable: true, clientX: x, clientY: y };
    const target = document.elementFromPoint(x, y);
    return target?.dispatchEvent(new MouseEvent("contextmenu", init)) === false;
  }, start);
  expect(isTaken).toBe(true);
  const goal = await boxAtRest(at(5, "name"));
  const point = { x: start.x, y: goal.y + goal.height / 2 };
  await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
  await cells(2);
  expect(await page.getByRole("menu").count()).toBe(0);
  await lift();
});

it("a second finger on the other handle changes nothing, and no handle is left behind", async () => {
  await tap(at(4, "name"));
  await drag("last", 6, "pieces");
  await cells(6);
  const [first, last] = [await middleOf("first"), await middleOf("last")];
  const goal = { ...last, y: last.y - (last.y - first.y) / 2 };
  type Point = { x: number; y: number; id: number };
  const send = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: Point[]) =>
    touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", { ...last, id: 0 });
  await send("touchStart", { ...last, id: 0 }, { ...first, id: 1 });
  await send("touchMove", { ...goal, id: 0 }, { ...first, id: 1 });
  await cells(4);
  await send("touchEnd");
  await expect.poll(() => page.locator(".wf-range-handle").count()).toBe(3);
  await expect.poll(() => page.locator(".ag-cell > .wf-range-handle").count()).toBe(3);
});

it("in compact rows, both handles at the first edge of a cell are reached", async () => {
  await page.evaluate(() => localStorage.setItem("watchfloor.density", "compact"));
  await openTable(page, product, path);
  await tap(at(7, "name"));
  await drag("fill", 9, "name");
  await page.getByText("2 cells filled.").first().waitFor();
  await cells(3);
  await expect.poll(() => textOf(at(9, "name"))).toBe(await textOf(at(7, "name")));
  await tap(at(4, "pieces"));
  await drag("first", 3, "name");
  await cells(4);
});
