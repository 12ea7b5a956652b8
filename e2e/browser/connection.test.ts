import { describe, expect, it } from "vitest";
import { signIn } from "../harness/test-user.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { visitAs } from "./testing/browser.ts";
import { openProduct, owner } from "./testing/product.ts";

const { browser, product } = await openProduct();

describe("the connection in the shell", () => {
  it("changes from Live to Offline with an explanation, and back to Live without a reload", async () => {
    const { page, leave } = await visitAs(browser, product, owner, { prefetches: true });
    await page.goto(product.url);
    const status = page.getByTestId("connection");
    await status.getByText("Live", { exact: true }).waitFor();
    await page.getByTestId("connection").click();
    await page.getByRole("dialog").getByText("Changes appear as they are made.").waitFor();
    await page.keyboard.press("Escape");
    await page.evaluate(() => Object.assign(globalThis, { stillTheSamePage: true }));
    await page.context().setOffline(true);
    await status.getByText("Offline", { exact: true }).waitFor();
    await page.getByText("You are offline.").waitFor();
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.context().setOffline(false);
    await status.getByText("Live", { exact: true }).waitFor();
    await page.getByText("You are offline.").waitFor({ state: "detached" });
    expect(await page.evaluate("stillTheSamePage")).toBe(true);
    await leave();
  });

  it("shows changes of other users on the dashboard as they are made", async () => {
    const mara = await visitAs(browser, product, owner);
    await mara.page.goto(product.url);
    const groups = (count: number) =>
      mara.page.getByRole("navigation").getByRole("link", { name: new RegExp(`Groups.*${count}`) });
    await groups(4).waitFor();
    await mara.page.getByTestId("connection").getByText("Live", { exact: true }).waitFor();
    const other = await signIn(product.url, owner);
    await other.call("POST", "/tables/groups/records", { values: { name: "Night shift" } });
    await mara.page.getByText(/added the group Night shift/).waitFor();
    await groups(5).waitFor();
    await mara.leave();
  });
});
