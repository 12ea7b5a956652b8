// Covers: client/src/features/import client/src/records
import type { Locator } from "playwright";
import { describe, expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { goToTable, openTable } from "./testing/grid.ts";
import { importScreen } from "./testing/import-screen.ts";
import { owner, startProduct } from "./testing/product.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { openExport } from "./testing/view-menu.ts";

const { browser, product, mara } = await openTwoUsers();

const { click, region, fieldOf, chooseFile, preview, hasState, wait } = importScreen(
  () => mara,
  product,
);

describe("files imported in the browser", () => {
  it("says that a file changes nothing when it is imported again", async () => {
    const content = "Name,Description\nRepeated,once\n";
    await chooseFile("services", "again.csv", content);
    await mara.getByLabel("If a record exists").selectOption({ label: "Update it by Name" });
    const id = await preview();
    await click(/^(?:Apply|Add) 1 /);
    await hasState(id, "applied");
    await chooseFile("services", "again.csv", content);
    await preview();
    await region("Imported file").getByText("1 row read: 1 unchanged").waitFor();
    await wait("Every row of the file is already stored.");
    await click("Unchanged 1");
    await wait("Rows of the file that change nothing are counted, but not listed.");
  });

  it("lists why rows were rejected, and leads back to the columns of the same file", async () => {
    const content =
      "Name,Description,Owner,Owner\nBack one,first,nobody at all,\nBack two,second,,\n";
    await chooseFile("services", "columns.csv", content);
    await fieldOf("Owner (2)").waitFor();
    const first = await preview();
    await region("Imported file").getByText("2 rows read: 1 added · 1 rejected").waitFor();
    await region("Services").getByRole("cell").filter({ hasText: "“nobody at all”" }).waitFor();
    await click("Change columns");
    await region("First rows of the file").waitFor();
    await mara.getByLabel("Field for the column Owner", { exact: true }).selectOption("");
    await preview();
    await region("Imported file").getByText("2 rows read: 2 added").waitFor();
    await click(/^(?:Apply|Add) 2 /);
    await wait("2 changes applied.");
    const { items } = await apiRequest<{ items: ChangeSetInfo[] }>(
      mara,
      product,
      "GET",
      "/change-sets?state=draft",
    );
    expect(items.map(({ id }) => id)).not.toContain(first);
  });

  it("corrects rejected rows in their cells by the keyboard alone, all with the same text at once, and reverts them with the others", async () => {
    const rows = ["One,nobody,1", "Two,nobody,twelve", "Three,,3"];
    const content = `Name,Owner,Monthly cost\n${rows.map((row) => `Corrected ${row}\n`).join("")}`;
    await chooseFile("services", "corrected.csv", content);
    const id = await preview();
    await region("Imported file").getByText("3 rows read: 1 added · 2 rejected").waitFor();
    await click("Needs attention 2");
    const row = (name: string) =>
      region("Services")
        .getByRole("rowgroup")
        .filter({ hasText: `Corrected ${name}` });
    await row("Two").getByText("Line 3").waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    const isFocused = (cell: Locator, name: string) =>
      expect
        .poll(() =>
          cell
            .getByRole("button", { name })
            .evaluate((button) => button === document.activeElement),
        )
        .toBe(true);
    const cellOf = (name: string, text: string) =>
      row(name).getByRole("cell").filter({ hasText: text });
    const press = async (...keys: string[]) => {
      for (const key of keys) await mara.keyboard.press(key);
    };
    await cellOf("One", "“nobody”").getByRole("button", { name: "Choose…" }).focus();
    await press("Tab", "Tab", "Space", "Shift+Tab", "Shift+Tab");
    await isFocused(cellOf("One", "“nobody”"), "Choose…");
    await press("Enter");
    const form = mara.getByRole("dialog");
    await form.getByRole("combobox", { name: "Owner" }).waitFor();
    await mara.keyboard.type("Ana");
    await mara.getByRole("option", { name: /Ana/ }).waitFor();
    await press("Enter", "Tab", "Tab", "Enter");
    await row("One").waitFor({ state: "detached" });
    // The next cell that is to be corrected has the focus.
    await isFocused(cellOf("Two", "“twelve”"), "Choose…");
    await press("Enter");
    const cost = form.getByRole("textbox", { name: "Monthly cost" });
    await expect.poll(() => cost.inputValue()).toBe("twelve");
    await press("Control+a");
    await mara.keyboard.type("12");
    await press("Tab", "Tab", "Enter");
    await mara.getByText("No changes in this list.").waitFor();
    await click(/^Add 3 /);
    await hasState(id, "applied");
    const filter = encodeURIComponent(
      JSON.stringify({ field: "name", op: "startsWith", value: "Corrected" }),
    );
    const read = async () => {
      const path = `/tables/services/records?filter=${filter}&sort=name`;
      const { records } = await apiRequest<{ records: { values: Record<string, unknown> }[] }>(
        mara,
        product,
        "GET",
        path,
      );
      return records.map(({ values }) => [values.name, values.owner !== null, values.monthly_cost]);
    };
    await expect.poll(read).toEqual([
      ["Corrected One", true, "1.00"],
      ["Corrected Three", false, "3.00"],
      ["Corrected Two", true, "12.00"],
    ]);
    await click("Revert…");
    await wait(/^Revert “corrected.csv”/);
    await click(/^Apply 3 /);
    await expect.poll(read).toEqual([]);
  });

  it("says that the exported view changes nothing", async () => {
    const filter = encodeURIComponent(JSON.stringify({ field: "state", op: "eq", value: "New" }));
    const { total } = await apiRequest<{ total: number }>(
      mara,
      product,
      "GET",
      `/tables/incidents/records?limit=1&filter=${filter}`,
    );
    await goToTable(mara, product, `incidents?filter=${filter}`);
    await openExport(mara);
    const download = mara.waitForEvent("download");
    await mara.getByRole("menuitem", { name: "CSV with IDs (for re-import)" }).click();
    expect((await download).suggestedFilename()).toBe("incidents.csv");
    const labelled = `${product.url}/api/v1/tables/incidents/export.csv?labels=true&filter=${filter}`;
    const content = await (await mara.request.get(labelled)).body();
    expect(content.toString()).toMatch(/^\u{FEFF}id,number,title,.*assignee,assignee label/u);
    await chooseFile("incidents", "incidents.csv", content);
    await expect.poll(() => fieldOf("assignee label").inputValue()).toBe("");
    await mara.getByLabel("If a record exists").selectOption("id");
    await preview();
    const text = `${total} rows read: ${total} unchanged`;
    await region("Imported file").getByText(text).waitFor();
  });

  it("shows a very large file as it was read, and applies each of its rows by itself", async () => {
    const small = await startProduct({ environment: { CHANGE_SET_MAX_OPS: "2" } });
    const { page, leave } = await visitAs(browser, small, owner);
    await page.goto(`${small.url}/import/services`);
    const buffer = Buffer.from("Name\nLarge one\nLarge two\nLarge three\n");
    const file = { name: "large.csv", mimeType: "text/csv", buffer };
    await page.locator("input[type=file]").setInputFiles(file);
    await page.getByRole("button", { name: "Preview changes" }).click();
    await page.getByText("This change set is very large").waitFor();
    const changes = page.getByRole("region", { name: "Changes" });
    await changes.getByText("Large three").first().waitFor();
    await page.getByRole("button", { name: /^(?:Apply|Add) 3 / }).click();
    await page.getByText("3 changes applied.").first().waitFor();
    await page.getByRole("region", { name: "Changes" }).getByText("Large two").first().waitFor();
    await leave();
    await small.close();
  });

  it("takes pasted rows, and says why a file can't be imported", async () => {
    await goTo(mara, product, "/import/services");
    await click("Paste text");
    await mara.getByLabel("Rows to import").fill("Name\tColour\nPasted one\tred\n");
    await click("Use this text");
    await region("First rows of the file").waitFor();
    await expect.poll(() => mara.getByLabel("Delimiter").inputValue()).toBe("\t");
    await preview();
    await click(/^(?:Apply|Add) 1 /);
    await wait("1 change applied.");

    await goTo(mara, product, "/import/services");
    const workbook = { name: "book.xlsx", mimeType: "", buffer: Buffer.from("PK\u0003\u0004 zip") };
    await mara.locator("input[type=file]").setInputFiles(workbook);
    await wait("This is a spreadsheet file. Save it as CSV");
    // The same file can be chosen again once it is corrected.
    const chooser = mara.waitForEvent("filechooser");
    await click("Choose a file");
    await chooser;
    expect(await mara.locator("input[type=file]").inputValue()).toBe("");

    await chooseFile("services", "broken.csv", 'Name\nfine\n"never closed');
    await click("Preview changes");
    await mara.getByRole("alert").filter({ hasText: "Line 3" }).waitFor();
    const { items } = await apiRequest<{ items: ChangeSetInfo[] }>(
      mara,
      product,
      "GET",
      "/change-sets?state=draft",
    );
    expect(items.filter(({ title }) => title === "broken.csv")).toEqual([]);
  });

  it("can be cancelled while the file is sent, and leaves no draft", async () => {
    await chooseFile("services", "slow.csv", "Name\nslow\n");
    await mara.route("**/import?*", () => {});
    await click("Preview changes");
    await click("Cancel");
    await mara.getByRole("button", { name: "Preview changes" }).waitFor();
    await mara.unroute("**/import?*");
    const { items } = await apiRequest<{ items: ChangeSetInfo[] }>(
      mara,
      product,
      "GET",
      "/change-sets?state=draft",
    );
    expect(items.filter(({ title }) => title === "slow.csv")).toEqual([]);
  });

  it("is offered only to users who may write", async () => {
    const { id } = await apiRequest<{ id: string }>(mara, product, "POST", "/users", {
      email: "vic@example.com",
      name: "Vic",
      role: "viewer",
      password: "a third long sentence",
    });
    expect(id).not.toBe("");
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.request.post(`${product.url}/api/v1/session`, {
      data: { email: "vic@example.com", password: "a third long sentence" },
      headers: { origin: product.url },
    });
    await openTable(page, product, "services");
    await page.getByRole("button", { name: "More tools", exact: true }).click();
    await page.getByRole("menuitem", { name: "Find in this view" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Import" }).count()).toBe(0);
    await page.goto(`${product.url}/import/services`);
    await page.getByRole("heading", { name: "You can't import into this table" }).waitFor();
    await context.close();
  });
});
