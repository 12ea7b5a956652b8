// Covers: client/src/records client/src/features/board
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import type { Workflow } from "../../shared/model/workflow.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import { apiRequest } from "./testing/api-request.ts";
import { moveToBackground, storedTexts } from "./testing/background.ts";
import { cell, changeRecord, goToTable, makeRecord } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { untilIdle } from "./testing/until-idle.ts";

const { product, mara, ana } = await openTwoUsers();
let count = 0;
let record = "";

beforeEach(async () => {
  count += 1;
  record = `reason-${count}`;
  const values = { title: `Reason ${count}`, state: "New", resolution_code: "Fixed" };
  await makeRecord(mara, product, "incidents", record, values);
});

const panel = () => ana.getByRole("complementary");

/** A colleague's transition. */
const runTransition = (name: string, from: string, more: object = {}) =>
  apiRequest(mara, product, "POST", `/tables/incidents/records/${record}/transitions/${name}`, {
    from,
    ...more,
  });

/** Reopening needs a due date. */
const dueToReopen = (workflow: Workflow): Workflow => ({
  ...workflow,
  transitions: workflow.transitions.map((one) =>
    one.name === "reopen" ? { ...one, requires: ["due_at"] } : one,
  ),
});

describe("the reason of a transition", () => {
  const writeReason = async (text: string) => {
    await runTransition("resolve", "New");
    await goToTable(ana, product, `incidents/${record}?q=Reason ${count}`);
    await panel().getByRole("button", { name: "Reopen" }).click();
    await panel().getByRole("textbox", { name: "Reason" }).fill(text);
  };
  const discardUnsaved = async (text: string) => {
    await ana.getByRole("button", { name: /1 to review/ }).click();
    await ana.getByRole("dialog").getByText(text).waitFor();
    await ana.getByRole("dialog").getByText("Incidents · Reason").waitFor();
    await ana.getByRole("button", { name: "Discard text" }).click();
  };

  it("becomes unsaved text when a colleague has moved the record first", async () => {
    await writeReason("Broken again");
    await runTransition("reopen", "Resolved", { reason: "I was first" });
    const form = panel().getByRole("region", { name: "Reopen" });
    await form.getByRole("button", { name: "Reopen" }).click();
    await discardUnsaved("Broken again");
  });

  it("becomes unsaved text when a colleague deletes the record", async () => {
    await writeReason("Broken for good");
    await apiRequest(mara, product, "DELETE", `/tables/incidents/records/${record}?overwrite=true`);
    await discardUnsaved("Broken for good");
  });

  it("is offered again after a reload", async () => {
    await writeReason("Half a reason");
    await ana.reload();
    await discardUnsaved("Half a reason");
  });

  it("is stored in the background, and only until it is sent", async () => {
    await writeReason("Broken on a phone");
    await moveToBackground(ana);
    await expect.poll(() => storedTexts(ana)).toContain("Broken on a phone");
    const form = panel().getByRole("region", { name: "Reopen" });
    await form.getByRole("button", { name: "Reopen" }).press("Enter");
    await form.waitFor({ state: "detached" });
    const hasFocus = () => panel().evaluate((one) => one.contains(document.activeElement));
    await expect.poll(hasFocus).toBe(true);
    await expect.poll(() => storedTexts(ana)).not.toContain("Broken on a phone");
  });

  it("lists what was typed into its fields as well, also what is no value", async () => {
    const model = await apiRequest<Model>(mara, product, "GET", "/model");
    const tables = model.tables.map(({ workflow, ...table }) => ({
      ...table,
      ...(workflow && { workflow: dueToReopen(workflow) }),
    }));
    await apiRequest(mara, product, "PUT", "/model", { ...model, tables });
    await writeReason("Not before then");
    const form = panel().getByRole("region", { name: "Reopen" });
    await form.getByRole("textbox", { name: "Due" }).fill("some day");
    await apiRequest(mara, product, "DELETE", `/tables/incidents/records/${record}?overwrite=true`);
    await ana.getByRole("button", { name: /2 to review/ }).click();
    await ana.getByRole("dialog").getByText("some day", { exact: true }).waitFor();
    await ana
      .getByRole("dialog")
      .getByText(/ · Incidents · Due$/)
      .waitFor();
    await ana.getByRole("button", { name: "Discard text" }).first().click();
    await ana.getByRole("button", { name: "Discard text" }).click();
    const { version } = await apiRequest<Model>(mara, product, "GET", "/model");
    await apiRequest(mara, product, "PUT", "/model", { ...model, version });
  });

  it("is gone without a trace when its author cancels", async () => {
    await writeReason("Never mind");
    await ana.keyboard.press("Escape");
    await panel().getByRole("textbox", { name: "Reason" }).waitFor({ state: "detached" });
    await ana.getByRole("button", { name: /to review/ }).waitFor({ state: "detached" });
  });
});

describe("what a transition still needs", () => {
  let model: Model;
  /** Starting work needs an assignee. */
  const requireAssignee = async () => {
    model = await apiRequest<Model>(mara, product, "GET", "/model");
    const tables = model.tables.map(({ workflow, ...table }) => {
      const transitions = workflow?.transitions.map((one) =>
        one.name === "activate" ? { ...one, requires: ["assignee"] } : one,
      );
      return { ...table, ...(workflow && { workflow: { ...workflow, transitions } }) };
    });
    await apiRequest(mara, product, "PUT", "/model", { ...model, tables });
  };
  const state = async () => {
    const path = `/tables/incidents/records/${record}`;
    const { values } = await apiRequest<WireRecord>(mara, product, "GET", path);
    return `${values.state} ${values.assignee === null ? "nobody" : "somebody"}`;
  };
  beforeAll(requireAssignee);
  afterAll(async () => {
    const { version } = await apiRequest<Model>(mara, product, "GET", "/model");
    await apiRequest(mara, product, "PUT", "/model", { ...model, version });
  });

  it("is typed into the dialog of a cell, which names the record", async () => {
    await goToTable(ana, product, `incidents?q=Reason ${count}`);
    await cell(ana, record, "state").dblclick();
    await ana.getByRole("button", { name: "Start work" }).click();
    const dialog = ana.getByRole("dialog", { name: /^Start work · INC\d+$/ });
    const input = dialog.getByRole("combobox", { name: "Assignee" });
    await expect.poll(() => input.evaluate((it) => it === document.activeElement)).toBe(true);
    await ana.keyboard.type("Ana Lo");
    await ana.getByRole("option", { name: "Ana Lopes" }).waitFor();
    await ana.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Start work" }).press("Enter");
    await expect.poll(state).toBe("Active somebody");
  });

  it("is not asked for again while the text that was typed in the panel is looked up", async () => {
    await goToTable(ana, product, `incidents/${record}?q=Reason ${count}`);
    const held = Promise.withResolvers<void>();
    await ana.route("**/api/v1/users", (route) => held.promise.then(() => route.continue()));
    const input = panel().getByRole("combobox", { name: "Assignee" });
    await input.click();
    await ana.keyboard.type("Ana Lopes");
    await panel().getByRole("button", { name: "Start work" }).click();
    held.resolve();
    await expect.poll(state).toBe("Active somebody");
    await ana.unroute("**/api/v1/users");
  });

  it("is not asked for any more once it is filled in beside the form", async () => {
    await goToTable(ana, product, `incidents/${record}?q=Reason ${count}`);
    // By key: a second click at the same place within half a second is a double click.
    await panel().getByRole("button", { name: "Start work" }).press("Enter");
    const form = panel().getByRole("region", { name: "Start work" });
    await form.getByRole("combobox", { name: "Assignee" }).waitFor();
    const user = (await apiRequest<{ items: { id: string }[] }>(mara, product, "GET", "/users"))
      .items[0];
    const set = { assignee: user?.id ?? "" };
    await changeRecord(mara, product, "incidents", record, set);
    await form.getByRole("combobox", { name: "Assignee" }).waitFor({ state: "detached" });
    await form.getByRole("button", { name: "Start work" }).click();
    await expect.poll(state).toBe("Active somebody");
  });
});

it("a double click on a transition runs one, not also the one that takes its place", async () => {
  await goToTable(ana, product, `incidents/${record}?q=Reason ${count}`);
  const buttons = panel().getByRole("group", { name: "Transitions of this incident" });
  const first = buttons.getByRole("button").first();
  const [label, at] = [await first.innerText(), await first.boundingBox()];
  if (!at) throw new Error("The button is not shown.");
  const [x, y] = [at.x + 12, at.y + at.height / 2];
  const browser = await ana.context().newCDPSession(ana);
  const clickAt = async (timestamp: number) => {
    for (const type of ["mousePressed", "mouseReleased"] as const) {
      const click = { x, y, timestamp, button: "left", clickCount: 1 } as const;
      await browser.send("Input.dispatchMouseEvent", { type, ...click });
    }
  };
  const now = Date.now() / 1_000;
  await clickAt(now);
  await first.filter({ hasNotText: label }).waitFor();
  await clickAt(now + 0.2);
  await untilIdle(ana);
  const { items } = await apiRequest<{ items: object[] }>(
    mara,
    product,
    "GET",
    `/tables/incidents/records/${record}/history`,
  );
  expect(items.filter((one) => "transition" in one)).toHaveLength(1);
});
