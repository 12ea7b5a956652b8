import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { usersMessages as messages } from "../../client/src/messages/en/users.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { signIn, type Visitor, visit, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  languageProblems,
  pseudoText,
  SCREEN,
  sharedTexts,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

const roleNames = ["Owner", "Admin", "Editor", "Viewer", "Display"];
const toms = { email: "tom@example.com", password: "a third long sentence" };

const { browser, product } = await openProduct();
let page: Page;

beforeAll(async () => {
  page = (await visitAs(browser, product, owner)).page;
});

/** Signs Tom in and waits until the dashboard is connected. */
async function openAsTom(): Promise<Visitor> {
  const tom = await visitAs(browser, product, toms);
  await tom.page.goto(product.url);
  await tom.page.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
  return tom;
}

async function openForm(name: string, email: string) {
  await goTo(page, product, "/admin/users");
  await page.getByRole("button", { name: "Add user" }).click();
  const dialog = page.getByRole("dialog", { name: "Add user" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Email").fill(email);
  return dialog;
}

async function act(user: string, action: string) {
  await page.getByRole("button", { name: `Actions for ${user}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

describe("users", () => {
  it("join with an invitation link; a newer link replaces the first", async () => {
    const dialog = await openForm("Aiko Tanaka", "aiko@example.com");
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Create invitation" }).click();
    const lost = await page.getByLabel("Invitation link").inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    await act("Aiko Tanaka", "New invitation link");
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("Invitation link").inputValue();
    const guest = await visit(browser);
    await guest.page.goto(link);
    await guest.page.getByText("Choose a password for aiko@example.com").waitFor();
    expect(await accessibilityProblems(guest.page)).toEqual([]);
    await guest.page.getByLabel("Password", { exact: true }).fill("another long sentence");
    await guest.page.getByRole("button", { name: "Accept invitation" }).click();
    await guest.page.getByRole("heading", { name: /, Aiko$/ }).waitFor();
    const late = await visit(browser);
    await late.page.goto(lost);
    await late.page.getByRole("heading", { name: "This invitation is no longer valid" }).waitFor();
    await Promise.all([guest.leave(), late.leave()]);
  });

  it("see which right is missing on a screen that their role doesn't include", async () => {
    const dialog = await openForm("Tom Okafor", toms.email);
    await dialog.getByLabel("Initial password").check();
    await dialog.getByLabel("Role").selectOption("viewer");
    await dialog.getByLabel("Password", { exact: true }).fill(toms.password);
    await dialog.getByRole("button", { name: "Add user" }).click();
    await page.getByLabel("Role of Tom Okafor").waitFor();
    const tom = await visit(browser);
    await signIn(tom.page, product.url, toms);
    expect(await tom.page.getByRole("link", { name: "Users", exact: true }).count()).toBe(0);
    await tom.page.goto(`${product.url}/admin/users`);
    await tom.page.getByText("It needs the right users").waitFor();
    expect(await accessibilityProblems(tom.page)).toEqual([]);
    await tom.leave();
  });

  it("can be given another role, which can be undone", async () => {
    await goTo(page, product, "/admin/users");
    const role = page.getByLabel("Role of Tom Okafor");
    await role.selectOption("editor");
    await page.getByText("Tom Okafor is now Editor.").first().waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => role.inputValue()).toBe("viewer");
  });

  it("can be searched, and have attributes, a reset link and sessions to end", async () => {
    const find = page.getByRole("textbox", { name: "Find users" });
    await find.fill("okafor nobody");
    await page.getByRole("heading", { name: "No users match" }).waitFor();
    await find.fill("okafor");
    await page.getByText("1 of 3 users").waitFor();
    await act("Tom Okafor", "Attributes");
    await page.getByLabel("Attribute", { exact: true }).fill("group");
    await page.getByLabel("Value of group").fill("Network, Desk");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("group Network, Desk").waitFor();
    await act("Tom Okafor", "Reset password…");
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("Password reset link").inputValue();
    expect(link).toContain("/password-reset#");
    await page.getByRole("button", { name: "Done" }).click();
    await act("Tom Okafor", "End all sessions");
    await page.getByText("Tom Okafor is signed out everywhere.").first().waitFor();
    await act("Tom Okafor", "Remove second factor…");
    await page.getByRole("button", { name: "Remove second factor" }).click();
    await page.getByText("Tom Okafor now signs in with only a password.").first().waitFor();
    await find.fill("");
  });

  it("see on their open page immediately what a new role allows", async () => {
    const tom = await openAsTom();
    await page.getByLabel("Role of Tom Okafor").selectOption("admin");
    const administration = tom.page.getByRole("link", { name: "Users", exact: true });
    await administration.waitFor();
    await page.getByLabel("Role of Tom Okafor").selectOption("viewer");
    await administration.waitFor({ state: "detached" });
    await tom.leave();
  });

  it("are signed out of their open page when disabled, and leave the list when removed", async () => {
    const tom = await openAsTom();
    await act("Tom Okafor", "Disable and sign out");
    await page.getByRole("row", { name: /Tom Okafor.*Disabled/ }).waitFor();
    // Pushed over the open connection: the page does not poll.
    await tom.page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await act("Tom Okafor", "Remove…");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("row", { name: /Tom Okafor/ }).waitFor({ state: "detached" });
    await tom.leave();
  });

  it.each([390, 1440])("are shown in any language, at %d px", async (width) => {
    const visitor = await visitAs(browser, product, owner);
    await visitor.page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(visitor.page);
    await visitor.page.goto(`${product.url}/admin/users`);
    const button = (text: string) =>
      visitor.page.getByRole("button", { name: pseudoText(text) }).last();
    const data = [...sharedTexts, ...roleNames, "mara", "Aiko Tanaka"];
    const problems = () => languageProblems(visitor.page, data, SCREEN);
    await button(messages.addUser()).click();
    await visitor.page.getByRole("radio", { name: pseudoText(messages.byPassword()) }).check();
    expect(await problems()).toEqual([]);
    await visitor.page.keyboard.press("Escape");
    await button(messages.actionsFor({ name: "Aiko Tanaka" })).click();
    await visitor.page.getByRole("menuitem").first().waitFor();
    expect(await problems()).toEqual([]);
    await visitor.page.getByRole("menuitem").first().click();
    await button(messages.addAttribute()).click();
    expect(await problems()).toEqual([]);
    await visitor.leave();
  });
});
