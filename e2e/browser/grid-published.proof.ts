// Covers: client/src/features/grid client/src/sync
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import { SeededRandom } from "../convergence/seeded-random.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import { runSeed } from "../provision/test-seed.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, openTable } from "./testing/grid.ts";
import { type Pressed, pressKey } from "./testing/pipelined-keys.ts";
import { openProduct, owner } from "./testing/product.ts";
import { slowRenderers } from "./testing/slow-renderers.ts";
import { untilIdle } from "./testing/until-idle.ts";

/**
 * A colleague publishes columns while somebody types. The page takes them up in some hundred milliseconds in which keys come: the renderer is
 * slowed down, so that it takes longer, and each round begins to type at another moment of it.
 */
const SLOWDOWN = 8;
const ROUNDS = 8;
/** More than there are columns. */
const ARROWS = 14;
/** Between the publication and the first key. */
const LATEST_MS = 600;

const { browser, product } = await openProduct({ environment: { WATCHFLOOR_TEMPLATE: "empty" } });
let visitor: Visitor;
let colleague: TestUser;

const fields = ["name", "place", "note"].map((name) => ({ name, label: name, type: "text" }));
const notes = {
  ...{ name: "notes", label: "Notes", recordLabel: "note", display: "name", fields },
  ...{ columns: fields.map(({ name }) => name), sort: ["name"] },
};
const idOf = (round: number) => `n${round}`;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  colleague = await addUser(product.url, await signIn(product.url, owner), "Olga", "owner");
  const model = await colleague.call<Model>("GET", "/model");
  await colleague.call("PUT", "/model", { ...model, tables: [...model.tables, notes] });
  // Below the last one the columns are not scrolled to: one more.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const values = { name: String(round).padStart(2, "0"), note: "Before" };
    await colleague.call("POST", "/tables/notes/records", { record: idOf(round), values });
  }
  await openTable(visitor.page, product, "notes");
});

async function publishColumn(name: string): Promise<void> {
  const model = await colleague.call<Model>("GET", "/model");
  const table = model.tables.find((one) => one.name === "notes");
  table?.fields.push({ name, label: name, type: "text" });
  table?.columns.push(name);
  await colleague.call("PUT", "/model", model);
}

it("puts what is typed while columns are published into one cell, whole, and without a conflict", async () => {
  const { page } = visitor;
  const random = new SeededRandom(runSeed);
  const keys = await page.context().newCDPSession(page);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [record, text, added] = [idOf(round), `Typed ${round}`, `added_${round}`];
    await untilIdle(page);
    await cell(page, record, "name").click();
    await cell(page, record, "name").and(page.locator(":focus")).waitFor();
    const atFullSpeed = await slowRenderers(browser, SLOWDOWN);
    const publishing = publishColumn(added);
    await pause(random.below(LATEST_MS));
    const pressed: Pressed[] = [
      ...Array.from({ length: ARROWS }, () => ({ press: "ArrowRight" })),
      ...[...text].map((type) => ({ type })),
      { press: "Enter" },
    ];
    await Promise.all([publishing, ...pressed.map((key) => pressKey(keys, key))]);
    await atFullSpeed();
    await untilIdle(page);
    const { values } = await colleague.record("notes", record);
    // The last column is the new one, if it was there at the first key.
    const last = round === 0 ? "note" : `added_${round - 1}`;
    const found = Object.keys(values).filter((field) => values[field] === text);
    expect([[last], [added]]).toContainEqual(found);
    expect({ ...values, [found[0] ?? ""]: null }).toMatchObject({
      note: found[0] === "note" ? null : "Before",
    });
    expect(await page.getByRole("button", { name: /to review/ }).count()).toBe(0);
    // Taken up once the typist has paused, with the focus.
    await page.locator(`.ag-header-cell[col-id="${added}"]`).waitFor();
    await page.locator(".ag-cell:focus").waitFor();
  }
});

it("keeps the find bar, with what is typed into it, and the menu of a cell while a column is published", async () => {
  const { page } = visitor;
  await untilIdle(page);
  await cell(page, "n0", "name").click();
  await page.keyboard.press("Control+h");
  const find = page.getByLabel("Text to find");
  const replacement = page.getByLabel("Replace with");
  await find.fill("Before");
  await page.getByTestId("find-place").getByText(/^1 of/).waitFor();
  await replacement.fill("Af");
  // Those that are not on the screen, too.
  const columns = async () =>
    Number(await page.locator("[aria-colcount]").first().getAttribute("aria-colcount"));
  const before = await columns();
  await publishColumn("beside_find");
  await expect.poll(columns).toBe(before + 1);
  await replacement.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("ter");
  await expect.poll(() => replacement.inputValue()).toBe("After");
  await page.getByTestId("find-place").getByText(/^1 of/).waitFor();
  await page.keyboard.press("Escape");
  await find.waitFor({ state: "detached" });

  await cell(page, "n0", "name").click({ button: "right" });
  const menu = page.getByRole("menu", { name: "Cell name" });
  await menu.waitFor();
  await publishColumn("beside_menu");
  await untilIdle(page);
  await menu.getByRole("menuitem", { name: "Copy link to record" }).waitFor();
  await page.keyboard.press("Escape");
  await menu.waitFor({ state: "detached" });
  await expect.poll(columns).toBe(before + 2);
});
