// Covers: client/src/features/model shared/model server/model
import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { dashboardMessages } from "../../client/src/messages/en/dashboard.ts";
import type { Model } from "../../shared/model/model.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, goToTable, recordsShown, waitForText } from "./testing/grid.ts";
import {
  addField,
  addTable,
  openField,
  openModel,
  publishModel,
  review,
} from "./testing/model-builder.ts";
import { openTwoUsers } from "./testing/two-users.ts";

/** Describing the model by clicks. */
const MODEL_BY_CLICKS_MS = 300_000;

const { product, mara, ana } = await openTwoUsers({
  environment: { WATCHFLOOR_TEMPLATE: "empty" },
});

const transitionMarker = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^Transition ${name}:`) });
/** A table in the sidebar, which shows the published model. */
const inSidebar = (page: Page, table: string) =>
  page
    .getByRole("navigation", { name: "Main navigation" })
    .getByRole("link", { name: new RegExp(`^${table}`) });
const modelNow = async (): Promise<Model> => {
  const answer = await mara.request.get(`${product.url}/api/v1/model/versions/current`);
  return ((await answer.json()) as { document: Model }).document;
};

describe("from Empty, in the browser only", () => {
  let job = "";

  it("two linked tables, six types and a workflow are described by clicks, and appear for the other user", async () => {
    await ana.goto(product.url);
    await ana.getByText(dashboardMessages.noAccess()).waitFor();
    const started = Date.now();
    await mara.goto(product.url);
    await mara.getByLabel("Table name").waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.getByRole("link", { name: "Model", exact: true }).click();
    await mara.getByRole("heading", { name: "Model", exact: true }).waitFor();
    await addTable(mara, "Customers");
    const title = await openField(mara, "Title");
    await title.getByLabel("Label", { exact: true }).fill("Name");
    await addField(mara, "Email", "Email address");
    await addTable(mara, "Jobs");
    const customer = await addField(mara, "Customer", "Link to a record");
    await customer.getByLabel("Linked table").selectOption("Customers");
    await addField(mara, "Hours", "Decimal number");
    await addField(mara, "Due", "Date");
    await addField(mara, "Urgent", "Yes or no");
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.getByRole("tab", { name: "Workflow" }).click();
    await mara.getByRole("button", { name: "Start with three states" }).click();
    await transitionMarker(mara, "Finish").press("Enter");
    const form = mara.getByRole("form", { name: "Transition Finish" });
    await form.getByRole("button", { name: "Add condition" }).click();
    await form.getByLabel("Field", { exact: true }).selectOption("Hours");
    await form.getByLabel("Condition", { exact: true }).selectOption("is more than");
    await form.getByLabel("Value for Hours").fill("0");
    await mara.getByRole("button", { name: /only where Hours is more than 0$/ }).waitFor();
    await mara.getByText("Diagram", { exact: true }).click();
    await drawTransition(mara, "Done", "In progress");
    const back = mara.getByRole("form", { name: /^Transition / });
    await back.getByLabel("Label", { exact: true }).fill("Reopen");
    await back.getByRole("switch", { name: "Requires a reason" }).click();
    await transitionMarker(mara, "Reopen").waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    const dialog = await review(mara);
    await dialog.getByText("Create the table Customers with 2 fields.").waitFor();
    await dialog.getByRole("switch", { name: /SQL/ }).click();
    await dialog.getByText('create table "jobs"').waitFor();
    await dialog.getByRole("button", { name: "Publish changes" }).click();
    await inSidebar(ana, "Jobs").waitFor();
    expect(Date.now() - started).toBeLessThan(MODEL_BY_CLICKS_MS);
    const [, jobs] = (await modelNow()).tables;
    expect(jobs?.fields.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "title text",
      "customer link",
      "hours decimal",
      "due date",
      "urgent boolean",
      "state select",
    ]);
  });

  it("two users work in it live", async () => {
    await inSidebar(mara, "Customers").click();
    const customer = await newRecord(mara, "customer");
    await type(mara, customer, "name", "Acme");
    await inSidebar(mara, "Jobs").click();
    await inSidebar(ana, "Jobs").click();
    job = await newRecord(mara, "job");
    await type(mara, job, "title", "Mend the roof");
    await waitForText(cell(ana, job, "title"), "Mend the roof");
    await type(mara, job, "customer", "Acme");
    await waitForText(cell(ana, job, "customer"), "Acme");
    await type(ana, job, "due", "2027-01-15");
    await waitForText(cell(mara, job, "due"), "15 Jan 2027");
  });

  it("the guarded transition is refused with its reason, and then allowed", async () => {
    await goTo(mara, product, `/t/jobs/${job}`);
    await mara.getByRole("button", { name: "Start" }).click();
    await waitForText(cell(ana, job, "state"), "In progress");
    const finish = mara.getByRole("button", { name: "Finish" });
    await finish.and(mara.locator("[aria-disabled]")).waitFor();
    await finish.getByText("“Finish” is possible only when Hours is more than 0.").waitFor({
      state: "attached",
    });
    const transitionPath = `${product.url}/api/v1/tables/jobs/records/${job}/transitions/finish`;
    const headers = { origin: product.url };
    const refused = await ana.request.post(transitionPath, {
      data: { from: "In progress" },
      headers,
    });
    expect([refused.status(), (await refused.json()).code]).toEqual([
      422,
      "transition_not_allowed",
    ]);
    await type(ana, job, "hours", "3.5");
    await finish.and(mara.locator(":not([aria-disabled])")).click();
    await waitForText(cell(ana, job, "state"), "Done");
  });
});

describe("the builder", () => {
  it("shows two admins what each changed, and merges both", async () => {
    await promote("ana@example.com");
    await Promise.all([openModel(mara, product, "/t/jobs"), openModel(ana, product, "/t/jobs")]);
    const mine = await openField(ana, "Title");
    await mine.getByLabel("Label", { exact: true }).fill("What");
    const hours = await openField(ana, "Hours");
    await hours.getByLabel("Label", { exact: true }).fill("Time spent");
    const theirs = await openField(mara, "Title");
    await theirs.getByLabel("Label", { exact: true }).fill("Task");
    await addField(mara, "Notes", "Long text");
    await publishModel(mara);
    await ana.getByRole("button", { name: "Compare and resolve" }).click();
    const dialog = ana.getByRole("dialog", { name: "The model was changed by two users" });
    await dialog.getByText("New: Field Notes").waitFor();
    await dialog.getByRole("radio", { name: "Theirs: “Task”" }).click();
    expect(await accessibilityProblems(ana)).toEqual([]);
    await dialog.getByRole("button", { name: "Apply mine to theirs" }).click();
    await publishModel(ana);
    const [, jobs] = (await modelNow()).tables;
    expect(jobs?.fields.map(({ label }) => label)).toEqual([
      "Task",
      "Customer",
      "Time spent",
      "Due",
      "Urgent",
      "State",
      "Notes",
    ]);
    // Mara has no changes of her own in the draft: what Ana published simply appears.
    await fieldButton(mara, "Time spent").waitFor();
  });

  it("finds errors at once, at their place, and undoes them", async () => {
    const task = await openField(mara, "Task");
    await task.getByLabel("Label", { exact: true }).fill("");
    await task.getByText("This can't be empty.").waitFor();
    await mara.getByRole("button", { name: "1 problem", exact: true }).waitFor();
    await expect
      .poll(() => mara.getByRole("button", { name: "Review and publish" }).isDisabled())
      .toBe(true);
    await mara.reload();
    await mara.getByRole("button", { name: "1 problem", exact: true }).waitFor();
    await mara.getByRole("button", { name: "Discard" }).click();
    await fieldButton(mara, "Task").waitFor();
  });

  it("takes a limit between -1 and 0 as it is typed", async () => {
    const hours = await openField(mara, "Time spent");
    const minimum = hours.getByLabel("Minimum", { exact: true });
    await minimum.pressSequentially("-0.5");
    await minimum.blur();
    await expect.poll(() => minimum.inputValue()).toBe("-0.5");
    await publishModel(mara);
    const fields = (await modelNow()).tables[1]?.fields ?? [];
    expect(fields.find(({ name }) => name === "hours")?.minimum).toBe(-0.5);
  });

  it("names what would be lost and asks, and every open screen follows", async () => {
    await goToTable(ana, product, "jobs");
    await ana.getByRole("columnheader", { name: "Due" }).waitFor();
    await mara.getByRole("button", { name: "More for Due" }).click();
    await mara.getByRole("menuitem", { name: "Remove field" }).click();
    const dialog = await review(mara);
    await dialog.getByText("Values of Due in 1 record would be deleted.").waitFor();
    const put = dialog.getByRole("button", { name: "Publish and delete data" });
    await expect.poll(() => put.isDisabled()).toBe(true);
    await dialog.getByRole("checkbox", { name: "Delete the data listed above" }).check();
    await put.click();
    await ana.getByRole("columnheader", { name: "Due" }).waitFor({ state: "detached" });
  });

  it("compares any two versions in words and loads an old one again, also on a phone in the dark", async () => {
    await mara.emulateMedia({ colorScheme: "dark" });
    await mara.setViewportSize({ width: 400, height: 860 });
    await goTo(mara, product, "/admin/model/versions");
    const changes = mara.getByRole("region", { name: "Changes", exact: true });
    await changes.getByText("Removed: Field Due").waitFor();
    await mara.getByLabel("Changes from").selectOption({ index: 4 });
    await changes.getByText("New: Field Notes").waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await openModel(mara, product, "/t/jobs/workflow");
    await transitionMarker(mara, "Reopen").click();
    expect(await accessibilityProblems(mara)).toEqual([]);
    const overflows = "document.documentElement.scrollWidth > innerWidth";
    expect(await mara.evaluate(overflows)).toBe(false);
  });
});

const fieldButton = (page: Page, label: string) =>
  page
    .getByRole("region", { name: "Fields" })
    .getByRole("button", { name: new RegExp(`^${label} `) });

/** By the mouse: from the handle of one state to another one. */
async function drawTransition(page: Page, from: string, to: string): Promise<void> {
  await page.locator(`[data-state="${from}"] [title^="Draw"]`).hover();
  await page.mouse.down();
  await page.locator(`[data-state="${to}"]`).hover();
  await page.mouse.up();
}

async function newRecord(page: Page, what: string): Promise<string> {
  await page
    .getByRole("button", { name: `New ${what}` })
    .first()
    .click();
  await page.locator(".ag-row[row-id]").first().waitFor();
  return (await recordsShown(page))[0] ?? "";
}

async function type(page: Page, record: string, field: string, text: string): Promise<void> {
  await cell(page, record, field).click();
  await cell(page, record, field).and(page.locator(".ag-cell-focus")).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await cell(page, record, field).and(page.locator(":not([data-state])")).waitFor();
}

async function promote(email: string): Promise<void> {
  const users = `${product.url}/api/v1/users`;
  const { items } = (await (await mara.request.get(users)).json()) as {
    items: { id: string; email: string }[];
  };
  const { id = "" } = items.find((user) => user.email === email) ?? {};
  const headers = { origin: product.url };
  const answer = await mara.request.patch(`${users}/${id}`, { data: { role: "admin" }, headers });
  if (!answer.ok()) throw new Error(`${answer.status()} ${await answer.text()}`);
}
