// Covers: client/src/features/inbox client/src/features/me client/src/features/shell client/src/records
import { describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { goTo } from "./testing/go-to.ts";
import { goToTable, makeRecord } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";

const { product, mara, ana } = await openTwoUsers();
/** Promised, from the edit to the other window. */
const LIVE_MS = 1_000;
const me = (await apiRequest<{ user: { id: string } }>(ana, product, "GET", "/session")).user.id;
const readAll = () => apiRequest(ana, product, "POST", "/inbox/read", { all: true });
const bell = (name: string) => ana.getByRole("link", { name, exact: true });
const list = () => ana.getByRole("list", { name: "Inbox" });

describe("the inbox", () => {
  it("counts at the bell of a second window within a second, and is read by opening the record", async () => {
    await makeRecord(mara, product, "incidents", "assigned", { title: "Assigned", state: "New" });
    await goTo(ana, product, "/me");
    await readAll();
    await bell("Inbox").waitFor();
    const shown = bell("Inbox: 1 unread").waitFor();
    await apiRequest(mara, product, "PATCH", "/tables/incidents/records/assigned?overwrite=true", {
      set: { assignee: me },
    });
    const since = Date.now();
    await shown;
    expect(Date.now() - since).toBeLessThan(LIVE_MS);
    await bell("Inbox: 1 unread").click();
    const entry = list().getByRole("link", { name: /Assigned to you/ });
    await entry.waitFor();
    expect(await accessibilityProblems(ana)).toEqual([]);
    await entry.click();
    await ana.getByRole("complementary").getByRole("heading", { level: 2 }).waitFor();
    await bell("Inbox").waitFor();
  });

  it("shows changes of a record that is watched by its menu, until that is ended", async () => {
    await makeRecord(mara, product, "incidents", "watched", { title: "Watched", state: "New" });
    await goToTable(ana, product, "incidents/watched?q=Watched");
    const watch = ana.getByRole("menuitemcheckbox", { name: "Watch this record" });
    const openMenu = () => ana.getByRole("button", { name: "Actions for this incident" }).click();
    const isWatched = () => watch.getAttribute("aria-checked");
    await openMenu();
    await watch.click();
    await openMenu();
    await expect.poll(isWatched).toBe("true");
    await goTo(ana, product, "/inbox");
    await apiRequest(mara, product, "PATCH", "/tables/incidents/records/watched?overwrite=true", {
      set: { urgency: "1 - High" },
    });
    await list()
      .getByRole("link", { name: /Watched: .*Urgency/ })
      .waitFor();
    await ana.getByRole("button", { name: "Mark all as read" }).click();
    await bell("Inbox").waitFor();
    await ana.getByText("Unread", { exact: true }).click();
    await ana.getByRole("heading", { name: "Nothing new" }).waitFor();
    await goToTable(ana, product, "incidents/watched?q=Watched");
    await openMenu();
    await expect.poll(isWatched).toBe("true");
    await watch.click();
    await openMenu();
    await expect.poll(isWatched).toBe("false");
  });

  it("leaves out what its preferences switch off", async () => {
    await goTo(ana, product, "/me");
    const cause = "A record is assigned to you";
    const inInbox = ana.getByRole("switch", { name: `In the inbox: ${cause}` });
    await ana.getByText("This installation sends no mail.").waitFor();
    await inInbox.click({ force: true });
    const settings = () =>
      apiRequest<{ assignment: { inbox: boolean } }>(ana, product, "GET", "/me/notifications");
    await expect.poll(async () => (await settings()).assignment.inbox).toBe(false);
    expect(await accessibilityProblems(ana)).toEqual([]);
    const { items } = await apiRequest<{ items: { cause: string }[] }>(
      ana,
      product,
      "GET",
      "/inbox",
    );
    expect(items.map(({ cause }) => cause)).not.toContain("assignment");
  });
});
