// Covers: client/src/features/grid client/src/records server/views
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { apiRequest } from "./testing/api-request.ts";
import { cell, goToTable, recordsShown } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";

const screen = await ParcelScreen.open();
const COUNT = 8;
/** Mara's, which she shares; Ana works in it, too. */
let view: ViewInfo;

const request = <T>(page: Page, method: string, path: string, data?: object) =>
  apiRequest<T>(page, screen.product, method, path, data);

beforeEach(async () => {
  await screen.openParcels(COUNT);
  const filter = { field: "place", op: "startsWith", value: `${screen.round}-` };
  const settings = { table: "parcels", name: `By hand ${screen.round}`, sort: [], filter };
  view = await request<ViewInfo>(screen.mara, "POST", "/views", { ...settings, shared: true });
  for (const page of [screen.mara, screen.ana]) {
    await page.setViewportSize({ width: 1280, height: 720 });
    await goToTable(page, screen.product, `parcels?view=${view.id}`);
    await shown("01234567", page);
  }
});

const idOf = (digit: string) => screen.ids[Number(digit)] ?? "";

/** Waits until the parcels are in this order, by the last digits of their ids. */
const shown = (digits: string, page = screen.mara) =>
  expect
    .poll(async () => (await recordsShown(page)).map((id) => id.slice(-1)).join(""))
    .toBe(digits);

const numberOf = (digit: string, page = screen.mara) =>
  page.locator(`[row-id="${idOf(digit)}"] .wf-gutter-cell`);

/** Beside the button that opens the record. */
const position = { x: 6, y: 12 };

/** Drags the number of a row to the upper or the lower half of another one. */
async function drag(digit: string, to: string, half: "upper" | "lower"): Promise<void> {
  const { mara } = screen;
  const [from, target] = await Promise.all([
    numberOf(digit).boundingBox(),
    numberOf(to).boundingBox(),
  ]);
  if (!from || !target) return expect.unreachable();
  await mara.mouse.move(from.x + position.x, from.y + position.y);
  await mara.mouse.down();
  const y = target.y + target.height * (half === "upper" ? 0.2 : 0.8);
  // The part that drags is loaded with the first press.
  await expect
    .poll(async () => {
      await mara.mouse.move(target.x + position.x, y - 1);
      await mara.mouse.move(target.x + position.x, y);
      return mara.locator(".wf-drop-line").isVisible();
    })
    .toBe(true);
  await mara.mouse.up();
}

const press = (...keys: string[]) =>
  Promise.all(keys.map((key) => screen.mara.keyboard.press(key)));

describe("V7 rows that are moved by hand", () => {
  it("come where they are dropped, on the screens of all who use the view, and go back by undo", async () => {
    await drag("5", "1", "upper");
    await shown("05123467");
    await shown("05123467", screen.ana);
    await drag("0", "7", "lower");
    await shown("51234670");
    await press("Control+z");
    await shown("05123467");
    await press("Control+z");
    await shown("01234567");
    await shown("01234567", screen.ana);
    await press("Control+Shift+z");
    await shown("05123467");
    await screen.mara.reload();
    await shown("05123467");
    await cell(screen.mara, idOf("5"), "name").click();
    await press("Control+z");
    await shown("01234567");
  });

  it("are all that are selected with the dragged one", async () => {
    await numberOf("2").click({ position });
    await numberOf("4").click({ position, modifiers: ["Shift"] });
    await drag("3", "6", "lower");
    await shown("01562347");
    await press("Control+z");
    await shown("01234567");
    await screen.mara.keyboard.press("Escape");
    for (const digit of ["1", "6"])
      await screen.mara.locator(`[row-id="${idOf(digit)}"] input[type="checkbox"]`).click();
    await drag("6", "0", "upper");
    await shown("16023457");
    await press("Control+z");
    await shown("01234567");
  });

  it("stay where a drag is cancelled, and a click selects the row", async () => {
    const { mara } = screen;
    const box = await numberOf("3").boundingBox();
    if (!box) return expect.unreachable();
    await numberOf("1").click({ position });
    await expect.poll(() => screen.range().textContent()).toContain("11");
    await mara.mouse.move(box.x + 6, box.y + 8);
    await mara.mouse.down();
    await mara.mouse.move(box.x + 6, box.y + 80, { steps: 5 });
    await mara.locator(".wf-drop-line").waitFor();
    await mara.keyboard.press("Escape");
    await mara.locator(".wf-drop-line").waitFor({ state: "detached" });
    await mara.mouse.up();
    await shown("01234567");
    await press("Control+z");
    await shown("01234567");
  });

  it("are moved by keys, each from where the one before has left them, and by the menu", async () => {
    const { mara } = screen;
    await cell(mara, idOf("2"), "name").click();
    await press("Alt+Shift+ArrowDown", "Alt+Shift+ArrowDown", "Alt+Shift+ArrowDown");
    await shown("01345267");
    await press("Alt+Shift+Home");
    await shown("20134567");
    await press("Alt+Shift+ArrowUp", "Alt+Shift+End");
    await shown("01345672");
    const isInRow = () => document.activeElement?.closest("[row-id]")?.getAttribute("row-id");
    await expect.poll(() => mara.evaluate(isInRow)).toBe(idOf("2"));
    await cell(mara, idOf("7"), "name").click({ button: "right" });
    await mara.getByRole("menuitem", { name: "Move in this view" }).click();
    await mara.getByRole("menuitem", { name: "Move to top" }).click();
    await shown("70134562");
  });

  it("do not move under a colleague who types", async () => {
    const { ana } = screen;
    await cell(ana, idOf("0"), "pieces").click();
    await ana.keyboard.type("10\n11\n");
    await drag("7", "0", "upper");
    await shown("70123456");
    const notice = ana.getByRole("button", { name: "changed this view · Show" });
    await notice.waitFor();
    await ana.keyboard.type("12\n13\n14\n15\n16\n17\n");
    await expect
      .poll(async () => [...(await screen.storedValues()).values()].map(({ pieces }) => pieces))
      .toEqual([10, 11, 12, 13, 14, 15, 16, 17]);
    await shown("01234567", ana);
    await notice.click();
    await shown("70123456", ana);
  });

  it("say why they can't be moved", async () => {
    const { mara } = screen;
    await goToTable(mara, screen.product, `parcels?view=${view.id}&sort=-place`);
    await shown("76543210");
    await cell(mara, idOf("3"), "name").click();
    await press("Alt+Shift+ArrowUp");
    await mara.getByText("Rows are in the order of the sort.").first().waitFor();
    await shown("76543210");
  });
});
