// Covers: client/src/features/users client/src/access
import type { Page, Route } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { usersMessages as messages } from "../../client/src/messages/en/users.ts";
import type { UserInfo } from "../../shared/protocol/users.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
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

/** Another administrator changes attributes. */
async function changeAttributes(email: string, attributes: object): Promise<void> {
  const { id } = await storedUser(email);
  await apiRequest(page, product, "PATCH", `/users/${id}`, { attributes });
}

async function storedUser(email: string): Promise<UserInfo> {
  const { items } = await apiRequest<{ items: UserInfo[] }>(page, product, "GET", "/users");
  const found = items.find((user) => user.email === email);
  if (!found) throw new Error(`There is no ${email}.`);
  return found;
}

const refusal = { status: 403, json: { code: "forbidden" } };

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

  it("do not read that their link is no longer valid while the server can't read it", async () => {
    const dialog = await openForm("Nia Roberts", "nia@example.com");
    await dialog.getByRole("button", { name: "Create invitation" }).click();
    const link = await page.getByLabel("Invitation link").inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    const guest = await visit(browser, { expectsErrors: true });
    const away = { status: 503, json: { code: "unavailable" } };
    await guest.page.route("**/api/v1/invitations/*", (route) => route.fulfill(away), { times: 1 });
    await guest.page.goto(link);
    await guest.page.getByText("The server is temporarily unavailable").waitFor();
    expect(await guest.page.getByText("no longer valid").count()).toBe(0);
    await guest.page.getByText("Choose a password for nia@example.com").waitFor();
    await guest.leave();
    const { id } = await storedUser("nia@example.com");
    await apiRequest(page, product, "DELETE", `/users/${id}`);
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
    await tom.page.getByText("You need the right to manage users").waitFor();
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
    await act("Tom Okafor", "Sign out everywhere…");
    const revoke = page.getByLabel("Also revoke their API tokens");
    await expect.poll(() => revoke.isChecked()).toBe(true);
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByText("Tom Okafor is signed out everywhere.").first().waitFor();
    await act("Tom Okafor", "Reset two-step sign-in…");
    await page.getByRole("button", { name: "Reset two-step sign-in" }).click();
    await page.getByText("Tom Okafor now signs in with only a password.").first().waitFor();
    await find.fill("");
  });

  it("keep the attributes that another administrator changes while a form is open", async () => {
    await changeAttributes(toms.email, { group: "Network" });
    await goTo(page, product, "/admin/users");
    await page.getByText("group Network", { exact: true }).waitFor();
    await act("Tom Okafor", "Attributes");
    await page.getByRole("button", { name: "Add attribute" }).click();
    await page.getByLabel("Attribute", { exact: true }).last().fill("shift");
    await page.getByLabel("Value of shift").fill("Night");
    await changeAttributes(toms.email, { group: "Desk", region: "West" });
    await page.getByText("region West").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("shift Night").waitFor();
    const { attributes } = await storedUser(toms.email);
    expect(attributes).toEqual({ group: "Desk", region: "West", shift: "Night" });
  });

  it("keep the form of their attributes open while saving fails", async () => {
    await act("Tom Okafor", "Attributes");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Value of shift").fill("Late");
    await page.route("**/api/v1/users/*", (route) => route.fulfill(refusal));
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").waitFor();
    await expect.poll(() => dialog.getByLabel("Value of shift").inputValue()).toBe("Late");
    await page.unroute("**/api/v1/users/*");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("shift Late").waitFor();
  });

  it("keep a dialog open until its action has ended, and learn of a failure after a form is closed", async () => {
    const answer = Promise.withResolvers<void>();
    const refuse = async (route: Route) => {
      await answer.promise;
      await route.fulfill(refusal);
    };
    await page.route("**/api/v1/users/*/factors", refuse);
    await act("Tom Okafor", "Reset two-step sign-in…");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Reset two-step sign-in" }).click();
    await page.keyboard.press("Escape");
    await expect.poll(() => dialog.getByRole("button", { name: "Cancel" }).isDisabled()).toBe(true);
    answer.resolve();
    await dialog.getByRole("alert").waitFor();
    await page.unroute("**/api/v1/users/*/factors");
    const form = await openForm("Zoe Late", "zoe@example.com");
    const later = Promise.withResolvers<void>();
    await page.route("**/api/v1/users", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await later.promise;
      await route.fulfill(refusal);
    });
    await form.getByRole("button", { name: "Create invitation" }).click();
    await page.keyboard.press("Escape");
    await form.waitFor({ state: "detached" });
    later.resolve();
    await page.locator(".mantine-Notification-root").getByText("permission").waitFor();
    await page.unroute("**/api/v1/users");
  });

  it("take no focus from what is being typed when reading them again fails", async () => {
    await goTo(page, product, "/admin/users");
    const find = page.getByRole("textbox", { name: "Find users" });
    await find.pressSequentially("oka");
    await page.route("**/api/v1/users", (route) => route.fulfill(refusal));
    await changeAttributes(toms.email, { region: "East" });
    await page.getByRole("alert").filter({ hasText: "permission" }).waitFor();
    await page.keyboard.type("for");
    await expect.poll(() => find.inputValue()).toBe("okafor");
    await page.unroute("**/api/v1/users");
    await goTo(page, product, "/admin/users");
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
    await act("Tom Okafor", "Disable and sign out…");
    await page.getByRole("button", { name: "Disable", exact: true }).click();
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
