// Covers: client/src/features/webhooks
import type { Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { webhooksMessages as messages } from "../../client/src/messages/en/webhooks.ts";
import type { WebhookInfo } from "../../shared/protocol/webhooks.ts";
import { signIn, type TestUser } from "../harness/test-user.ts";
import { workableIncident } from "../harness/workable-incident.ts";
import { Receiver } from "../webhooks/receiver.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { holdTimers } from "./testing/hold-timers.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  dataTexts,
  formattedTexts,
  languageProblems,
  pseudoText,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

const environment = {
  WATCHFLOOR_WEBHOOK_ALLOW_PRIVATE: "true",
  WEBHOOK_RETRY_FIRST_MS: "100",
  WEBHOOK_MAX_ATTEMPTS: "2",
};
const { browser, product } = await openProduct({ environment });
let receiver: Receiver;
let ownerUser: TestUser;

beforeAll(async () => {
  receiver = await Receiver.open();
  ownerUser = await signIn(product.url, owner);
});

afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
});

const incident = `/tables/incidents/records/${workableIncident(7)}`;
const edit = (title: string) =>
  ownerUser.call("PATCH", `${incident}?overwrite=true`, { set: { title } });

async function action(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole("button", { name: `Actions for ${name}` }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

describe("the webhooks", () => {
  it("are created, tested, followed, sent again, paused and removed on their screen", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.goto(`${product.url}/admin/webhooks`);
    await page.getByText("No webhooks yet").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);

    await page.getByRole("button", { name: "New webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Chat");
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByLabel("Table").selectOption("incidents");
    await dialog.getByLabel("Created").uncheck();
    await dialog.locator('input[aria-haspopup="listbox"]').click();
    await page.getByRole("option", { name: "Title" }).click();
    await page.keyboard.press("Escape");
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create webhook" }).click();
    receiver.secret = await dialog.getByLabel("Signing secret").inputValue();
    expect(receiver.secret).toMatch(/^whsec_/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    const row = page.locator("[data-item]");
    await row.getByText("Nothing sent yet").waitFor();
    await row.getByText("Incidents: Updated and Deleted").waitFor();

    await action(page, "Chat", "Send test event");
    await page.getByText("Test event delivered (200").first().waitFor();
    expect(receiver.received[0]?.isVerified).toBe(true);

    receiver.answer = () => 500;
    await edit("Refused");
    await row.getByText("1 event given up").waitFor();
    await row.getByText("Failing").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("link", { name: "Chat" }).click();
    const delivery = page.locator("[data-item]").first();
    await delivery.getByText("The receiver answered 500.").waitFor();
    await delivery.getByText("answer 500").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    receiver.answer = () => 200;
    const { values } = await ownerUser.call<{ values: { number: string } }>("GET", incident);
    await delivery.getByRole("link", { name: values.number, exact: true }).waitFor();
    await page.getByRole("button", { name: `Send Updated ${values.number} again` }).click();
    await delivery.getByText("Delivered").waitFor();
    expect(receiver.received.at(-1)?.body.values).toEqual({ title: "Refused" });

    await action(page, "Chat", "Pause");
    await page.getByText("Paused", { exact: true }).waitFor();
    await action(page, "Chat", "Edit…");
    await dialog.getByLabel("Name").fill("Chat room");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Chat room" }).waitFor();
    await action(page, "Chat room", "Replace secret…");
    await dialog.getByRole("button", { name: "Replace secret" }).click();
    const next = await dialog.getByLabel("Signing secret").inputValue();
    expect(next).not.toBe(receiver.secret);
    await dialog.getByRole("button", { name: "Done" }).click();
    await action(page, "Chat room", "Remove…");
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("No webhooks yet").waitFor();
    await leave();
  });

  it("store a condition that is sent by Enter, and Enter that chooses a value sends nothing", async () => {
    const { page, leave } = await visitAs(browser, product, owner);
    await page.goto(`${product.url}/admin/webhooks`);
    await page.getByRole("button", { name: "New webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Filtered");
    await dialog.getByLabel("URL").fill(receiver.url);
    await dialog.getByLabel("Table").selectOption("incidents");
    const addCondition = async (field: string) => {
      await dialog.getByRole("button", { name: "Add condition" }).click();
      await dialog.getByLabel("Field", { exact: true }).last().selectOption(field);
      await dialog.getByLabel("Condition", { exact: true }).last().selectOption("is");
      return dialog.getByLabel(`Value for ${field}`);
    };
    const assignee = await addCondition("Assignee");
    await assignee.fill("mara");
    await page.getByRole("option", { name: "mara" }).first().waitFor();
    await assignee.press("Enter");
    const title = await addCondition("Title");
    // The pause after which typed text counts does not end before the key.
    const release = await holdTimers(page, 250);
    await title.fill("printer");
    await title.press("Enter");
    await dialog.getByLabel("Signing secret").waitFor();
    await release();
    await dialog.getByRole("button", { name: "Done" }).click();
    const { items } = await ownerUser.call<{ items: WebhookInfo[] }>("GET", "/webhooks");
    expect(items.map(({ name, filter }) => [name, filter])).toEqual([
      [
        "Filtered",
        {
          and: [
            { field: "assignee", op: "eq", value: expect.any(String) },
            { field: "title", op: "eq", value: "printer" },
          ],
        },
      ],
    ]);
    await action(page, "Filtered", "Edit…");
    await dialog.getByLabel("URL").fill(`${receiver.url}/next`);
    // Another tab renames it meanwhile.
    const [hook] = items;
    await ownerUser.call("PATCH", `/webhooks/${hook?.id}`, { name: "Renamed" });
    await page.locator("[data-item]").getByText("Renamed").waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const stored = await ownerUser.call<WebhookInfo>("GET", `/webhooks/${hook?.id}`);
    expect([stored.name, stored.url]).toEqual(["Renamed", `${receiver.url}/next`]);
    await ownerUser.call("DELETE", `/webhooks/${hook?.id}`);
    await leave();
  });

  it.each([1440, 390])("are translated and fit %d px", async (width) => {
    const { id } = await ownerUser.call<{ id: string }>("POST", "/webhooks", {
      name: "Chat",
      url: "http://127.0.0.1:9/events",
      table: "incidents",
      events: ["updated", "transition"],
    });
    await edit(`Not sent at ${width}`);
    const { page, leave } = await visitAs(browser, product, owner);
    await page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(page);
    const data = [...(await dataTexts(page, product)), ...formattedTexts];
    const check = async () =>
      expect(
        await languageProblems(page, [...data, "Chat", "http://127.0.0.1:9/events", "Ctrl"]),
      ).toEqual([]);
    await page.goto(`${product.url}/admin/webhooks`);
    await page.locator("[data-item]").waitFor();
    await check();
    await page.getByRole("button", { name: pseudoText(messages.newWebhook()) }).click();
    await page.getByRole("dialog").getByRole("group").first().waitFor();
    await check();
    await goTo(page, product, `/admin/webhooks/${id}`);
    await page.locator("[data-item]").first().waitFor();
    await check();
    await ownerUser.call("DELETE", `/webhooks/${id}`);
    await leave();
  });
});
