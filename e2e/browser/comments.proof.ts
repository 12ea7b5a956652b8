// Covers: client/src/records client/src/features/record
import type { Page } from "playwright";
import { beforeEach, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { goTo } from "./testing/go-to.ts";
import { goToTable, makeRecord } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, users, mara, ana } = await openTwoUsers();
let count = 0;
let record = "";

const panel = (page: Page) => page.getByRole("complementary", { name: `incident ${record}` });
const tab = (page: Page) => panel(page).getByRole("tab", { name: /^Activity/ });
const items = (page: Page) => panel(page).getByRole("log").getByRole("listitem");
const input = (page: Page) => panel(page).getByRole("textbox", { name: "Write a comment" });
const openComments = async (page: Page) => {
  await goToTable(page, product, `incidents/${record}?q=Comment ${count}#comments`);
  await input(page).waitFor();
};
const write = async (page: Page, text: string) => {
  await input(page).fill(text);
  await input(page).press("ControlOrMeta+Enter");
  await items(page).filter({ hasText: text }).last().waitFor();
  // The new comment may arrive before the call that sent it is answered.
  await expect.poll(() => input(page).inputValue()).toBe("");
};

describe("comments in the record panel", () => {
  beforeEach(async () => {
    count += 1;
    record = `comment-${count}`;
    await makeRecord(mara, product, "incidents", record, { title: `Comment ${count}` });
  });

  it("appear for the other user, marked as unread until they are read", async () => {
    await goToTable(ana, product, `incidents/${record}?q=Comment ${count}`);
    await tab(ana).waitFor();
    await openComments(mara);
    await panel(mara).getByText("No comments yet.").waitFor();
    await write(mara, "Is <b>anybody</b> on it? See https://example.com/a?b=1.");
    const mark = ana.getByRole("img", { name: "1 unread comment" });
    await mark.waitFor();
    await panel(ana)
      .getByRole("tab", { name: /1 unread/ })
      .click();
    await items(ana).getByText("New", { exact: true }).waitFor();
    const link = items(ana).getByRole("link", { name: "https://example.com/a?b=1" });
    await expect.poll(() => link.getAttribute("rel")).toBe("noopener noreferrer");
    expect(await items(ana).locator("b").count()).toBe(0);
    await write(ana, "I am");
    await items(mara).filter({ hasText: "I am" }).getByText("New").waitFor();
    await panel(ana).getByRole("button", { name: "Close panel" }).click();
    await mark.waitFor({ state: "hidden" });
  });

  it("stay unread while the page is in the background, and are read once it is looked at", async () => {
    await Promise.all([openComments(mara), openComments(ana)]);
    const isRead = (request: { url(): string }) => request.url().endsWith("/comments/read");
    const reads: string[] = [];
    ana.on("request", (request) => isRead(request) && reads.push(request.url()));
    await setHidden(ana, true);
    await write(mara, "Does anybody look?");
    await items(ana).filter({ hasText: "Does anybody look?" }).getByText("New").waitFor();
    await ana.evaluate(() => fetch("/api/v1/session").then((answer) => answer.text()));
    expect(reads).toEqual([]);
    const read = ana.waitForRequest(isRead);
    await setHidden(ana, false);
    await read;
  });

  it("are edited, resolved, reopened, deleted and brought back, live on both screens", async () => {
    await Promise.all([openComments(mara), openComments(ana)]);
    await write(mara, "Frist");
    const seen = items(ana).filter({ hasText: "mara" });
    const menu = panel(mara).getByRole("button", { name: "More actions for the comment by mara" });
    await menu.click();
    await mara.getByRole("menuitem", { name: "Edit" }).click();
    const editor = panel(mara).getByRole("textbox", { name: "Edit comment" });
    await editor.fill("First");
    await editor.press("ControlOrMeta+Enter");
    await seen.getByText("First", { exact: true }).waitFor();
    await seen.getByText("edited").waitFor();
    await seen.getByRole("button", { name: "Resolve" }).click();
    await items(mara).getByText("Resolved by Ana Lopes").waitFor();
    await items(mara).getByRole("button", { name: "Reopen" }).click();
    await seen.getByRole("button", { name: "Resolve" }).waitFor();
    expect(
      await panel(ana)
        .getByRole("button", { name: /^More actions/ })
        .count(),
    ).toBe(0);
    await menu.click();
    await mara.getByRole("menuitem", { name: "Delete" }).click();
    const undo = mara.locator(".mantine-Notification-root").getByRole("button", { name: "Undo" });
    // A toast under the pointer stays.
    await undo.hover();
    await seen.waitFor({ state: "detached" });
    await undo.click();
    await seen.waitFor();
  });

  it("mention users by keyboard; the mentioned one is notified anywhere, and led to the comment", async () => {
    await goTo(ana, product, "/me");
    await openComments(mara);
    await input(mara).pressSequentially("Please ask @an");
    await mara.getByRole("option", { name: "Ana Lopes" }).waitFor();
    await mara.keyboard.press("Enter");
    await mara.keyboard.type("today");
    await expect.poll(() => input(mara).inputValue()).toBe("Please ask @Ana Lopes today");
    await mara.keyboard.press("ControlOrMeta+Enter");
    await items(mara).getByText("@Ana Lopes", { exact: true }).waitFor();
    await ana
      .getByText(/^mara mentioned you on/)
      .first()
      .waitFor();
    await ana.getByRole("link", { name: "Inbox: 1 unread" }).click();
    await ana.getByRole("list", { name: "Inbox" }).getByRole("link").click();
    await items(ana).getByText("@Ana Lopes", { exact: true }).waitFor();
    await ana.getByRole("link", { name: "Inbox", exact: true }).waitFor();
  });

  it("are not lost while they are typed: Esc closes the list first, then the panel and the text stays", async () => {
    await openComments(mara);
    await input(mara).pressSequentially("Half a thought for @ana");
    await mara.getByRole("option", { name: "Ana Lopes" }).waitFor();
    await mara.keyboard.press("Escape");
    await mara.getByRole("option").waitFor({ state: "detached" });
    await mara.keyboard.press("Escape");
    await panel(mara).waitFor({ state: "detached" });
    await openComments(mara);
    await expect.poll(() => input(mara).inputValue()).toBe("Half a thought for @ana");
    await input(mara).fill("A whole thought for @Ana Lopes");
    // Sent before the page knows the users again: the name is a mention all the same.
    const users = Promise.withResolvers<void>();
    await mara.route("**/api/v1/users", (route) => users.promise.then(() => route.continue()));
    await mara.reload();
    await expect.poll(() => input(mara).inputValue()).toBe("A whole thought for @Ana Lopes");
    await input(mara).press("ControlOrMeta+Enter");
    users.resolve();
    await items(mara).getByText("@Ana Lopes", { exact: true }).waitFor();
    await expect.poll(() => input(mara).inputValue()).toBe("");
    await mara.unroute("**/api/v1/users");
    await mara.getByRole("button", { name: /to review/ }).waitFor({ state: "detached" });
  });

  it("keep what is typed while one is sent, and send it next if that is asked for", async () => {
    await openComments(mara);
    const first = Promise.withResolvers<void>();
    await mara.route("**/api/v1/comments", async (route) => {
      if (route.request().method() === "POST") await first.promise;
      await route.continue();
    });
    await input(mara).fill("One.");
    await input(mara).press("ControlOrMeta+Enter");
    await mara.keyboard.type(" Two.");
    await input(mara).press("ControlOrMeta+Enter");
    await mara.keyboard.type(" Half of three");
    first.resolve();
    await expect.poll(() => input(mara).inputValue()).toBe("Half of three");
    const texts = () => items(mara).locator("p[dir=auto]").allInnerTexts();
    await expect.poll(texts).toEqual(["One.", "Two."]);
    await mara.unroute("**/api/v1/comments");
    await input(mara).fill("");
  });

  it("are stored once if they are sent again because the answer was lost, also after a reload", async () => {
    await openComments(mara);
    const lost = "**/api/v1/comments";
    await mara.route(lost, async (route) => {
      if (route.request().method() === "POST") await route.fetch();
      await route.abort();
    });
    await input(mara).fill("Once");
    await input(mara).press("ControlOrMeta+Enter");
    await panel(mara).getByRole("alert").waitFor();
    await mara.unroute(lost);
    await mara.reload();
    await expect.poll(() => input(mara).inputValue()).toBe("Once");
    await items(mara).filter({ hasText: "Once" }).waitFor();
    await input(mara).press("ControlOrMeta+Enter");
    await expect.poll(() => input(mara).inputValue()).toBe("");
    await write(mara, "Twice");
    await write(mara, "Twice");
    await expect.poll(() => items(mara).filter({ hasText: "Twice" }).count()).toBe(2);
    await expect.poll(() => items(mara).filter({ hasText: "Once" }).count()).toBe(1);
    // The browser writes each lost answer to the console.
    expect(users.mara.consoleErrors.splice(0).length).toBeGreaterThan(0);
  });

  it("that are being written outlive an edit of another one", async () => {
    await openComments(mara);
    await write(mara, "To be corrected");
    await input(mara).fill("A new one");
    await panel(mara)
      .getByRole("button", { name: /^More actions/ })
      .click();
    await mara.getByRole("menuitem", { name: "Edit" }).click();
    const edit = panel(mara).getByRole("textbox", { name: "Edit comment" });
    await edit.fill("Corrected");
    await edit.press("ControlOrMeta+Enter");
    // Its text is unsent, and is listed for review after a reload, until the answer is there.
    await edit.waitFor({ state: "detached" });
    await items(mara).getByText("Corrected", { exact: true }).waitFor();
    await mara.reload();
    await expect.poll(() => input(mara).inputValue()).toBe("A new one");
    await input(mara).fill("");
  });

  it("that are sent while the panel is closed are no longer unsent", async () => {
    await openComments(mara);
    const arrived = Promise.withResolvers<void>();
    await mara.route("**/api/v1/comments", async (route) => {
      if (route.request().method() === "POST") await arrived.promise;
      await route.continue();
    });
    await input(mara).fill("Sent.");
    await input(mara).press("ControlOrMeta+Enter");
    await mara.keyboard.type(" Not sent");
    await panel(mara).getByRole("button", { name: "Close panel" }).click();
    await mara.getByRole("button", { name: /to review/ }).waitFor();
    // Opened again meanwhile, the text is shown as on its way, and can't be sent a second time.
    await openComments(mara);
    await expect.poll(() => input(mara).inputValue()).toBe("Sent. Not sent");
    await expect
      .poll(() => panel(mara).getByRole("button", { name: "Comment" }).last().isDisabled())
      .toBe(true);
    await panel(mara).getByRole("button", { name: "Close panel" }).click();
    const answered = mara.waitForResponse((response) => response.request().method() === "POST");
    arrived.resolve();
    await (await answered).finished();
    await mara.unroute("**/api/v1/comments");
    await openComments(mara);
    await expect.poll(() => items(mara).count()).toBe(1);
    await expect.poll(() => input(mara).inputValue()).toBe("Not sent");
    await write(mara, "Both");
    await mara.getByRole("button", { name: /to review/ }).waitFor({ state: "detached" });
  });

  it("are listed in the activity, which leads to them", async () => {
    await openComments(mara);
    await write(mara, "Listed in the activity");
    await goTo(ana, product, "/activity");
    await ana.getByRole("combobox", { name: "Show" }).selectOption("Comments");
    const row = ana.getByRole("listitem").filter({ hasText: "Listed in the activity" });
    await row.getByText("mara commented on").waitFor();
    expect(await accessibilityProblems(ana)).toEqual([]);
    await row.getByRole("link").click();
    await items(ana).getByText("Listed in the activity").waitFor();
  });

  it("have no accessibility problems, wide and narrow", async () => {
    await openComments(mara);
    await write(mara, "Looks fine");
    await input(mara).pressSequentially("@a");
    await mara.getByRole("option", { name: "Ana Lopes" }).waitFor();
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.setViewportSize({ width: 390, height: 800 });
    expect(await accessibilityProblems(mara)).toEqual([]);
    await mara.setViewportSize({ width: 1440, height: 900 });
    await input(mara).fill("");
  });
});

/** Whether the page is in the background, as when another tab is shown. */
function setHidden(page: Page, hidden: boolean): Promise<void> {
  return page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { value, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, hidden);
}
