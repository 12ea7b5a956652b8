// Covers: client/src/access client/src/features/tokens
import pg from "pg";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { tokensMessages as messages } from "../../client/src/messages/en/tokens.ts";
import { addUser, signIn } from "../harness/test-user.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visit, visitAs } from "./testing/browser.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  languageProblems,
  pseudoText,
  SCREEN,
  sharedTexts,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";
import { pressInMenu } from "./testing/view-menu.ts";

const { browser, product } = await openProduct({
  environment: { RECENT_AUTHENTICATION_MS: "300000" },
});
const ida = { email: "ida@example.com", password: "password of Ida" };

beforeAll(async () => {
  await addUser(product.url, await signIn(product.url, owner), "Ida", "editor");
});

/** As if everybody had signed in ten minutes ago. */
async function letTimePass(): Promise<void> {
  const program = new pg.Client({ connectionString: product.databaseUrl });
  await program.connect();
  await program.query("update watchfloor.session set proven_at = now() - interval '10 minutes'");
  await program.end();
}

async function statusWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${product.url}/api/v1/tables/incidents/records`, { headers })).status;
}

/** Creates a token in the open dialog and returns the secret that is shown. */
async function fillDialog(page: Page, name: string, role: string): Promise<string> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Role").selectOption({ label: role });
  await dialog.getByRole("button", { name: "Create token" }).click();
  return dialog.getByLabel(name).inputValue();
}

describe("API tokens", () => {
  it("are created on the profile, shown once, and listed live to those who manage them", async () => {
    const admin = await visitAs(browser, product, owner);
    await admin.page.goto(`${product.url}/admin/tokens`);
    await admin.page.getByText("No API tokens yet").waitFor();
    expect(await accessibilityProblems(admin.page)).toEqual([]);

    const { page, leave } = await visitAs(browser, product, ida);
    await page.goto(`${product.url}/me`);
    await page.getByText("You have no API tokens.").waitFor();
    await page.getByRole("button", { name: "Create token" }).click();
    const token = await fillDialog(page, "Nightly sync", "Viewer");
    expect(token).toMatch(/^wf_/);
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Authorization: Bearer ${token}`).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.mouse.click(5, 5);
    await dialog.getByRole("button", { name: "Copy token" }).waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(token);

    const mine = page.locator("[data-token]");
    await mine.getByText("Nightly sync").waitFor();
    await mine.getByText(`${token.slice(0, 11)}… · Viewer`).waitFor();
    await mine.getByText(/^Not used yet · expires \d+ \w+ \d{4}/).waitFor();
    expect(await statusWith(token)).toBe(200);
    const row = admin.page.locator("[data-item]");
    await row.getByText("Nightly sync").waitFor();
    await row.getByText("Ida", { exact: true }).waitFor();
    await row.getByText("now").waitFor();
    expect(await accessibilityProblems(admin.page)).toEqual([]);

    await admin.page.getByRole("button", { name: "Actions for Nightly sync" }).click();
    await admin.page.getByRole("menuitem", { name: "Rename…" }).click();
    await admin.page.getByRole("dialog").getByLabel("Name").fill("Importer");
    await admin.page.getByRole("button", { name: "Rename", exact: true }).click();
    await row.getByText("Importer").waitFor();

    await page.reload();
    await page.getByRole("button", { name: "Actions for Importer" }).press("Enter");
    await pressInMenu(page.getByRole("menuitem", { name: "Revoke…" }), "Enter");
    await page.getByRole("dialog", { name: "Revoke Importer?" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Revoke token" }).press("Enter");
    await page.getByText("You have no API tokens.").waitFor();
    await admin.page.getByText("No API tokens yet").waitFor();
    expect(await statusWith(token)).toBe(401);
    await admin.leave();
    await leave();
  });

  it("are created with the password, where the sign-in is a while ago", async () => {
    const { page, leave } = await visitAs(browser, product, ida);
    await page.goto(`${product.url}/me`);
    await page.getByRole("button", { name: "Create token" }).click();
    await letTimePass();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Late");
    await dialog.getByRole("button", { name: "Create token" }).click();
    const password = dialog.getByLabel("Your password");
    await password.waitFor();
    await dialog.getByText("Confirm that it's you to go on.").waitFor();
    await expect.poll(() => password.evaluate((it) => it === document.activeElement)).toBe(true);
    expect(await accessibilityProblems(page)).toEqual([]);
    await password.fill("not my password");
    await page.keyboard.press("Enter");
    await dialog.getByText("Current password is incorrect.").waitFor();
    await password.fill(ida.password);
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.getByLabel("Late").inputValue()).toMatch(/^wf_/);
    await dialog.getByRole("button", { name: "Done" }).click();
    await leave();
  });

  it("are revoked with a reset of the password, unless that is refused", async () => {
    const admin = await signIn(product.url, owner);
    const user = await signIn(product.url, ida);
    const { token } = await user.call<{ token: string }>("POST", "/tokens", { name: "Kept" });
    const reset = async (keep: boolean) => {
      const path = `/users/${user.info.id}/password-reset`;
      const { link } = await admin.call<{ link: string }>("POST", path);
      const { page, leave } = await visit(browser);
      await page.goto(link);
      const box = page.getByRole("checkbox", { name: "Revoke API tokens and pause webhooks" });
      await box.waitFor();
      expect(await accessibilityProblems(page)).toEqual([]);
      if (keep) await box.uncheck();
      await page.getByLabel("New password").fill(ida.password);
      await page.getByRole("button", { name: "Change password" }).click();
      await page.getByText("You are signed out everywhere").waitFor();
      await leave();
    };
    await reset(true);
    expect(await statusWith(token)).toBe(200);
    await reset(false);
    expect(await statusWith(token)).toBe(401);
  });

  it("can't be managed for others without the right", async () => {
    const { page, leave } = await visitAs(browser, product, ida);
    await page.goto(`${product.url}/admin/tokens`);
    await page.getByText(/manage API tokens/).waitFor();
    await leave();
  });

  it.each([390, 1440])("are shown in any language, at %d px", async (width) => {
    const user = await signIn(product.url, owner);
    await user.call("POST", "/tokens", { name: "Pipeline", role: "editor" });
    const { page, leave } = await visitAs(browser, product, owner);
    await page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(page);
    await page.goto(`${product.url}/admin/tokens`);
    const roles = ["Owner", "Admin", "Editor", "Viewer", "Ida"];
    const data = [...sharedTexts, ...roles, user.info.name, "Pipeline", /wf_\S+/, /curl .*/];
    const problems = () => languageProblems(page, data, SCREEN);
    const actions = pseudoText(messages.actionsFor({ name: "Pipeline" }));
    await page.getByRole("button", { name: actions }).first().click();
    await page.getByRole("menuitem").first().waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("menuitem", { name: pseudoText(messages.revokeItem()) }).click();
    await page.getByRole("dialog").waitFor();
    expect(await problems()).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("button", { name: pseudoText(messages.create()) }).click();
    await page.getByRole("dialog").waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("dialog").getByRole("textbox").fill("Pipeline");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: pseudoText(messages.copyToken()) }).waitFor();
    expect(await problems()).toEqual([]);
    await leave();
  });
});
