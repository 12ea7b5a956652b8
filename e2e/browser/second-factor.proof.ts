// Covers: client/src/features/me client/src/access
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { meMessages as messages } from "../../client/src/messages/en/me.ts";
import { securityMessages } from "../../client/src/messages/en/security.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { type Visitor, visit, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  languageProblems,
  pseudoText,
  SCREEN,
  sharedTexts,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

const STEP_MS = 30_000;

const { browser, product } = await openProduct();
let mara: Visitor;

beforeAll(async () => {
  mara = await visitAs(browser, product, owner);
});

async function openMe(page: Page) {
  await page.goto(`${product.url}/me`);
  await page.getByRole("heading", { name: "Second factor" }).waitFor();
  await page.getByRole("list", { name: "Second factors" }).waitFor();
}

/** Enters email and password in a new browser. */
async function attemptSignIn(): Promise<Visitor> {
  const visitor = await visit(browser);
  await visitor.page.goto(`${product.url}/login`);
  await visitor.page.getByLabel("Email").fill(owner.email);
  await visitor.page.getByLabel("Password", { exact: true }).fill(owner.password);
  await visitor.page.getByRole("button", { name: "Sign in" }).click();
  return visitor;
}

const isIn = (page: Page) => page.getByRole("navigation", { name: "Main navigation" }).waitFor();

describe("a second factor", () => {
  let secret = "";
  let codes: string[] = [];

  it("is set up with a QR code and a first code, and gives recovery codes", async () => {
    const { page } = mara;
    await openMe(page);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog", { name: "Set up authenticator app" });
    await dialog.getByLabel("Your password").fill("not the password");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("Current password is incorrect.").waitFor();
    await dialog.getByLabel("Your password").fill(owner.password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByRole("img", { name: "QR code of the key below" }).waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    secret = ((await dialog.locator("code").textContent()) ?? "").replaceAll(" ", "");
    await dialog.getByLabel("Code from the app").fill(codeOf(secret));
    await dialog.getByRole("button", { name: "Confirm" }).click();
    const codesDialog = page.getByRole("dialog", { name: "Save your recovery codes" });
    await codesDialog.waitFor();
    codes = await codesDialog.getByRole("listitem").allTextContents();
    expect(codes).toHaveLength(10);
    expect(await accessibilityProblems(page)).toEqual([]);
    await codesDialog.getByRole("button", { name: "I saved them" }).click();
    await page.getByText("10 left").waitFor();
  });

  it("is required at sign-in, with an error for a wrong code", async () => {
    const { page, leave } = await attemptSignIn();
    await page.getByRole("button", { name: "Back" }).click();
    await expect.poll(() => page.getByLabel("Email").inputValue()).toBe(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.keyboard.press("Enter");
    await page.getByText(`Signing in as ${owner.email}`).waitFor();
    await page.getByLabel("Code").fill("000000");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("The code is incorrect or was already used.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    // Typing replaces the wrong code. Uses the code after the one of the set-up, which can't be used again.
    await page.keyboard.type(codeOf(secret, 1));
    await page.keyboard.press("Enter");
    await isIn(page);
    await leave();
  });

  it("can be a recovery code", async () => {
    const { page, leave } = await attemptSignIn();
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0] ?? "");
    await page.getByRole("button", { name: "Continue" }).click();
    await isIn(page);
    await leave();
  });

  it("shows new recovery codes although the dialog was closed before they came, as the old ones are gone", async () => {
    const { page } = mara;
    const held = Promise.withResolvers<void>();
    await page.route("**/api/v1/me/recovery-codes", async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.getByRole("button", { name: "New codes" }).click();
    const dialog = page.getByRole("dialog", { name: messages.newCodesTitle() });
    await dialog.getByLabel("Your password").fill(owner.password);
    const asked = page.waitForRequest("**/api/v1/me/recovery-codes");
    await page.keyboard.press("Enter");
    await asked;
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    held.resolve();
    const codesDialog = page.getByRole("dialog", { name: "Save your recovery codes" });
    await codesDialog.waitFor();
    codes = await codesDialog.getByRole("listitem").allTextContents();
    await codesDialog.getByRole("button", { name: "I saved them" }).click();
    await codesDialog.waitFor({ state: "detached" });
    await page.unroute("**/api/v1/me/recovery-codes");
  });

  it("can be a passkey, which also signs in without a password", async () => {
    const { page } = mara;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("WebAuthn.enable");
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await openMe(page);
    await page.getByRole("button", { name: "Add", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Add passkey" });
    await dialog.getByLabel("Passkey name").fill("Laptop at work");
    await dialog.getByLabel("Your password").fill(owner.password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Passkey added").waitFor();
    await page.getByRole("button", { name: /account menu of/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await isIn(page);
    await openMe(page);
    await page.getByText(/Passkey added .*, last used now/).waitFor();
  });

  it("lists other sessions and signs an ended one out immediately", async () => {
    const other = await attemptSignIn();
    await other.page.getByRole("button", { name: "Use a recovery code" }).click();
    await other.page.getByLabel("Recovery code").fill(codes[1] ?? "");
    await other.page.getByRole("button", { name: "Continue" }).click();
    await isIn(other.page);
    await openMe(mara.page);
    const list = mara.page.getByRole("list", { name: "Sessions" });
    await list
      .getByRole("button", { name: /Sign out/ })
      .first()
      .click();
    await other.page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    await other.leave();
  });

  it("is recorded in the security events", async () => {
    const { page } = mara;
    await page.getByRole("link", { name: "Security events" }).click();
    const list = page.getByRole("list", { name: "Security events" });
    await list.getByText("mara signed in with a passkey.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.getByLabel("Event", { exact: true }).selectOption("failures");
    await list.getByText("correct password, wrong code").waitFor();
    await list.getByText("signed in with a passkey").waitFor({ state: "detached" });
  });

  it.each([390, 1440])("and security events are shown in any language, at %d px", async (width) => {
    const { page } = mara;
    await page.setViewportSize({ width, height: 900 });
    await usePseudoLanguage(page);
    const agents = [/Chrome on \w+/, /127\.0\.0\.1|::1/];
    const data = [...sharedTexts, ...agents, "mara", "Laptop at work", /\b(Light|Dark|System)\b/];
    const problems = () => languageProblems(page, data, SCREEN);
    await page.goto(`${product.url}/me`);
    const button = (text: string) => page.getByRole("button", { name: pseudoText(text) });
    await button(messages.newCodes()).click();
    await page.getByRole("dialog").waitFor();
    expect(await problems()).toEqual([]);
    await page.getByRole("dialog").locator("input[type=password]").fill(owner.password);
    await button(messages.createCodes()).click();
    await button(messages.codesSaved()).waitFor();
    const codes = [...data, /[a-z0-9]{4,6}(-[a-z0-9]{4,6})+/];
    expect(await languageProblems(page, codes, SCREEN)).toEqual([]);
    await goTo(page, product, "/admin/security");
    await page.getByRole("list", { name: pseudoText(securityMessages.title()) }).waitFor();
    expect(await problems()).toEqual([]);
  });
});

/** The app's code, `steps` periods from now. The server accepts neighbouring codes because clocks differ. */
function codeOf(key: string, steps = 0): string {
  const timestamp = Date.now() + steps * STEP_MS;
  return new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp });
}
