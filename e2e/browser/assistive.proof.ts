// Covers: client/src/features/grid client/src/app client/src/features/shell
import type { Locator, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { goTo } from "./testing/go-to.ts";
import { cell, changeRecord, goToTable, makeRecord, waitForText } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { untilIdle } from "./testing/until-idle.ts";

const { product, mara, ana } = await openTwoUsers();
const query = "incidents?q=Assistive&sort=title";

beforeAll(async () => {
  for (const n of [1, 2, 3]) {
    const values = { title: `Assistive ${n}`, state: "New" };
    await makeRecord(mara, product, "incidents", `assistive-${n}`, values);
  }
});

/** What live regions say to screen readers from now on, without what is emptied. */
async function listen(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(globalThis, { said });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const at = target instanceof Element ? target : target.parentElement;
        const text = at?.closest("[aria-live]")?.textContent?.trim();
        if (text && said.at(-1) !== text) said.push(text);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said);
}

describe("a screen reader", () => {
  it("hears once what others changed, by the name of the record, and not how rows are selected", async () => {
    await goToTable(ana, product, query);
    await cell(ana, "assistive-2", "title").click();
    const said = await listen(ana);
    for (const priority of ["1 - Critical", "2 - High", "3 - Moderate"]) {
      await changeRecord(mara, product, "incidents", "assistive-2", { priority });
      await waitForText(cell(ana, "assistive-2", "priority"), priority);
    }
    const changed = /changed Priority on INC\d+\.$/;
    await expect
      .poll(async () => (await said()).filter((text) => changed.test(text)))
      .toHaveLength(1);
    expect((await said()).filter((text) => text.includes("Space"))).toEqual([]);
  });

  it("hears what a record is called once it is opened, and never its id, which the window does not show either", async () => {
    const id = "0b1e-assistive";
    await makeRecord(mara, product, "incidents", id, { title: "Assistive 4", state: "New" });
    await goToTable(ana, product, query);
    const said = await listen(ana);
    await cell(ana, id, "title").click();
    await ana.keyboard.press("Alt+Enter");
    await expect
      .poll(async () => (await said()).filter((text) => /^INC\d+$/.test(text)))
      .toHaveLength(1);
    await ana.waitForFunction(() => /^INC\d+ · Incidents · /.test(document.title));
    expect((await said()).filter((text) => text.includes(id))).toEqual([]);
    await ana.keyboard.press("Escape");
  });

  it("stays in the header whose column it sorts by Enter", async () => {
    await goToTable(ana, product, query);
    await cell(ana, "assistive-2", "title").click();
    const header = ana.getByRole("columnheader", { name: "Title" });
    await header.focus();
    await ana.keyboard.press("Enter");
    await expect.poll(() => header.getAttribute("aria-sort")).toBe("descending");
    await untilIdle(ana);
    const hasFocus = () => header.evaluate((it) => it.contains(document.activeElement));
    await expect.poll(hasFocus).toBe(true);
    await ana.keyboard.press("Enter");
    await expect.poll(() => header.getAttribute("aria-sort")).not.toBe("descending");
    await untilIdle(ana);
    await expect.poll(hasFocus).toBe(true);
    await expect.poll(() => ana.locator(".wf-editor").count()).toBe(0);
  });

  it("hears how many cells are selected, and which", async () => {
    await goToTable(ana, product, query);
    const said = await listen(ana);
    await cell(ana, "assistive-1", "title").click();
    await ana.keyboard.press("Shift+ArrowDown");
    const selected = ana.locator('.ag-cell[aria-selected="true"]');
    await expect.poll(() => selected.count()).toBe(2);
    await expect.poll(said).toContain("2 cells");
    await ana.keyboard.press("Escape");
    await expect.poll(() => selected.count()).toBeLessThan(2);
  });

  it("hears why the text in a link cell names nothing, at Enter and at Tab, and again for the same text", async () => {
    await goToTable(ana, product, query);
    const reason = /^Group was not saved\. .*No such group/;
    const keys = ["Enter", "Tab", "Enter"];
    for (const [at, key] of keys.entries()) {
      const said = await listen(ana);
      await cell(ana, `assistive-${at + 1}`, "group").click();
      await ana.keyboard.type("No such group");
      await ana.keyboard.press(key);
      await expect
        .poll(async () => (await said()).some((text) => reason.test(text)), { message: key })
        .toBe(true);
    }
  });

  it("hears whether the page is live or offline: by the name of the button, also on a phone, and when that changes", async () => {
    await goToTable(ana, product, query);
    const named = (name: string | RegExp) => ana.getByRole("button", { name, exact: true });
    await named("Live").waitFor();
    const said = await listen(ana);
    await ana.context().setOffline(true);
    await named(/^Offline/).waitFor();
    await expect.poll(async () => (await said()).some((text) => /^Offline/.test(text))).toBe(true);
    await ana.context().setOffline(false);
    await named("Live").waitFor();
    await expect.poll(said).toContain("Live");
    await ana.setViewportSize({ width: 390, height: 844 });
    await named("Live").waitFor();
    await ana.setViewportSize({ width: 1440, height: 900 });
  });
});

describe("by keys", () => {
  it("the arrow down leads into the rows of a table that was just opened", async () => {
    await goToTable(ana, product, "people");
    await ana
      .getByRole("navigation")
      .getByRole("link", { name: /^Incidents/ })
      .first()
      .click();
    await ana.locator(".ag-row .wf-cell:not(.wf-loading)").first().waitFor();
    await ana.keyboard.press("ArrowDown");
    const isInRows = () => ana.evaluate(() => document.activeElement?.closest(".ag-row") !== null);
    await expect.poll(isInRows).toBe(true);
  });

  it("F6 leads from one part of the page to the next, also out of the rows and back into them", async () => {
    await goToTable(ana, product, query);
    await cell(ana, "assistive-2", "title").click();
    const part = () =>
      ana.evaluate(() => {
        const at = document.activeElement;
        return at?.closest("footer")
          ? "status"
          : at?.closest(".ag-root-wrapper")
            ? "rows"
            : at?.closest('[role="toolbar"]')
              ? "tools"
              : (at?.closest("nav, header")?.localName ?? at?.localName);
      });
    await expect.poll(part).toBe("rows");
    await ana.keyboard.press("F6");
    await expect.poll(part).toBe("status");
    for (const next of ["nav", "header", "tools", "rows"]) {
      await ana.keyboard.press("F6");
      await expect.poll(part).toBe(next);
    }
    await ana.keyboard.press("Shift+F6");
    await expect.poll(part).toBe("tools");
  });
});

describe("with the colours of the system", () => {
  it("the cell with the focus has a line of its own", async () => {
    await ana.emulateMedia({ forcedColors: "active" });
    await goToTable(ana, product, query);
    const at = cell(ana, "assistive-2", "title");
    const line = () => at.evaluate((it) => getComputedStyle(it).outlineStyle);
    await expect.poll(line).toBe("none");
    await at.click();
    await expect.poll(line).toBe("solid");
    await ana.emulateMedia({ forcedColors: "none" });
  });

  it("the active option of a list and the tab that is shown have a line, unlike the others", async () => {
    const lined = (all: Locator) =>
      all.evaluateAll((found) =>
        found.filter((it) => getComputedStyle(it).outlineStyle === "solid").map(({ id }) => id),
      );
    await ana.emulateMedia({ forcedColors: "active" });
    await goToTable(ana, product, query);
    await cell(ana, "assistive-3", "priority").click();
    await ana.keyboard.press("Enter");
    const input = ana.getByRole("combobox", { name: "Priority" });
    const active = async () => [await input.getAttribute("aria-activedescendant")];
    const options = ana.getByRole("listbox").getByRole("option");
    await options.first().waitFor();
    await ana.keyboard.press("ArrowDown");
    await expect.poll(active).not.toEqual([null]);
    await expect.poll(() => lined(options)).toEqual(await active());
    const before = await active();
    await ana.keyboard.press("ArrowDown");
    await expect.poll(active).not.toEqual(before);
    await expect.poll(() => lined(options)).toEqual(await active());
    await ana.keyboard.press("Escape");
    await ana.emulateMedia({ forcedColors: "none" });
    await mara.emulateMedia({ forcedColors: "active" });
    await goTo(mara, product, "/admin/roles/editor");
    const tabs = mara.getByRole("tab");
    const shown = mara.getByRole("tab", { selected: true });
    await shown.waitFor();
    const id = await shown.getAttribute("id");
    await expect.poll(() => lined(tabs)).toEqual([id]);
    await mara.emulateMedia({ forcedColors: "none" });
  });
});

describe("with text of twice the size", () => {
  it("rows and columns grow along", async () => {
    const sizes = async () => {
      await goToTable(ana, product, query);
      const box = await cell(ana, "assistive-2", "title").boundingBox();
      return { height: box?.height ?? 0, width: box?.width ?? 0 };
    };
    await ana.setViewportSize({ width: 900, height: 900 });
    const usual = await sizes();
    const browser = await ana.context().newCDPSession(ana);
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    await ana.reload();
    const large = await sizes();
    expect(large.height).toBeCloseTo(usual.height * 2, -1);
    expect(large.width).toBeGreaterThan(usual.width * 1.5);
  });
});
