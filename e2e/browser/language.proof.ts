// Covers: client/src/messages
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { encodings } from "../../client/src/records/file-import/file-sample.ts";
import { dateFormats } from "../../shared/import/detect-format.ts";
import { apiRequest } from "./testing/api-request.ts";
import { leaveBrowser, openBrowser, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { owner, type Product, startProduct } from "./testing/product.ts";
import {
  dataTexts,
  usePseudoLanguage as enablePseudoLanguage,
  formattedTexts,
  languageProblems,
} from "./testing/pseudo-language.ts";

let browser: Browser;
let product: Product;

beforeAll(async () => {
  [browser, product] = await Promise.all([openBrowser(), startProduct()]);
});

afterAll(async () => {
  await leaveBrowser(browser);
  await product.close();
});

/** The keys that shortcuts show, as printed on keyboards, and initials. */
const keys = [
  "Ctrl",
  "Shift",
  "Alt",
  "Enter",
  "Tab",
  "Esc",
  "Space",
  "Delete",
  "Backspace",
  "Home",
  "End",
  "PageUp",
  "PageDown",
  "MV",
];

/** The trend of a tile, which is shortened where the card is narrow. */
const isTrend = (problem: string) => /^cut: [▲▼±=]/.test(problem);

/** The name of the view, which gives way in the toolbar of a phone; its menu has it whole. */
const isViewName = (problem: string) =>
  problem.normalize("NFD").replaceAll(/\p{M}/gu, "") === "cut: ⟦All incidents⟧";

/** Opens a page in the pseudo-language. `check` fails for plain or cut texts. */
async function openPage(width: number, path: string) {
  const { page, leave } = await visitAs(browser, product, owner);
  await page.setViewportSize({ width, height: 900 });
  await enablePseudoLanguage(page);
  const data = [...(await dataTexts(page, product)), ...keys];
  await page.goto(product.url + path);
  await page.locator("[data-testid=connection][data-tone=good]").waitFor();
  const check = async (state: string, more: readonly string[] = []) => {
    const problems = await languageProblems(page, [...data, ...more, ...formattedTexts]);
    expect(
      problems.filter((one) => !isTrend(one) && !(width < 600 && isViewName(one))),
      state,
    ).toEqual([]);
  };
  return { page, leave, check };
}

const dialog = (page: Page) => page.getByRole("dialog");

describe.each([1440, 390])(
  "in the pseudo-language, every text is translated and fits %d px",
  (width) => {
    it("on the dashboard", async () => {
      const { page, leave, check } = await openPage(width, "/");
      await page.getByText("INC01").first().waitFor();
      await page.locator("[data-card]").first().waitFor();
      await check("dashboard");
      await leave();
    });

    it("in the grid, its menus and the panel of a record", async () => {
      const { page, leave, check } = await openPage(width, "/t/incidents");
      // On the narrow screen a row is a card.
      const row = page.locator('.ag-row[row-index="0"]');
      const first = row.locator(":is(.wf-cell, .wf-card):not(.wf-loading)").first();
      await first.waitFor();
      await check("grid");
      const toolbar = page.getByRole("toolbar");
      await toolbar.getByRole("button").first().click();
      await page.getByRole("menu").waitFor();
      await check("views");
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await toolbar.locator("button:has(.tabler-icon-filter)").click();
      await dialog(page).getByRole("option").nth(1).click();
      await dialog(page).getByRole("combobox").first().waitFor();
      await check("filter");
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      await toolbar.locator("button:has(.tabler-icon-dots)").click();
      await page.locator("[role=menuitem]:has(.tabler-icon-pencil)").click();
      await dialog(page).locator("select").waitFor();
      await check("bulk edit");
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      await first.click();
      if (width > 600) await page.keyboard.press("Alt+Enter");
      const panel = page.getByRole("complementary");
      await panel.getByRole("tab").last().waitFor();
      await check("record");
      await panel.getByRole("tab").last().click();
      await panel.getByRole("listitem").first().waitFor();
      await check("history");
      await leave();
    });

    it("on the board and in the menu of a card", async () => {
      const { page, leave, check } = await openPage(width, "/t/incidents/board");
      await page.locator("[data-card]").first().waitFor();
      await check("board");
      await page.locator("[data-card] a").first().focus();
      await page.keyboard.press("m");
      await dialog(page).waitFor();
      await check("card menu");
      await leave();
    });

    it("in the activity, the list of change sets, and a set with conflicts", async () => {
      const { page, leave, check } = await openPage(width, "/activity");
      const list = page.locator("main section ol").first();
      await list.waitFor();
      await check("activity");
      await list.locator("[aria-haspopup=menu]").first().click();
      await page.getByRole("menu").waitFor();
      await check("menu of a change");
      const title = "Some changes";
      const op = (record: string, base: string) => {
        return {
          op: "update",
          table: "services",
          record,
          set: { name: "Mine" },
          base: { name: base },
        };
      };
      const services = `/tables/services/records?limit=1`;
      const { records } = await apiRequest<{ records: { id: string }[] }>(
        page,
        product,
        "GET",
        services,
      );
      const ops = [op(records[0]?.id ?? "", "Something else"), op("nowhere", "x")];
      const body = { title, ops };
      const set = await apiRequest<{ id: string }>(page, product, "POST", "/change-sets", body);
      await goTo(page, product, "/changes");
      await page.getByRole("link", { name: title }).first().waitFor();
      await check("change sets", [title]);
      await goTo(page, product, `/changes/${set.id}`);
      await page.locator("main section tbody").first().waitFor();
      await check("change set", [title, "Mine", "Something else", "nowhere", "template"]);
      await leave();
    });

    it("where a file is imported", async () => {
      const { page, leave, check } = await openPage(width, "/import/incidents");
      await page.locator("section button").last().click();
      await page.locator("textarea").waitFor();
      await check("file");
      const file = { name: "rows.csv", mimeType: "text/csv" };
      const buffer = Buffer.from("opened_at,reassignments\n03/04/2026,?\n");
      await page.locator("input[type=file]").setInputFiles({ ...file, buffer });
      await page.locator("table").waitFor();
      const written = ["rows.csv", "opened_at", "reassignments", "03/04/2026", "?", "UTC"];
      await check("format and columns", [...written, ...encodings, ...dateFormats]);
      await goTo(page, product, "/admin/model");
      await page.locator("main button:has(.tabler-icon-file-import)").click();
      await dialog(page)
        .locator("input[type=file]")
        .setInputFiles({ ...file, buffer });
      await dialog(page).locator("table").waitFor();
      await check("table from a file", [...written, ...encodings]);
      await leave();
    });

    it("in the shell", async () => {
      const { page, leave, check } = await openPage(width, "/nowhere");
      await check("shell");
      await page.locator('button[aria-haspopup="menu"]').last().click();
      await page.getByRole("menu").waitFor();
      await check("user menu");
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await dialog(page).waitFor();
      await check("shortcuts");
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      await page.keyboard.press("Control+k");
      await dialog(page).waitFor();
      await check("command palette");
      await page.keyboard.press("Escape");
      await dialog(page).waitFor({ state: "detached" });
      await page.context().setOffline(true);
      await page.getByTestId("offline-bar").waitFor();
      await check("offline");
      await leave();
    });
  },
);
