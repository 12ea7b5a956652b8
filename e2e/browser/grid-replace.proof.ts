// Covers: client/src/features/grid client/src/sync
import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { openBrowser, visitAs } from "./testing/browser.ts";
import { cell, changeRecord, openTable, waitForText } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";
import { chooseTool } from "./testing/view-menu.ts";

/** More than one step may write, and than the grid loads at once. */
const MANY = 1_500;
const GLASS = 6;

const screen = await ParcelScreen.open();
const { at, press, range, namesStored, storedValues, product } = screen;

const find = () => screen.mara.getByLabel("Text to find");
const replacement = () => screen.mara.getByLabel("Replace with");
const button = (name: string) => screen.mara.getByRole("button", { name, exact: true });
const placeIs = (text: string) =>
  screen.mara.getByTestId("find-place").getByText(text, { exact: true }).waitFor();
const toasts = (text: string) => screen.mara.getByText(text).first().waitFor();
const stored = async (field: string) =>
  [...(await storedValues()).values()].map((values) => values[field]);
const byAna = (index: number, set: Record<string, unknown>) =>
  changeRecord(screen.ana, product, "parcels", screen.ids[index] ?? "", set);

/** Opens find and replace by its key, and fills it. */
async function fillBar(text: string, by: string, place: string): Promise<void> {
  await at(0, "place").click();
  await press("Control+h");
  await find().fill(text);
  await placeIs(place);
  await replacement().fill(by);
}

/** Closes the bar by its key. */
async function closeBar(): Promise<void> {
  await press("Escape");
  await find().waitFor({ state: "detached" });
}

const openGlass = () =>
  screen.openParcels(GLASS, (index) => ({ note: `Glass ${index}, more GLASS` }));

describe("replace all", () => {
  it("writes what a colleague has not changed meanwhile, and one undo takes back exactly that", async () => {
    await openGlass();
    await fillBar("glass", "wood", `1 of ${GLASS}`);
    await screen.mara.context().setOffline(true);
    await screen.mara.getByTestId("offline-bar").waitFor();
    await byAna(2, { note: "Ana's glass" });
    await byAna(3, { name: "Ana's name" });
    await replacement().press("Control+Enter");
    await waitForText(at(1, "note"), "wood 1, more wood");
    await screen.mara.context().setOffline(false);
    await toasts("5 cells replaced. 1 of 6 records were not saved completely.");
    await at(2, "note").and(screen.mara.locator('[data-state="conflict"]')).waitFor();
    const wood = (index: number) => `wood ${index}, more wood`;
    const others = [wood(3), wood(4), wood(5)];
    await expect.poll(() => stored("note")).toEqual([wood(0), wood(1), "Ana's glass", ...others]);
    await closeBar();
    await at(5, "note").click();
    await press("ControlOrMeta+z");
    const glass = (index: number) => `Glass ${index}, more GLASS`;
    const after = [glass(0), glass(1), "Ana's glass", glass(3), glass(4), glass(5)];
    await expect.poll(() => stored("note")).toEqual(after);
    expect((await namesStored())[3]).toBe("Ana's name");
  });

  it("is undone by its key in the bar, until something is typed there", async () => {
    await openGlass();
    await fillBar("glass", "wood", `1 of ${GLASS}`);
    await press("Control+Enter");
    await toasts(`${GLASS} cells replaced.`);
    await expect.poll(async () => (await stored("note"))[0]).toBe("wood 0, more wood");
    await press("ControlOrMeta+z");
    await expect.poll(async () => (await stored("note"))[0]).toBe("Glass 0, more GLASS");
    await expect.poll(() => replacement().inputValue()).toBe("wood");
    await press("Control+y");
    await expect.poll(async () => (await stored("note"))[0]).toBe("wood 0, more wood");
    await screen.mara.keyboard.type("en");
    await press("ControlOrMeta+z");
    await expect.poll(() => replacement().inputValue()).not.toBe("wooden");
    expect((await stored("note"))[0]).toBe("wood 0, more wood");
    await closeBar();
  });

  it("leaves hidden columns alone, and all but the selection if that is several cells", async () => {
    await screen.openParcels(4, () => ({ note: "Parcel" }));
    await screen.mara.getByRole("columnheader", { name: "Name" }).hover();
    await button("Menu of column Name").click();
    await screen.mara.getByRole("menuitem", { name: "Hide" }).click();
    await fillBar("parcel", "Box", "1 of 4");
    // Its tooltip goes with the click, so that Escape closes the bar.
    await button("Replace all").hover();
    await screen.mara.getByRole("tooltip").waitFor();
    await button("Replace all").click();
    await toasts("4 cells replaced.");
    await expect.poll(() => stored("note")).toEqual(Array(4).fill("Box"));
    const names = Array.from({ length: 4 }, (_, index) => `Parcel ${index}`);
    await expect.poll(() => namesStored()).toEqual(names);
    await closeBar();
    await screen.mara.getByRole("button", { name: /^Fields/ }).click();
    await screen.mara.getByRole("button", { name: "Reset" }).click();
    await press("Escape");
    await at(1, "place").click();
    await press("ArrowRight", "Shift+ArrowDown");
    await range().getByText("2 cells", { exact: true }).waitFor();
    await press("Control+h");
    await find().fill("parcel");
    await placeIs("2 of 4");
    await replacement().fill("Crate");
    await button("Replace in selection").click();
    await toasts("2 cells replaced.");
    await expect.poll(() => namesStored()).toEqual([names[0], "Crate 1", "Crate 2", names[3]]);
    await closeBar();
  });

  it("reads numbers and options as they are typed, and says what it skipped and why", async () => {
    await screen.openParcels(4, (index) => ({ pieces: [77, 177, 77, 5][index], size: "L" }));
    await fillBar("77", "1,234", "1 of 3");
    await button("Replace all").click();
    await toasts(
      "2 cells replaced. 1 cell was skipped. Pieces is replaced only where its whole value is the text.",
    );
    await expect.poll(() => stored("pieces")).toEqual([1_234, 177, 1_234, 5]);
    await find().fill("L");
    await replacement().fill("XL");
    const unwritten = at(3, "size").and(screen.mara.locator('[data-state="unreadable"]'));
    await button("Replace all").click();
    await unwritten.waitFor();
    await unwritten.and(screen.mara.locator('[aria-description*="Not written: “XL”"]')).waitFor();
    await expect.poll(() => stored("size")).toEqual(Array(4).fill("L"));
    await closeBar();
  });

  it("skips and counts what the role may not change, and touches nothing that it may not see", async () => {
    await screen.openParcels(3, (index) => ({ name: `Box 10${index}`, note: "10 secrets" }));
    const grants = { parcels: { read: { hide: ["note"] }, update: { fields: ["name"] } } };
    const call = (path: string, body: object) =>
      apiRequest<{ id: string }>(screen.mara, product, "POST", path, body);
    const role = await call("/roles", { name: "Namers", grants });
    const nora = { email: "nora@example.com", password: "a very long sentence" };
    await call("/users", { ...nora, name: "Nora", role: role.id });
    const { page, leave } = await visitAs(await openBrowser(), product, nora);
    await openTable(page, product, screen.mara.url().split("/t/")[1] ?? "");
    await cell(page, screen.ids[0] ?? "", "place").click();
    await page.keyboard.press("Control+h");
    await page.keyboard.type("0");
    await page.getByTestId("find-place").getByText("1 of 6", { exact: true }).waitFor();
    await page.getByLabel("Replace with").fill("7");
    await page.getByLabel("Replace with").press("Control+Enter");
    const skipped = "3 cells were skipped. Your role can't change Place of Parcels.";
    await page.getByText(`3 cells replaced. ${skipped}`).first().waitFor();
    await expect.poll(() => namesStored()).toEqual(["Box 177", "Box 171", "Box 172"]);
    await expect.poll(() => stored("note")).toEqual(Array(3).fill("10 secrets"));
    expect([...(await storedValues()).keys()]).toEqual(screen.ids);
    await leave();
  });

  it("keeps the spaces of both texts", async () => {
    await screen.openParcels(1, () => ({ note: "red, green, blue" }));
    await fillBar(", ", "; ", "1 of 1");
    await button("Replace all").click();
    await expect.poll(() => stored("note")).toEqual(["red; green; blue"]);
    await closeBar();
  });

  it("of more records than one step may write is a draft with a preview", async () => {
    await screen.openParcels(MANY);
    await fillBar("Parcel", "Box", "1 of 1,500");
    await button("Replace all").click();
    await screen.mara.getByRole("heading", { level: 1, name: "Edit 1,500 parcels" }).waitFor();
    expect((await namesStored()).filter((name) => name?.startsWith("Box"))).toEqual([]);
    await screen.mara.getByRole("button", { name: "Apply 1,500 changes" }).click();
    const client = new Client({ connectionString: product.databaseUrl });
    await client.connect();
    const replacedCount = async () => {
      const sql = "select count(*)::int from parcels where place like $1 and name like 'Box %'";
      return (await client.query(sql, [`${screen.round}-%`])).rows[0].count;
    };
    await expect.poll(replacedCount, { timeout: 60_000 }).toBe(MANY);
    await client.end();
  });
});

describe("replace", () => {
  it("writes one cell and goes to the next, and each match once", async () => {
    await openGlass();
    await fillBar("glass", "glass!", `1 of ${GLASS}`);
    await press("Enter");
    await placeIs(`2 of ${GLASS}`);
    await at(1, "note").and(screen.mara.locator('[data-found="current"]')).waitFor();
    await press("Enter");
    await placeIs(`3 of ${GLASS}`);
    const written = ["glass! 0, more glass!", "glass! 1, more glass!", "Glass 2, more GLASS"];
    await expect.poll(async () => (await stored("note")).slice(0, 3)).toEqual(written);
    await replacement().fill("");
    await press("Enter");
    await placeIs(`3 of ${GLASS - 1}`);
    await closeBar();
    await screen.mara.locator(".ag-cell:focus").waitFor();
    await press("ControlOrMeta+z");
    await waitForText(at(2, "note"), "Glass 2, more GLASS");
    expect((await stored("note")).slice(0, 2)).toEqual(written.slice(0, 2));
  });

  it("follows the text in the order of Tab, and Ctrl+F leads back into the bar", async () => {
    await openGlass();
    await at(0, "name").click();
    await press("Control+f");
    await screen.mara.keyboard.type("glass");
    await placeIs(`1 of ${GLASS}`);
    await button("Find and replace").press("Enter");
    const focused = (label: string) =>
      screen.mara.getByLabel(label, { exact: true }).and(screen.mara.locator(":focus")).waitFor();
    await focused("Replace with");
    await press("Shift+Tab");
    await focused("Text to find");
    for (const name of ["Replace with", "Replace", "Replace all", "Find and replace"]) {
      await press("Tab");
      await (name === "Replace with"
        ? focused(name)
        : button(name).and(screen.mara.locator(":focus")).waitFor());
    }
    await at(3, "note").click();
    await press("Control+f");
    await focused("Replace with");
    await press("Escape");
    await find().waitFor({ state: "detached" });
  });

  it("is not offered to a role that only reads", async () => {
    const viewer = { email: "vic@example.com", password: "one more long sentence" };
    await apiRequest(screen.mara, product, "POST", "/users", {
      ...viewer,
      name: "Vic Viewer",
      role: "viewer",
    });
    const { page, leave } = await visitAs(await openBrowser(), product, viewer);
    await openTable(page, product, "incidents");
    await page.locator(".ag-row .ag-cell[col-id]").nth(3).click();
    await page.keyboard.press("Control+h");
    await page.getByLabel("Text to find").and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: "Close find (Esc)" }).waitFor();
    expect(await page.getByRole("button", { name: "Find and replace" }).count()).toBe(0);
    expect(await page.getByLabel("Replace with").count()).toBe(0);
    await leave();
  });

  it("has no accessibility problems, and works on the cards of a phone", async () => {
    await openGlass();
    await fillBar("glass", "wood", `1 of ${GLASS}`);
    const problems = async () => {
      for (const colorScheme of ["light", "dark"] as const) {
        await screen.mara.emulateMedia({ colorScheme });
        await screen.mara.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        expect(await accessibilityProblems(screen.mara)).toEqual([]);
      }
    };
    await problems();
    await closeBar();
    await screen.mara.setViewportSize({ width: 390, height: 844 });
    await screen.mara.locator(".wf-card:not(.wf-loading)").first().waitFor();
    await chooseTool(screen.mara, "Find and replace");
    await find().fill("parcel 1");
    await button("Find and replace").click();
    await problems();
    await expect
      .poll(() => screen.mara.evaluate(() => document.documentElement.scrollWidth))
      .toBe(390);
    await replacement().fill("Box 1");
    await placeIs("1 of 1");
    await button("Replace all").click();
    await expect.poll(async () => (await namesStored())[1]).toBe("Box 1");
    await button("Close find (Esc)").click();
    await screen.mara.setViewportSize({ width: 1440, height: 900 });
    await at(0, "place").waitFor();
  });
});
