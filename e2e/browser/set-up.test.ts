import { describe, expect, it } from "vitest";
import { visit } from "./testing/browser.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct({ withOwner: false });

/** The printed link, on the address under which the browser reaches the product. */
function printedLink(): string {
  if (!product.setupLink) throw new Error("The product has an owner already.");
  return product.setupLink;
}

describe("set-up in the browser", () => {
  it("shows a visitor without the link where to find it", async () => {
    const { page, leave } = await visit(browser);
    await page.goto(new URL(printedLink()).origin);
    await page.getByRole("heading", { name: "Set up Watchfloor" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/setup");
    await page.getByText("printed a set-up link").waitFor();
    expect(await page.getByRole("button", { name: "Create workspace" }).count()).toBe(0);
    await leave();
  });

  it("shows the form once the link is pasted into the same tab", async () => {
    const { page, leave } = await visit(browser);
    await page.goto(new URL("/setup", printedLink()).href);
    await page.getByText("printed a set-up link").waitFor();
    await page.evaluate((hash) => location.assign(hash), new URL(printedLink()).hash);
    await page.getByRole("button", { name: "Create workspace" }).waitFor();
    await leave();
  });

  it("refuses an invented token with an explanation and preserves the typed text", async () => {
    const { page, leave } = await visit(browser);
    await page.goto(`${new URL(printedLink()).origin}/setup#made-up`);
    await page.getByLabel("Your name").fill("Mara Lindqvist");
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.getByRole("alert").getByText("not valid any more").waitFor();
    await expect.poll(() => page.getByLabel("Your name").inputValue()).toBe("Mara Lindqvist");
    await leave();
  });

  it("creates the owner and the service desk, and opens the first screen", async () => {
    const timezoneId = "Europe/Lisbon";
    const { page, leave } = await visit(browser, { timezoneId });
    await page.goto(printedLink());
    await page.getByLabel("Your name").fill("Mara Lindqvist");
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill(owner.password);
    await page.getByRole("radio", { name: "Service desk" }).click();
    await page.getByRole("button", { name: "Create workspace" }).click();
    await page.getByRole("heading", { name: /, Mara$/ }).waitFor();
    await page.getByRole("link", { name: /^Open incidents: 1\d\d\./ }).waitFor();
    // The wallboards have no zone of their own: their days are those of the installation.
    const zones = await page.evaluate(async () => {
      const zoneOf = async (path: string) => (await (await fetch(`/api/v1/${path}`)).json()).zone;
      return [await zoneOf("model"), await zoneOf("wallboards/service-desk")];
    });
    expect(zones).toEqual([timezoneId, null]);
    await leave();
  });

  it("offers set-up to nobody afterwards", async () => {
    const { page, leave } = await visit(browser);
    await page.goto(printedLink());
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(new URL(page.url()).pathname).toBe("/login");
    await leave();
  });
});
