// Covers: client/src/features/grid client/src/sync
import { beforeAll, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visitAs } from "./testing/browser.ts";
import { cell, changeRecord, openTable } from "./testing/grid.ts";
import { addParcels, makeParcels } from "./testing/parcels.ts";
import { owner } from "./testing/product.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { chooseTool } from "./testing/view-menu.ts";

const ROWS = 400;

const { browser, product, mara, ana } = await openTwoUsers();
let ids: string[];
let path: string;

beforeAll(async () => {
  await addParcels(mara, product);
  const isFar = (index: number) => index === 390 || index === 250;
  const made = await makeParcels(mara, product, { series: "find", count: ROWS }, (index) => ({
    note: index === 3 || isFar(index) ? "fragile GLASS" : null,
    size: index === 5 ? "L" : "S",
    pieces: index === 7 ? 123_456 : index,
  }));
  ({ ids, path } = made);
  await openTable(mara, product, path);
});

const place = () => mara.getByTestId("find-place");
const at = (index: number, field: string) => cell(mara, ids[index] ?? "", field);
const mark = (index: number, field: string) => at(index, field).getAttribute("data-found");
const placeIs = (text: string) => place().getByText(text, { exact: true }).waitFor();

it("finds a text in all rows of the view, steps through the matches and returns to the cell", async () => {
  await at(4, "name").click();
  await mara.keyboard.press("Control+f");
  await mara.keyboard.type("glass");
  // The focus is behind the first match, so the search begins at the next one, far below the loaded rows.
  await placeIs("2 of 3");
  await mara.locator(`[row-id="${ids[250]}"] [data-found="current"]`).waitFor();
  await mara.keyboard.press("Enter");
  await placeIs("3 of 3");
  await mara.locator(`[row-id="${ids[390]}"] [data-found="current"]`).waitFor();
  await mara.keyboard.press("Enter");
  await placeIs("1 of 3");
  await expect.poll(() => mark(3, "note")).toBe("current");
  await mara.keyboard.press("Shift+Enter");
  await placeIs("3 of 3");
  await mara.keyboard.press("Escape");
  await expect
    .poll(() => at(390, "note").evaluate((element) => element === document.activeElement))
    .toBe(true);
  await expect.poll(() => mara.locator("[data-found]").count()).toBe(0);
});

it("finds options and numbers as they are shown, and says when there is nothing", async () => {
  await chooseTool(mara, "Find and replace");
  await mara.keyboard.type("123,4");
  await placeIs("1 of 1");
  await expect.poll(() => mark(7, "pieces")).toBe("current");
  await mara.getByLabel("Text to find").fill("nowhere");
  await placeIs("No matches");
  expect(await accessibilityProblems(mara)).toEqual([]);
});

it("follows what a colleague changes", async () => {
  await mara.getByLabel("Text to find").fill("Parcel 9");
  // 9, and 90 to 99.
  await placeIs("1 of 11");
  await changeRecord(ana, product, "parcels", ids[10] ?? "", { name: "Now Parcel 9" });
  await placeIs("1 of 12");
  await expect.poll(() => mark(10, "name")).toBe("match");
  await changeRecord(ana, product, "parcels", ids[9] ?? "", { name: "Gone" });
  await placeIs("1 of 11");
  await expect.poll(() => mark(10, "name")).toBe("current");
  await mara.keyboard.press("Escape");
});

it("searches rows that are not loaded again for who goes on after the last match", async () => {
  await openTable(mara, product, path);
  await chooseTool(mara, "Find and replace");
  await mara.getByLabel("Text to find").fill("Parcel 39");
  // 39, and 390 to 399.
  await placeIs("1 of 11");
  await changeRecord(ana, product, "parcels", ids[300] ?? "", { name: "Now Parcel 39" });
  await changeRecord(ana, product, "parcels", ids[39] ?? "", { name: "Later Parcel 39" });
  await at(39, "name").getByText("Later Parcel 39").waitFor();
  await mara.keyboard.press("Shift+Enter");
  await placeIs("12 of 12");
  await mara.keyboard.press("Escape");
});

it("searches only the columns that are shown", async () => {
  await mara.getByRole("columnheader", { name: "Note" }).hover();
  await mara.getByRole("button", { name: "Menu of column Note" }).click();
  await mara.getByRole("menuitem", { name: "Hide" }).click();
  await chooseTool(mara, "Find and replace");
  const asked: string[] = [];
  mara.on("request", (request) => asked.push(decodeURIComponent(request.url())));
  await mara.keyboard.type("glass");
  await placeIs("No matches");
  const reads = asked.filter((url) => url.includes("/tables/parcels/records"));
  expect(reads).not.toEqual([]);
  expect(reads.filter((url) => /fields=[^&]*note/.test(url))).toEqual([]);
});

it.each([
  ["Control+f", "Text to find"],
  ["Control+k", "Search or jump to"],
])("takes what is typed after %s while the last row is still being read", async (keys, label) => {
  const { page: slow } = await visitAs(browser, product, owner);
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  await slow.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage(async (message) => {
      if (isHeld && `${message}`.includes('"query"')) await released.promise;
      server.send(message);
    });
  });
  await openTable(slow, product, path);
  await cell(slow, ids[0] ?? "", "name").click();
  isHeld = true;
  await slow.keyboard.press("Control+End");
  await slow.keyboard.press(keys);
  const input = slow.getByLabel(label, { exact: true });
  await input.and(slow.locator(":focus")).waitFor();
  await slow.keyboard.type("zebra");
  await expect.poll(() => input.inputValue()).toBe("zebra");
  released.resolve();
  await cell(slow, ids.at(-1) ?? "", "name").waitFor();
  await slow.keyboard.type("s");
  await expect.poll(() => input.inputValue()).toBe("zebras");
  await slow.context().close();
});
