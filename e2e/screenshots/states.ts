import type { Page } from "playwright";
import { show, waitUntilComplete } from "./take.ts";

const RECORD = "/t/incidents/seed-2";

/** A file of which one row can be added, and two need attention. */
const FILE = `Title,Priority,Assignee,Opened
Coffee machine leaks,3 - Moderate,Sam Rivera,2026-11-27T09:00
Badge reader blinks red,2 - High,Nobody Known,2026-11-27T10:30
Scanner beeps,Very high,Mira Olsen,2026-11-27T11:00
`;

/** What a screen looks like only after something was done on it: brings the page there, saves the picture, and takes back what others would show. */
type State = (page: Page, url: string, save: (of: Page) => Promise<unknown>) => Promise<void>;

/** By the name of their pictures. */
export const states: Readonly<Record<string, State>> = {
  async "import-preview"(page, url, save) {
    await show(page, `${url}/import/incidents`);
    const buffer = Buffer.from(FILE);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "Incidents.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Preview changes" }).click();
    await page.getByRole("region", { name: "Changes" }).getByText("Scanner beeps").waitFor();
    await waitUntilComplete(page);
    await save(page);
  },
  async "field-history"(page, url, save) {
    await show(page, url + RECORD);
    await page.getByRole("complementary").getByRole("combobox", { name: "Priority" }).focus();
    await page.keyboard.press("Alt+h");
    await page.getByRole("dialog").getByRole("listitem").first().waitFor();
    await save(page);
  },
  async mention(page, url, save) {
    await show(page, `${url}${RECORD}#comments`);
    const comment = page
      .getByRole("complementary")
      .getByRole("textbox", { name: "Write a comment" });
    await comment.focus();
    await comment.pressSequentially("@Sa");
    await page.getByRole("listbox").getByRole("option").first().waitFor();
    await save(page);
    await page.keyboard.press("Escape");
    await comment.fill("");
    // A page that is left in the middle of a text keeps it.
    await page.getByRole("button", { name: "Close panel" }).click();
    await comment.waitFor({ state: "detached" });
    await waitUntilComplete(page);
  },
  async "record-deleted"(page, url, save) {
    await show(page, `${url}${RECORD}?sort=number`);
    await page.getByRole("button", { name: "Actions for this incident" }).click();
    await page.getByRole("menuitem", { name: "Delete incident" }).click();
    const undo = page.getByRole("button", { name: "Undo", exact: true }).last();
    await undo.waitFor();
    await save(page);
    await undo.click();
  },
  /** Before anything is known of its values, which come by the socket. */
  async "dashboard-loading"(page, url, save) {
    const waiting = await page.context().newPage();
    await waiting.routeWebSocket(/./, () => {});
    await waiting.goto(url, { waitUntil: "commit" });
    await waiting.locator(".wf-tiles").waitFor();
    await save(waiting);
    await waiting.close();
  },
};
