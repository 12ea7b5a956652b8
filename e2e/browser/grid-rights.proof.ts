// Covers: client/src/features/grid client/src/sync
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { cell, makeRecord, openTable, recordsShown, textOf, waitForText } from "./testing/grid.ts";
import { typePipelined } from "./testing/pipelined-keys.ts";
import { openProduct, owner } from "./testing/product.ts";

const cleaner = { email: "cleo@example.com", password: "a fourth long sentence" };
const viewer = { email: "vic@example.com", password: "a third long sentence" };

const { browser, product } = await openProduct();
let mara: Visitor;
let vic: Visitor;

beforeAll(async () => {
  mara = await visitAs(browser, product, owner);
  const answer = await mara.page.request.post(`${product.url}/api/v1/users`, {
    data: { ...viewer, name: "Vic Viewer", role: "viewer" },
    headers: { origin: product.url },
  });
  expect(answer.status()).toBe(201);
  vic = await visitAs(browser, product, viewer);
});

const refused = (page: Page, record: string) =>
  cell(page, record, "name").and(page.locator('[data-state="rejected"]'));

describe("what may not be written", () => {
  it("does not open an editor for a user who only reads, and says why", async () => {
    const { page } = vic;
    await openTable(page, product, "services");
    const [record = ""] = await recordsShown(page);
    const name = await textOf(cell(page, record, "name"));
    await cell(page, record, "name").dblclick();
    await page.keyboard.type("x");
    expect(await page.locator(".wf-editor").count()).toBe(0);
    await expect.poll(() => textOf(cell(page, record, "name"))).toBe(name);
    await expect.poll(() => cell(page, record, "name").getAttribute("aria-readonly")).toBe("true");
    await cell(page, record, "name").getByTitle("Your role can't change Name").waitFor();
    expect(await page.getByRole("button", { name: /^New/ }).count()).toBe(0);
    await page.keyboard.press("Alt+Enter");
    await page.getByRole("complementary").getByText(name).first().waitFor();
    expect(await page.getByRole("complementary").getByRole("textbox").count()).toBe(0);
  });

  it("is refused on its cell with the reason, and can be dropped", async () => {
    const { page } = mara;
    await makeRecord(page, product, "services", "taken-name", { name: "Taken name" });
    await makeRecord(page, product, "services", "other-name", { name: "Other name" });
    await openTable(page, product, "services?q=name");
    await cell(page, "other-name", "name").click();
    await page.keyboard.type("Taken name");
    await page.keyboard.press("Enter");
    await refused(page, "other-name").waitFor();
    await waitForText(cell(page, "other-name", "name"), "Other name");
    await cell(page, "other-name", "name").click();
    await page.keyboard.press("Enter");
    const editStatus = page.getByRole("dialog");
    await editStatus.getByText("Name was not saved").waitFor();
    await editStatus.getByText("Taken name", { exact: true }).waitFor();
    await editStatus.getByRole("button", { name: "Discard my change" }).click();
    await refused(page, "other-name").waitFor({ state: "detached" });
    await page.locator('.ag-row[row-id="other-name"] .ag-cell-focus').waitFor();
  });

  it("does not change a required cell when a range is cleared", async () => {
    const { page } = mara;
    await cell(page, "other-name", "name").click();
    await page.keyboard.press("Delete");
    await page.getByText("Name is required.").first().waitFor();
    await expect.poll(() => textOf(cell(page, "other-name", "name"))).toBe("Other name");
  });

  it("takes the keys that come after Enter, while its reason is shown beside it", async () => {
    const { page } = mara;
    for (const [id, name] of [
      ["first", "First label"],
      ["second", "Second label"],
      ["third", "Third label"],
    ] as const)
      await makeRecord(page, product, "services", `${id}-label`, { name });
    await openTable(page, product, "services?q=label&sort=name");
    const first = cell(page, "first-label", "name");
    await first.click();
    await page.keyboard.type("Third label");
    await page.keyboard.press("Enter");
    await refused(page, "first-label").waitFor();
    await first.click();
    await typePipelined(page, "\n\nSecond label 2\n", 10);
    await waitForText(cell(page, "second-label", "name"), "Second label 2");
    await refused(page, "first-label").waitFor();
    // What was refused is there to be corrected, and goes back by Escape.
    await first.click();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").getByText("Another service has this name.").waitFor();
    await page.keyboard.type(" 2");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await refused(page, "first-label").waitFor();
    await page.keyboard.press("F2");
    await page.keyboard.type(" 4");
    await page.keyboard.press("Enter");
    await waitForText(first, "Third label 4");
    await refused(page, "first-label").waitFor({ state: "detached" });
  });

  it("has its reason by Alt and the arrow down, also from the editor, and is tried again where it is typed again", async () => {
    const { page } = mara;
    const first = cell(page, "first-label", "name");
    await first.click();
    await page.keyboard.type("Third label");
    await page.keyboard.press("Enter");
    await refused(page, "first-label").waitFor();
    await first.click();
    await page.keyboard.press("Alt+ArrowDown");
    const title = page.getByRole("dialog").getByRole("heading");
    await title.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Escape");
    await page.locator('.ag-row[row-id="first-label"] .ag-cell-focus:focus').waitFor();
    await apiRequest(
      page,
      product,
      "PATCH",
      "/tables/services/records/third-label?overwrite=true",
      {
        set: { name: "Third label 5" },
      },
    );
    await waitForText(cell(page, "third-label", "name"), "Third label 5");
    await page.keyboard.type("Third label");
    await page.keyboard.press("Enter");
    await waitForText(first, "Third label");
    await first.click();
    await page.keyboard.type("Third label 5");
    await page.keyboard.press("Enter");
    await refused(page, "first-label").waitFor();
    await first.click();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Alt+ArrowDown");
    await title.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Tab");
    const discard = page.getByRole("button", { name: "Discard my change" });
    await discard.and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await refused(page, "first-label").waitFor({ state: "detached" });
    await waitForText(first, "Third label");
  });

  it("is not decided by Enter where it conflicts: the keys lead on, and what is typed there is listed", async () => {
    const { page } = mara;
    const first = cell(page, "first-label", "name");
    await first.dblclick();
    await apiRequest(
      page,
      product,
      "PATCH",
      "/tables/services/records/first-label?overwrite=true",
      {
        set: { name: "Label of another" },
      },
    );
    // Changes arrive in their order.
    await apiRequest(
      page,
      product,
      "PATCH",
      "/tables/services/records/second-label?overwrite=true",
      { set: { name: "Second label 7" } },
    );
    await waitForText(cell(page, "second-label", "name"), "Second label 7");
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("Label of mine");
    await page.keyboard.press("Enter");
    const conflict = first.and(page.locator('[data-state="conflict"]'));
    await conflict.click();
    await typePipelined(page, "\n\nSecond label 6\n", 10);
    await waitForText(cell(page, "second-label", "name"), "Second label 6");
    await conflict.click();
    await typePipelined(page, "\n77\n", 10);
    await page.getByRole("button", { name: "2 to review" }).waitFor();
    await conflict.click();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("button", { name: /^Keep / }).click();
    await conflict.waitFor({ state: "detached" });
    await waitForText(first, "Label of another");
    await page.getByRole("button", { name: "1 to review" }).click();
    await page.getByRole("dialog").getByText("77", { exact: true }).waitFor();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /Discard/ })
      .click();
  });

  it("lists a deletion of a record that its author can no longer see, until it is discarded", async () => {
    const call = (method: string, path: string, data: object) =>
      apiRequest<{ id: string }>(mara.page, product, method, path, data);
    await makeRecord(mara.page, product, "services", "out-of-scope", { name: "Out of scope" });
    const role = await call("POST", "/roles", {
      name: "Cleaners",
      grants: { services: { read: true, delete: true } },
    });
    await call("POST", "/users", { ...cleaner, name: "Cleo Cleaner", role: role.id });
    const cleo = await visitAs(browser, product, cleaner);
    const { page } = cleo;
    await openTable(page, product, "services?q=scope");
    await cell(page, "out-of-scope", "name").click();
    await page.context().setOffline(true);
    await page.getByTestId("offline-bar").waitFor();
    await page.keyboard.press("ControlOrMeta+Delete");
    const filter = { field: "name", op: "ne", value: "Out of scope" };
    await call("PATCH", `/roles/${role.id}`, {
      grants: { services: { read: { filter }, delete: true } },
    });
    await page.context().setOffline(false);
    await page.getByRole("button", { name: /1 to review/ }).click();
    const list = page.getByRole("dialog");
    await list.getByText("out-of-scope").waitFor();
    expect(await list.textContent()).not.toContain("Out of scope");
    await page.getByRole("button", { name: "Discard edit" }).click();
    await page.getByRole("button", { name: /to review/ }).waitFor({ state: "detached" });
    await cleo.leave();
  });
});
