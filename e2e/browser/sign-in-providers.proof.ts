// Covers: client/src/features/sign-in client/src/features/login client/src/features/me
import { Secret, TOTP } from "otpauth";
import type { CDPSession, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CompanyProvider,
  clientId,
  clientSecret,
  startCompanyProvider,
} from "../harness/company/company-provider.ts";
import { freePort } from "../provision/free-port.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visit, visitAs } from "./testing/browser.ts";
import { openProduct, owner } from "./testing/product.ts";

const port = await freePort();
// Passkeys belong to a name, and none to an address.
const url = `http://localhost:${port}`;
const { browser } = await openProduct({
  environment: { PORT: String(port), PUBLIC_URL: url },
});

let company: CompanyProvider;
beforeAll(async () => {
  company = await startCompanyProvider({ publicUrl: url, origin: url, ids: ["company"] });
});
afterAll(() => company[Symbol.asyncDispose]());

const employee = (sub: string) => ({
  ...{ sub, name: `Employee ${sub}`, email: `${sub}@example.com`, email_verified: true },
  groups: ["desk"],
});

async function connect(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Connect provider" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Acme");
  await dialog.getByLabel("Issuer").fill(company.issuer);
  await dialog.getByLabel("Client id").fill(clientId);
  await dialog.getByLabel("Client secret").fill(clientSecret);
  await dialog.getByLabel("Scopes").fill("openid profile email groups");
  await dialog.getByLabel("Create users at their first sign-in").check();
  await dialog.getByLabel("Set the role by groups").check();
  await dialog.getByRole("button", { name: "Add group" }).click();
  await dialog.getByLabel("Group 1", { exact: true }).fill("desk");
  await dialog.getByLabel("Role of group 1").selectOption("editor");
  expect(await accessibilityProblems(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Connect", exact: true }).click();
  await page.getByRole("dialog", { name: "Register Acme at the provider" }).waitFor();
}

/** A device that holds passkeys, and shows them without asking. Each tab has its own in tests. */
async function withAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "internal", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  return {
    devtools,
    authenticatorId,
    async copyTo(other: { devtools: CDPSession; authenticatorId: string }) {
      const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
      for (const credential of credentials) {
        const call = { authenticatorId: other.authenticatorId, credential };
        await other.devtools.send("WebAuthn.addCredential", call);
      }
    },
  };
}

describe("company accounts", () => {
  it("are connected on their screen, and sign users in by a button of the sign-in page", async () => {
    const { page, leave } = await visitAs(browser, { url }, owner);
    await page.goto(url);
    await page.getByRole("link", { name: "Sign-in" }).click();
    await page.getByText("No provider is connected").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await connect(page);
    const redirect = page.getByLabel("Redirect URI", { exact: true });
    await expect.poll(() => redirect.inputValue()).toBe(`${url}/sign-in/company/callback`);
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText(company.issuer).waitFor();

    company.signsIn = employee("ada");
    const guest = await visit(browser);
    await guest.page.goto(`${url}/me`);
    await guest.page.getByRole("link", { name: "Continue with Acme" }).click();
    await guest.page.getByRole("heading", { name: "My profile" }).waitFor();
    await guest.page.getByText("Signed in as ada@example.com.").waitFor();
    await guest.page.getByText("Company accounts").waitFor();
    expect(await guest.page.getByLabel("Current password").count()).toBe(0);
    await guest.leave();

    await page.goto(`${url}/admin/users`);
    await page.getByText("From a company group").waitFor();
    await leave();
  });

  it("say on a page of their own why they do not sign in", async () => {
    company.signsIn = { ...employee("bob"), email_verified: false };
    const { page, leave } = await visit(browser);
    await page.goto(url);
    await page.getByRole("link", { name: "Continue with Acme" }).click();
    await page.getByText("Acme has not verified your email").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await leave();
  });

  it("are linked to a password account on the profile, and the policy keeps its break-glass owner", async () => {
    company.signsIn = employee("owner");
    const { page, leave } = await visitAs(browser, { url }, owner);
    await page.goto(`${url}/me`);
    await page.getByRole("button", { name: "Link", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Link Acme" });
    await dialog.getByLabel("Your password").fill(owner.password);
    await dialog.getByRole("button", { name: "Link", exact: true }).click();
    await page.getByRole("button", { name: "Unlink" }).waitFor();

    await page.goto(`${url}/admin/sign-in`);
    await page.getByLabel("Company account only: Owner").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Choose an active owner with a password").first().waitFor();
    await page.getByLabel("Break-glass owner").selectOption({ index: 1 });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Sign-in settings saved.").first().waitFor();
    await leave();
  });

  it("prove who their users are in another tab, by a link where the browser blocks it", async () => {
    company.signsIn = employee("ada");
    company.forge = { claims: ({ auth_time: _time, ...token }) => token };
    const { page, leave } = await visit(browser);
    await page.addInitScript(() => {
      window.open = () => null;
    });
    await page.goto(`${url}/me`);
    await page.getByRole("link", { name: "Continue with Acme" }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    const dialog = page.getByRole("dialog", { name: "Create an API token" });
    await dialog.getByLabel("Name", { exact: true }).fill("Sync");
    await dialog.getByRole("button", { name: "Create token" }).click();
    company.forge = null;
    await dialog.getByRole("button", { name: "Confirm with Acme" }).click();
    await dialog.getByText("Your browser blocked the new tab.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    const opened = page.context().waitForEvent("page");
    await dialog.getByRole("link", { name: "Open Acme" }).click();
    const tab = await opened;
    await tab.getByRole("heading", { name: "My profile" }).waitFor();
    await tab.close();
    // What was typed is still there.
    await dialog.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("dialog", { name: "Token created" }).waitFor();
    await leave();
  });

  it("lead to a passkey where the provider does not say that it has asked again, and go on with what was typed", async () => {
    company.signsIn = employee("ada");
    company.forge = { claims: ({ auth_time: _time, ...token }) => token };
    const { page, leave } = await visit(browser);
    await page.goto(`${url}/me`);
    await page.getByRole("link", { name: "Continue with Acme" }).click();
    const device = await withAuthenticator(page);
    await page.getByRole("button", { name: "Create token" }).click();
    const dialog = page.getByRole("dialog", { name: "Create an API token" });
    await dialog.getByLabel("Name", { exact: true }).fill("Sync");
    await dialog.getByRole("button", { name: "Create token" }).click();
    const [failed] = await Promise.all([
      page.context().waitForEvent("page"),
      dialog.getByRole("button", { name: "Confirm with Acme" }).click(),
    ]);
    await failed.getByRole("heading", { name: "You are not confirmed" }).waitFor();
    await failed.getByText("Acme does not say when").waitFor();
    await failed.getByRole("link", { name: "Sign in and add a passkey" }).waitFor();
    expect(await accessibilityProblems(failed)).toEqual([]);
    await failed.close();
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await dialog.getByText("Acme can't confirm again who you are.").waitFor();
    expect(await dialog.getByRole("button", { name: "Confirm with Acme" }).count()).toBe(0);
    expect(await accessibilityProblems(page)).toEqual([]);
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      dialog.getByRole("link", { name: "Sign in and add a passkey" }).click(),
    ]);
    const adding = tab.getByRole("dialog", { name: "Add passkey" });
    await adding.waitFor();
    await expect.poll(() => new URL(tab.url()).search).toBe("");
    const other = await withAuthenticator(tab);
    await adding.getByLabel("Passkey name").fill("Laptop");
    await adding.getByRole("button", { name: "Continue" }).click();
    await tab.getByText("Passkey “Laptop” added.").first().waitFor();
    await other.copyTo(device);
    await tab.close();
    await dialog.getByRole("button", { name: "Confirm with a passkey" }).click();
    await dialog.getByText("Confirmed. Continue below.").waitFor();
    await dialog.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("dialog", { name: "Token created" }).waitFor();
    company.forge = null;
    await leave();
  });

  it("lead a user whose role requires a second factor to add one, and then to what they opened", async () => {
    const { page, leave } = await visitAs(browser, { url }, owner);
    await page.goto(`${url}/admin/sign-in`);
    await page.getByLabel("Second factor required: Viewer").check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Sign-in settings saved.").first().waitFor();
    const invitation = await page.evaluate(async () => {
      const call = { email: "vera@example.com", name: "Vera", role: "viewer" };
      const answer = await fetch("/api/v1/users", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(call),
      });
      return (await answer.json()).invitation as string;
    });
    await leave();
    const vera = await visit(browser);
    await vera.page.goto(invitation);
    await vera.page.getByLabel("Password", { exact: true }).fill("nine lanterns on a wire");
    await vera.page.getByRole("button", { name: "Accept invitation" }).click();
    await vera.page.getByRole("heading", { name: "Add a second factor" }).waitFor();
    expect(await accessibilityProblems(vera.page)).toEqual([]);
    await vera.page.goto(`${url}/t/incidents`);
    await vera.page.getByRole("button", { name: "Set up" }).click();
    const dialog = vera.page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Continue" }).click();
    const secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await dialog.getByLabel("Code from the app").fill(code);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByRole("button", { name: "I saved them" }).click();
    await vera.page.getByRole("navigation", { name: "Main navigation" }).waitFor();
    await expect.poll(() => new URL(vera.page.url()).pathname).toBe("/t/incidents");
    await vera.leave();
  });
});
