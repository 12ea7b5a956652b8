// Covers: client/src/features/record
import type { Page } from "playwright";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { apiRequest } from "./testing/api-request.ts";
import { visitAs } from "./testing/browser.ts";
import { openProduct, owner } from "./testing/product.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const { browser, product } = await openProduct();
let page: Page;

beforeAll(async () => {
  ({ page } = await visitAs(browser, product, owner, phone));
});

const panel = () => page.getByRole("complementary");
const input = (name: string) => panel().getByRole("textbox", { name });
const banner = () => panel().getByText("Draft: only you can see it.");

beforeEach(async () => {
  await page.goto(`${product.url}/t/groups`);
  await page.getByRole("button", { name: "New group", exact: true }).tap();
  await banner().waitFor();
});

it("follows a new record to the id that it takes from a field, with what is being typed", async () => {
  await page.context().setOffline(true);
  await input("Name").fill("Late shift");
  await input("Name").press("Enter");
  await input("Email").tap();
  await page.keyboard.type("late@ex");
  await page.context().setOffline(false);
  await page.waitForURL("**/t/groups/Late%20shift");
  await panel().getByRole("tab", { name: "Activity" }).waitFor();
  await page.keyboard.type("ample.com");
  await page.keyboard.press("Enter");
  const at = "/tables/groups/records/Late%20shift";
  const email = async () =>
    (await apiRequest<{ values: { email: string } }>(page, product, "GET", at)).values.email;
  await expect.poll(email).toBe("late@example.com");
  expect(await banner().count()).toBe(0);
  await page.reload();
  await expect.poll(() => input("Name").inputValue()).toBe("Late shift");
  await expect.poll(() => input("Email").inputValue()).toBe("late@example.com");
  expect(await page.getByText("late@ex", { exact: true }).count()).toBe(0);
});

it("closes when its draft is discarded, and shows the draft again once that is undone", async () => {
  const address = page.url();
  await input("Description").fill("Not needed");
  await input("Description").blur();
  await panel().getByRole("button", { name: "Discard draft" }).tap();
  await panel().waitFor({ state: "detached" });
  await page.getByText("Undo", { exact: true }).tap();
  await page.goto(address);
  await banner().waitFor();
  await expect.poll(() => input("Description").inputValue()).toBe("Not needed");
});
