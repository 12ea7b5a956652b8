// Covers: client/src/features/board
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { cardIn, focusedColumn, wide } from "./testing/board.ts";
import { goTo } from "./testing/go-to.ts";
import { changeRecord, makeRecord } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, users, mara } = await openTwoUsers();
let count = 0;
let record = "";

beforeAll(async () => {
  await mara.setViewportSize(wide);
});

/** A board of one card of each test, and one that stays. */
beforeEach(async () => {
  count += 1;
  record = `focus-${count}`;
  const title = `Focus ${count}`;
  for (const id of [record, `${record}-stays`])
    await makeRecord(mara, product, "incidents", id, { title });
  await goTo(mara, product, `/t/incidents/board?q=${encodeURIComponent(title)}`);
  await card("New").waitFor();
});

const card = (state: string) => cardIn(mara, state, record);
const menu = () => mara.getByRole("dialog", { name: /available transitions/ });
const records = "/tables/incidents/records";
const startWork = () =>
  apiRequest(users.ana.page, product, "POST", `${records}/${record}/transitions/activate`, {
    from: "New",
  });
const remove = () =>
  apiRequest(users.ana.page, product, "DELETE", `${records}/${record}?overwrite=true`);

/** The card that has the focus, or something in it. */
const focusedCard = () =>
  mara.evaluate(() => document.activeElement?.closest("[data-card]")?.getAttribute("data-card"));

async function openMenu(): Promise<void> {
  await card("New").getByRole("link").focus();
  await mara.keyboard.press("m");
  await menu().waitFor();
}

describe("the focus on a board", () => {
  it("returns from the menu to a card that a colleague has moved meanwhile", async () => {
    await openMenu();
    await startWork();
    await card("Active").waitFor();
    await mara.keyboard.press("Escape");
    await menu().waitFor({ state: "detached" });
    await expect.poll(() => focusedColumn(mara)).toBe("Active");
    await expect.poll(() => focusedCard()).toBe(record);
  });

  it("goes to another card when a colleague deletes the one whose menu is open", async () => {
    await openMenu();
    await remove();
    await card("New").waitFor({ state: "detached" });
    await menu().waitFor({ state: "detached" });
    await expect.poll(focusedCard).toBe(`${record}-stays`);
  });

  it("goes to another card when the one whose menu is open leaves the board", async () => {
    await openMenu();
    await changeRecord(users.ana.page, product, "incidents", record, { title: "Elsewhere" });
    await card("New").waitFor({ state: "detached" });
    await menu().waitFor({ state: "detached" });
    await expect.poll(focusedCard).toBe(`${record}-stays`);
  });

  it("goes to a card beside the one that a colleague deletes", async () => {
    await card("New").getByRole("link").focus();
    await remove();
    await card("New").waitFor({ state: "detached" });
    await expect.poll(focusedCard).toBe(`${record}-stays`);
  });
});
