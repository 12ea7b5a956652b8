import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { openBrowser, signIn, type Visitor, visit, visitAs } from "./testing/browser.ts";
import { owner, type Product, startProduct } from "./testing/product.ts";

const toms = { email: "tom@example.com", password: "a third long sentence" };

let browser: Browser;
let product: Product;
let page: Page;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
  page = (await visitAs(browser, product, owner)).page;
});

afterAll(async () => {
  await browser.close();
  await product.close();
});

/** Tom on the first screen, which is told at once of what changes. */
async function openAsTom(): Promise<Visitor> {
  const tom = await visitAs(browser, product, toms);
  await tom.page.goto(product.url);
  await tom.page.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
  return tom;
}

async function openForm(name: string, email: string) {
  await page.goto(`${product.url}/admin/users`);
  await page.getByRole("button", { name: "Add a user" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a user" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Email").fill(email);
  return dialog;
}

async function act(user: string, action: string) {
  await page.getByRole("button", { name: `Actions for ${user}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}

describe("users", () => {
  it("come in by an invitation link, also by another one, and then no more by the first", async () => {
    const dialog = await openForm("Aiko Tanaka", "aiko@example.com");
    expect(await accessibilityProblems(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Make the invitation" }).click();
    const lost = await page.getByLabel("Invitation link").inputValue();
    await page.getByRole("button", { name: "Done" }).click();
    await act("Aiko Tanaka", "New invitation link");
    await page.getByRole("button", { name: "Make the link" }).click();
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

  it("are told which right is missing where their role doesn't reach", async () => {
    const dialog = await openForm("Tom Okafor", toms.email);
    await dialog.getByLabel("With a password").check();
    await dialog.getByLabel("Role").selectOption("viewer");
    await dialog.getByLabel("Password", { exact: true }).fill(toms.password);
    await dialog.getByRole("button", { name: "Add the user" }).click();
    await page.getByLabel("Role of Tom Okafor").waitFor();
    const tom = await visit(browser);
    await signIn(tom.page, product.url, toms);
    expect(await tom.page.getByRole("link", { name: "Users" }).count()).toBe(0);
    await tom.page.goto(`${product.url}/admin/users`);
    await tom.page.getByText("It needs the right users").waitFor();
    expect(await accessibilityProblems(tom.page)).toEqual([]);
    await tom.leave();
  });

  it("can be given another role, and that be undone", async () => {
    await page.goto(`${product.url}/admin/users`);
    const role = page.getByLabel("Role of Tom Okafor");
    await role.selectOption("editor");
    await page.getByText("Tom Okafor is now Editor.").first().waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => role.inputValue()).toBe("viewer");
  });

  it("are found among many, and have attributes, a link for a new password and sessions to end", async () => {
    const find = page.getByRole("textbox", { name: "Find users" });
    await find.fill("okafor nobody");
    await page.getByRole("heading", { name: "Nobody matches" }).waitFor();
    await find.fill("okafor");
    await page.getByText("1 of 3 users").waitFor();
    await act("Tom Okafor", "Attributes");
    await page.getByLabel("Attribute", { exact: true }).fill("group");
    await page.getByLabel("Value of group").fill("Network, Desk");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("group Network, Desk").waitFor();
    await act("Tom Okafor", "Reset password link");
    await page.getByRole("button", { name: "Make the link" }).click();
    const link = await page.getByLabel("Link for a new password").inputValue();
    expect(link).toContain("/password-reset#");
    await page.getByRole("button", { name: "Done" }).click();
    await act("Tom Okafor", "End all sessions");
    await page.getByText("Tom Okafor is signed out everywhere.").first().waitFor();
    await act("Tom Okafor", "Remove second factor");
    await page.getByRole("button", { name: "Remove the second factor" }).click();
    await page.getByText("Tom Okafor signs in with the password alone.").first().waitFor();
    await find.fill("");
  });

  it("see at once what a new role lets them do, on the page that is open", async () => {
    const tom = await openAsTom();
    await page.getByLabel("Role of Tom Okafor").selectOption("admin");
    const administration = tom.page.getByRole("link", { name: "Users" });
    await administration.waitFor();
    await page.getByLabel("Role of Tom Okafor").selectOption("viewer");
    await administration.waitFor({ state: "detached" });
    await tom.leave();
  });

  it("who are disabled are signed out on their open page, and who are removed are gone", async () => {
    const tom = await openAsTom();
    await act("Tom Okafor", "Disable and sign out");
    await page.getByRole("row", { name: /Tom Okafor.*Disabled/ }).waitFor();
    // By the open connection: the page asks nothing by itself.
    await tom.page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await act("Tom Okafor", "Remove …");
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("row", { name: /Tom Okafor/ }).waitFor({ state: "detached" });
    await tom.leave();
  });
});
