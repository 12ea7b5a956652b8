// Covers: client/src/records client/src/sync
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { apiRequest } from "./testing/api-request.ts";
import { moveToBackground, storedTexts } from "./testing/background.ts";
import { changeIncidents } from "./testing/change-incidents.ts";
import { goTo } from "./testing/go-to.ts";
import {
  cell,
  changeRecord,
  goToTable,
  makeRecord,
  openTable,
  sortByHeader,
  waitForText,
} from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, mara, ana } = await openTwoUsers();
let count = 0;
let record = "";

beforeEach(async () => {
  count += 1;
  record = `typed-${count}`;
  await makeRecord(mara, product, "incidents", record, { title: `Typed ${count}`, state: "New" });
});

const view = () => `?q=Typed ${count}`;
const panel = (page: Page) => page.getByRole("complementary");
const unfold = (page: Page) =>
  panel(page)
    .getByRole("button", { name: /empty fields$/ })
    .click();

/** Opens the panel of the record, with its empty fields. */
async function openPanel(page: Page): Promise<void> {
  await goToTable(page, product, `incidents/${record}${view()}`);
  await unfold(page);
}
const input = (page: Page, label: string) =>
  panel(page).getByRole("textbox", { name: label, exact: true });
const stored = async (field: string) => {
  const path = `/tables/incidents/records/${record}`;
  return (await apiRequest<WireRecord>(mara, product, "GET", path)).values[field];
};

const changeModel = (change: (incidents: Table) => void) => changeIncidents(mara, product, change);

function fieldOf(fields: readonly Field[], name: string): Field {
  const found = fields.find((field) => field.name === name);
  if (!found) throw new Error(`There is no field ${name}.`);
  return found;
}

/** Changes the model; resolves when Ana's page has read it and was drawn by it. */
async function changeAnasModel(change: (incidents: Table) => void): Promise<void> {
  let changed = "";
  const read = ana.waitForResponse(async (response) => {
    if (new URL(response.url()).pathname !== "/api/v1/model") return false;
    const { tables } = (await response.json()) as Model;
    return changed !== "" && partsOf(tables.find(({ name }) => name === "incidents")) === changed;
  });
  await changeModel((incidents) => {
    change(incidents);
    changed = partsOf(incidents);
  });
  await (await read).finished();
  await ana.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** What these tests change of a table: its fields, which of them are required, and its transitions. */
function partsOf(table: Table | undefined): string {
  const fields = table?.fields.map(({ name, required = false }) => `${name} ${required}`);
  return JSON.stringify([fields, table?.workflow?.transitions.map(({ name }) => name)]);
}

/** A colleague's transition. */
function runTransition(name: string, from: string, more: object = {}): Promise<unknown> {
  const path = `/tables/incidents/records/${record}/transitions/${name}`;
  return apiRequest(mara, product, "POST", path, { from, ...more });
}

async function resolve(): Promise<void> {
  await changeRecord(mara, product, "incidents", record, { resolution_code: "Fixed" });
  await runTransition("resolve", "New");
}

describe("a text that is being typed in the panel", () => {
  it("is saved when its author goes back", async () => {
    await goToTable(ana, product, `incidents${view()}`);
    await cell(ana, record, "title").click();
    await ana.keyboard.press("Alt+Enter");
    await unfold(ana);
    await input(ana, "Location").fill("Third floor");
    await ana.goBack();
    await expect.poll(() => stored("location")).toBe("Third floor");
  });

  it("is offered again after a reload", async () => {
    await openPanel(ana);
    await input(ana, "Location").pressSequentially("Half a wo");
    await ana.reload();
    await panel(ana).getByText("Half a wo").waitFor();
    await ana.getByRole("button", { name: /1 to review/ }).waitFor();
    await input(ana, "Location").pressSequentially("Another");
    await ana.reload();
    await panel(ana).getByText("Half a wo").waitFor();
    const another = panel(ana).getByRole("status").filter({ hasText: "Another" });
    await ana.getByRole("button", { name: /2 to review/ }).waitFor();
    await another.getByRole("button", { name: "Discard" }).click();
    await another.waitFor({ state: "detached" });
    await panel(ana).getByRole("button", { name: "Save" }).click();
    await expect.poll(() => stored("location")).toBe("Half a wo");
    await ana.getByRole("button", { name: /to review/ }).waitFor({ state: "detached" });
  });

  it("is stored when a phone moves the page to the background", async () => {
    await openPanel(ana);
    await input(ana, "Location").pressSequentially("In the background");
    await moveToBackground(ana);
    await expect.poll(() => storedTexts(ana)).toContain("In the background");
    await ana.keyboard.press("Enter");
    await expect.poll(() => stored("location")).toBe("In the background");
    await expect.poll(() => storedTexts(ana)).not.toContain("In the background");
  });

  it("is not offered in another tab any more once it was saved in its own", async () => {
    await openPanel(ana);
    await input(ana, "Location").pressSequentially("In one of two tabs");
    await moveToBackground(ana);
    const other = await ana.context().newPage();
    await other.goto(`${product.url}/me`);
    const review = other.getByRole("button", { name: /1 to review/ });
    await review.waitFor();
    await ana.keyboard.press("Enter");
    await expect.poll(() => stored("location")).toBe("In one of two tabs");
    await review.waitFor({ state: "detached" });
    await other.close();
  });

  it("is offered again after its tab was left while another one was open", async () => {
    await openPanel(ana);
    const other = await ana.context().newPage();
    await goTo(other, product, "/me");
    await other.getByRole("heading", { level: 1 }).waitFor();
    await input(ana, "Location").pressSequentially("Beside another tab");
    await ana.reload();
    await ana.getByRole("button", { name: /1 to review/ }).waitFor();
    const note = panel(ana).getByRole("status").filter({ hasText: "Beside another tab" });
    await note.getByRole("button", { name: "Discard" }).click();
    await note.waitFor({ state: "detached" });
    await other.close();
  });

  it("becomes unsaved text when a colleague's transition locks the field", async () => {
    await openPanel(ana);
    await input(ana, "Location").pressSequentially("Typed while locked");
    await resolve();
    await runTransition("close", "Resolved");
    await panel(ana).getByText("Typed while locked").waitFor();
    await panel(ana)
      .getByText(/Location is read-only while/)
      .first()
      .waitFor();
    await panel(ana).getByRole("button", { name: "Discard", exact: true }).click();
    await panel(ana).getByText("Typed while locked").waitFor({ state: "detached" });
  });

  it("becomes unsaved text when a colleague deletes the record", async () => {
    await openPanel(ana);
    await input(ana, "Location").pressSequentially("Typed while deleted");
    await apiRequest(mara, product, "DELETE", `/tables/incidents/records/${record}?overwrite=true`);
    await ana.getByRole("button", { name: /1 to review/ }).click();
    await ana.getByRole("dialog").getByText("Typed while deleted").waitFor();
    await ana.getByRole("button", { name: "Discard text" }).click();
  });
});

describe("an editor in a cell", () => {
  it("names who has just saved the same cell, and asks which value stays", async () => {
    await goToTable(ana, product, `incidents${view()}`);
    await cell(ana, record, "title").click();
    await ana.keyboard.type("Typed by Ana");
    const typedByMara = `Typed by Mara${", at length".repeat(6)}`;
    await changeRecord(mara, product, "incidents", record, { title: typedByMara });
    const notice = ana.getByText(/just saved/).filter({ hasText: typedByMara });
    await notice.waitFor();
    // Beyond the pinned part of its row, too.
    const isWhole = () =>
      notice.evaluate((element) => {
        const { right, top, height } = element.getBoundingClientRect();
        return element.contains(document.elementFromPoint(right - 2, top + height / 2));
      });
    await expect.poll(isWhole).toBe(true);
    await ana.keyboard.press("Enter");
    await ana.getByRole("button", { name: /1 to review/ }).click();
    await ana.getByRole("link", { name: "Review" }).click();
    await panel(ana).getByRole("button", { name: "Use mine" }).click();
    await expect.poll(() => stored("title")).toBe("Typed by Ana");
    await ana.getByRole("button", { name: /to review/ }).waitFor({ state: "detached" });
  });

  it("stays open while another field is added, its own gets a rule and the workflow changes, and loses no key", async () => {
    await goToTable(ana, product, `incidents${view()}`);
    await cell(ana, record, "title").click();
    const editor = ana.locator(".wf-editor input");
    const extra = { name: `extra_${count}`, label: "Extra", type: "text" } as const;
    const changes: [string, (table: Table) => unknown][] = [
      ["Half a ", ({ fields }) => fields.push(extra)],
      ["sentence ", ({ fields }) => Object.assign(fieldOf(fields, "title"), { required: true })],
      ["that goes ", ({ workflow }) => workflow?.transitions.pop()],
    ];
    for (const [text, change] of changes) {
      await Promise.all([ana.keyboard.type(text), changeAnasModel(change)]);
    }
    await ana.keyboard.type("on");
    await expect.poll(() => editor.inputValue()).toBe("Half a sentence that goes on");
    await ana.keyboard.press("Enter");
    await expect.poll(() => stored("title")).toBe("Half a sentence that goes on");
  });

  it("stays open while its field is renamed and retyped, and saves there", async () => {
    const [name, renamed] = [`before_${count}`, `after_${count}`];
    await changeModel(({ fields, columns }) => {
      fields.push({ name, label: "Before", type: "text" });
      columns.splice(1, 0, name);
    });
    await goToTable(ana, product, `incidents${view()}`);
    await cell(ana, record, name).click();
    await ana.keyboard.type("Typed before");
    await changeModel((table) => {
      Object.assign(fieldOf(table.fields, name), {
        name: renamed,
        label: "After",
        type: "longText",
      });
      table.columns = table.columns.map((column) => (column === name ? renamed : column));
    });
    await ana.keyboard.type(" and after");
    await ana.keyboard.press("Enter");
    await expect.poll(() => stored(renamed)).toBe("Typed before and after");
    await changeModel((table) => {
      table.fields = table.fields.filter((field) => field.name !== renamed);
      table.columns = table.columns.filter((column) => column !== renamed);
    });
  });

  it("becomes unsaved text when its field is removed", async () => {
    const name = `gone_${count}`;
    await changeModel(({ fields, columns }) => {
      fields.push({ name, label: "Passing", type: "text" });
      columns.splice(1, 0, name);
    });
    await goToTable(ana, product, `incidents${view()}`);
    await cell(ana, record, name).click();
    await ana.keyboard.type("Nowhere to go");
    await changeModel((table) => {
      table.fields = table.fields.filter((field) => field.name !== name);
      table.columns = table.columns.filter((column) => column !== name);
    });
    await ana.getByRole("button", { name: /1 to review/ }).click();
    await ana.getByRole("dialog").getByText("Nowhere to go").waitFor();
    await ana.getByRole("button", { name: "Discard text" }).click();
  });

  it("is preserved when a header is clicked, and when the text is not a valid value", async () => {
    await goToTable(ana, product, `incidents${view()}`);
    await cell(ana, record, "title").click();
    await ana.keyboard.type("Before the header");
    await sortByHeader(ana, "Title");
    await cell(ana, record, "state").click();
    await expect.poll(() => stored("title")).toBe("Before the header");
    await cell(ana, record, "priority").click();
    await ana.keyboard.type("urgent!!");
    await cell(ana, record, "title").click();
    await ana.getByRole("button", { name: /1 to review/ }).click();
    await ana.getByRole("dialog").getByText("urgent!!", { exact: true }).waitFor();
    await ana.getByRole("button", { name: "Discard text" }).click();
    // The list ended with its last text, and does not take the focus when there is another one.
    await cell(ana, record, "priority").click();
    await ana.keyboard.type("later!!");
    await cell(ana, record, "title").click();
    const review = ana.getByRole("button", { name: /1 to review/ });
    await review.waitFor();
    await expect.poll(() => review.getAttribute("aria-expanded")).toBe("false");
    await review.click();
    await ana.getByRole("button", { name: "Discard text" }).click();
  });
});

describe("a toast", () => {
  it("follows the answer of the server", async () => {
    await openTable(mara, product, "groups");
    await cell(mara, "Network", "name").click();
    await mara.keyboard.press("ControlOrMeta+Delete");
    await mara
      .getByText(/1 group not deleted\./)
      .first()
      .waitFor();
    expect(await mara.getByText("1 group deleted.").count()).toBe(0);
    await waitForText(cell(mara, "Network", "name"), "Network");
  });
});
