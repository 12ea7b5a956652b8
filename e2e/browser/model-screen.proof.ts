// Covers: client/src/features/model
import type { Page } from "playwright";
import { beforeAll, expect, it } from "vitest";
import { modelMessages as messages } from "../../client/src/messages/en/model.ts";
import { uiMessages } from "../../client/src/messages/en/ui.ts";
import type { Model, Option } from "../../shared/model/model.ts";
import type { Workflow } from "../../shared/model/workflow.ts";
import { addUser, signIn } from "../harness/test-user.ts";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { apiRequest } from "./testing/api-request.ts";
import { boxAtRest } from "./testing/box-at-rest.ts";
import { type Visitor, visitAs } from "./testing/browser.ts";
import { goTo } from "./testing/go-to.ts";
import { openField, openModel, publishModel, review } from "./testing/model-builder.ts";
import { openProduct, owner } from "./testing/product.ts";
import {
  languageProblems,
  modelTexts,
  pseudoText,
  SCREEN,
  sharedTexts,
  usePseudoLanguage,
} from "./testing/pseudo-language.ts";

const { browser, product } = await openProduct();
let visitor: Visitor;
let page: Page;

beforeAll(async () => {
  visitor = await visitAs(browser, product, owner);
  page = visitor.page;
});

const tablesInSidebar = () =>
  page
    .locator('nav[aria-label="Main navigation"] a[href^="/t/"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")?.replace("/t/", "")));

it("publishes another order of the tables, and reports that and nothing else", async () => {
  await openModel(page, product);
  await page.getByRole("button", { name: "Move Incidents down" }).click();
  const dialog = await review(page);
  const steps = dialog.getByRole("list", { name: "Steps" }).getByRole("listitem");
  await expect
    .poll(() => steps.allTextContents())
    .toEqual(["Order the tables: Groups, Incidents, People, Services."]);
  await page.keyboard.press("Escape");
  await publishModel(page);
  await expect.poll(tablesInSidebar).toEqual(["groups", "incidents", "people", "services"]);
  await page.reload();
  await expect.poll(tablesInSidebar).toEqual(["groups", "incidents", "people", "services"]);
});

it("keeps a name that is refused, with its error, until it is corrected or taken back", async () => {
  await openModel(page, product, "/t/incidents");
  await openField(page, "Impact");
  const names = page.getByRole("textbox", { name: messages.option(), exact: true });
  const textOf = (at: number) => names.nth(at).inputValue();
  await names.nth(1).waitFor();
  const [first, second] = [await textOf(0), await textOf(1)];
  await names.nth(0).fill(second);
  await page.keyboard.press("Tab");
  await page.getByText(messages.optionExists({ name: second })).waitFor();
  await expect.poll(() => textOf(0)).toBe(second);
  await names.nth(0).press("Escape");
  await page.getByText(messages.optionExists({ name: second })).waitFor({ state: "detached" });
  await expect.poll(() => textOf(0)).toBe(first);
});

it("lists a version that somebody publishes while there are unpublished changes, and restores the one before", async () => {
  await openModel(page, product, "/t/incidents");
  await page.getByLabel("One record is called").fill("ticket");
  await goTo(page, product, "/admin/model/versions");
  const versions = page.getByRole("list", { name: "Versions" });
  const current = (version: number) =>
    versions.getByRole("listitem").filter({ hasText: `Version ${version}published` });
  const stored = () => apiRequest<Model>(page, product, "GET", "/model");
  const { version, tables } = await stored();
  await current(version).waitFor();
  const relabelled = tables.map((table) => ({ ...table, label: `${table.label}!` }));
  await apiRequest(page, product, "PUT", "/model", { version, tables: relabelled });
  await current(version + 1).waitFor();
  const restore = async () => {
    await versions.getByRole("button", { name: new RegExp(`^Version ${version}\\b`) }).click();
    await page.getByRole("button", { name: `Restore version ${version} to the draft` }).click();
  };
  await restore();
  const notice = page.locator(".mantine-Notification-root").filter({ hasText: "in your draft" });
  await notice.getByRole("button", { name: "Undo" }).click();
  await goTo(page, product, "/admin/model/t/incidents");
  await expect.poll(() => page.getByLabel("One record is called").inputValue()).toBe("ticket");
  await goTo(page, product, "/admin/model/versions");
  await restore();
  await publishModel(page);
  const labels = (of: Model["tables"]) => of.map(({ label }) => label);
  expect(labels((await stored()).tables)).toEqual(labels(tables));
});

it("shows the newer version that somebody published where unpublished changes are discarded", async () => {
  await openModel(page, product, "/t/incidents");
  await page.getByLabel("One record is called").fill("ticket");
  const { version, tables } = await apiRequest<Model>(page, product, "GET", "/model");
  const relabelled = tables.map((table) => ({ ...table, label: `${table.label}!` }));
  await apiRequest(page, product, "PUT", "/model", { version, tables: relabelled });
  const banner = page.getByRole("region", { name: messages.newerLabel() });
  await banner.waitFor();
  await page.getByRole("button", { name: messages.discard(), exact: true }).click();
  await banner.waitFor({ state: "detached" });
  const label = page.getByRole("textbox", { name: "Table", exact: true });
  await expect.poll(() => label.inputValue()).toBe("Incidents!");
  await apiRequest(page, product, "PUT", "/model", { version: version + 1, tables });
  await expect.poll(() => label.inputValue()).toBe("Incidents");
});

it("leaves its dialog open while it publishes, and shows a failure there", async () => {
  await openModel(page, product, "/t/incidents");
  await page.getByRole("button", { name: "Move Incidents down" }).click();
  const dialog = await review(page);
  const answer = Promise.withResolvers<void>();
  await page.route(
    ({ pathname, search }) => pathname === "/api/v1/model" && search === "",
    async (route) => {
      if (route.request().method() !== "PUT") return route.fallback();
      await answer.promise;
      await route.fulfill({ status: 403, json: { code: "forbidden" } });
    },
  );
  await dialog.getByRole("button", { name: "Publish changes" }).click();
  await page.keyboard.press("Escape");
  const goOn = dialog.getByRole("button", { name: "Keep editing" });
  await expect.poll(() => goOn.isDisabled()).toBe(true);
  answer.resolve();
  await dialog.getByRole("alert").waitFor();
  await goOn.click();
  await dialog.waitFor({ state: "detached" });
  await page.unrouteAll();
  await page.getByRole("button", { name: "Move Incidents up" }).click();
  await page.getByRole("region", { name: "Your draft" }).waitFor({ state: "detached" });
});

it("shows the whole workflow at first, and zooms in, out and back", async () => {
  await openModel(page, product, "/t/incidents/workflow");
  await page.getByText("Diagram", { exact: true }).click();
  const diagram = page.getByRole("group", { name: "Workflow diagram of Incidents" });
  await diagram.waitFor();
  const frame = diagram.locator("xpath=..");
  const overflow = () =>
    frame.evaluate((it) => ({
      wide: it.scrollWidth > it.clientWidth + 1,
      high: it.scrollHeight > it.clientHeight + 1,
    }));
  await expect.poll(overflow).toEqual({ wide: false, high: false });
  const width = async () => (await boxAtRest(diagram)).width;
  const fitted = await width();
  for (let step = 0; step < 4; step += 1)
    await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(width).toBeGreaterThan(fitted * 1.5);
  expect((await overflow()).wide).toBe(true);
  await frame.evaluate((it) => it.scrollIntoView({ block: "end" }));
  const box = await boxAtRest(frame);
  // The lower right corner is ground: lanes end at the states that they lead to.
  const ground = { x: box.x + box.width - 24, y: box.y + box.height - 24 };
  await page.mouse.move(ground.x, ground.y);
  await page.mouse.down();
  await page.mouse.move(ground.x - 150, ground.y, { steps: 4 });
  await page.mouse.up();
  await expect.poll(() => frame.evaluate((it) => it.scrollLeft)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Fit", exact: true }).click();
  await expect.poll(width).toBe(fitted);
  await diagram
    .getByRole("button", { name: /Active/ })
    .first()
    .press("+");
  await expect.poll(width).toBeGreaterThan(fitted);
  await page.keyboard.press("0");
  await expect.poll(width).toBe(fitted);
});

it("keeps zoom, place and selection of the workflow while a colleague publishes another one", async () => {
  const colleague = await addUser(product.url, await signIn(product.url, owner), "Ida", "admin");
  const publish = async (change: (workflow: Workflow, states: Option[]) => void) => {
    const model = await colleague.call<Model>("GET", "/model");
    const { fields, workflow } = model.tables.find(({ name }) => name === "incidents") ?? {};
    const options = fields?.find(({ name }) => name === "state")?.options;
    if (!workflow || !options) throw new Error("Incidents have no workflow.");
    change(workflow, options);
    await colleague.call("PUT", "/model?confirm=lossy", model);
  };
  await openModel(page, product, "/t/incidents/workflow");
  await page.getByText("Diagram", { exact: true }).click();
  const diagram = page.getByRole("group", { name: "Workflow diagram of Incidents" });
  const frame = diagram.locator("xpath=..");
  const node = (name: string) => diagram.getByRole("button", { name }).first();
  const inspector = page.getByRole("form", { name: /Start work/ });
  await node("Start work").click();
  await inspector.waitFor();
  const zoomIn = page.getByRole("button", { name: "Zoom in" });
  for (let step = 0; step < 4; step += 1) await zoomIn.click();
  const zoom = page.getByRole("status", { name: "Zoom" });
  const before = await zoom.textContent();
  await frame.evaluate((it) => it.scrollTo(120, 60));
  const place = () => frame.evaluate((it) => [it.scrollLeft, it.scrollTop]);
  await publish((workflow, options) => {
    options.push({ value: "On Hold" });
    workflow.states.push({ value: "On Hold", open: true });
    const hold = { name: "hold", label: "Put on hold", from: ["Active"], to: "On Hold" };
    workflow.transitions.push(hold);
  });
  await node("Put on hold").waitFor();
  expect([await zoom.textContent(), await place()]).toEqual([before, [120, 60]]);
  await inspector.waitFor();
  await page.getByRole("button", { name: "Fit", exact: true }).press("Enter");
  const isWhole = () =>
    frame.evaluate((it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight);
  await expect.poll(isWhole).toBe(true);
  expect(await zoom.textContent()).not.toBe(before);
  await page.keyboard.press("Shift+Tab");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Zoom in");
  await publish((workflow) => {
    workflow.transitions = workflow.transitions.filter(({ label }) => label !== "Start work");
  });
  await inspector.waitFor({ state: "detached" });
  await node("Put on hold").click();
  await page.getByRole("form", { name: /Put on hold/ }).waitFor();
});

it("shows a workflow as states with their transitions, and beside them what is selected, also at the end of the list", async () => {
  await openModel(page, product, "/t/incidents/workflow");
  const states = page.getByRole("list", { name: "States and their transitions" });
  const last = states.getByRole("listitem").filter({ hasText: "Closed" }).last();
  await last.getByRole("button", { name: /^Closed/ }).click();
  const name = page.getByRole("textbox", { name: "State name", exact: true });
  await expect.poll(() => name.inputValue()).toBe("Closed");
  await expect.poll(() => name.evaluate((it) => it.getBoundingClientRect().top)).toBeGreaterThan(0);
  await expect
    .poll(() => name.evaluate((it) => it.getBoundingClientRect().bottom < innerHeight))
    .toBe(true);
  await last.getByRole("button", { name: "Add a transition from Closed" }).click();
  await page.getByRole("menuitem", { name: "New", exact: true }).click();
  await page.getByRole("form", { name: "Transition To New" }).waitFor();
  await last.getByRole("button", { name: "Transition To New: from Closed to New" }).waitFor();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page.getByRole("region", { name: "Your draft" }).waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

it.each([
  [820, 100],
  [1000, 150],
])(
  "has the buttons of the draft in view and clear of the navigation, at %d px with texts of %d %",
  async (width, percent) => {
    await page.setViewportSize({ width, height: 700 });
    await openModel(page, product, "/t/incidents");
    await page.evaluate((size) => {
      document.documentElement.style.fontSize = `${size}%`;
    }, percent);
    const fields = page.getByRole("region", { name: "Fields" });
    await fields.getByRole("button", { name: /^Category / }).click();
    await fields.getByLabel("Label", { exact: true }).fill("");
    const bar = page.getByRole("region", { name: "Your draft" });
    await bar.getByRole("button", { name: /problem/ }).waitFor();
    const edges = () =>
      bar.evaluate((it) => {
        const main = it.closest("main")?.getBoundingClientRect();
        const boxes = [it, ...it.querySelectorAll("button")].map((one) =>
          one.getBoundingClientRect(),
        );
        return boxes.filter((one) => one.left < (main?.left ?? 0) || one.right > innerWidth);
      });
    await expect
      .poll(edges)
      .toEqual([])
      .finally(async () => {
        await page.evaluate(() => document.documentElement.removeAttribute("style"));
        await bar.getByRole("button", { name: "Discard" }).click();
        await bar.waitFor({ state: "detached" });
      });
  },
);

it.each([1280, 390])(
  "shows the edited field clear of the bar of the draft, at %d px",
  async (width) => {
    await page.setViewportSize({ width, height: 620 });
    await openModel(page, product, "/t/incidents");
    const fields = page.getByRole("region", { name: "Fields" });
    const buttons = fields.getByRole("button", { name: /^(Category|Subcategory) / });
    await buttons.first().click();
    const label = fields.getByLabel("Label", { exact: true });
    await label.evaluate((it) => {
      const far = it.getBoundingClientRect().bottom - innerHeight + 40;
      const scroller = (function find(at: Element | null): Element {
        if (!at?.parentElement) return document.scrollingElement ?? document.body;
        return at.scrollHeight > at.clientHeight + 1 &&
          /auto|scroll/.test(getComputedStyle(at).overflowY)
          ? at
          : find(at.parentElement);
      })(it.parentElement);
      scroller.scrollBy(0, far);
    });
    await label.pressSequentially("x");
    const bar = page.getByRole("region", { name: "Your draft" });
    await bar.waitFor();
    await expect
      .poll(async () => {
        const [input, over] = await Promise.all([label.boundingBox(), bar.boundingBox()]);
        if (!input || !over) return false;
        return input.y >= over.y + over.height || input.y + input.height <= over.y;
      })
      .toBe(true);
    // Wide, it is in the head of the page.
    const [heading, place] = await Promise.all([
      page.locator("main header").boundingBox(),
      bar.boundingBox(),
    ]);
    expect((place?.y ?? 0) < (heading?.y ?? 0) + (heading?.height ?? 0)).toBe(width > 900);
    await bar.getByRole("button", { name: "Discard" }).click();
    await bar.waitFor({ state: "detached" });
  },
);

it.each([390, 1440])("is shown in any language, at %d px", async (width) => {
  const other = await visitAs(browser, product, owner);
  const shown = other.page;
  await shown.setViewportSize({ width, height: 900 });
  await usePseudoLanguage(shown);
  const names = ["mara", "Ida", "Set-up", /\b(Owner|Admin|Editor|Viewer)\b/, /[A-Z]{3}-?\d*/];
  const data = [...(await modelTexts(shown, product.url)), ...sharedTexts, ...names];
  const problems = () => languageProblems(shown, data, SCREEN);
  await shown.goto(`${product.url}/admin/model/t/incidents/fields`);
  const grips = shown.getByTitle(pseudoText(uiMessages.dragToReorder()));
  await grips.first().waitFor();
  await shown.locator("main ol button[aria-expanded]:not([aria-haspopup])").nth(1).click();
  await shown.locator("main textarea").first().waitFor();
  expect(await problems()).toEqual([]);
  for (const tab of [messages.rules(), messages.settings()]) {
    await shown.getByRole("tab", { name: pseudoText(tab) }).click();
    await shown.getByRole("tabpanel").locator("button").first().waitFor();
    expect(await problems()).toEqual([]);
  }
  await shown.getByRole("tab", { name: pseudoText(messages.workflow()) }).click();
  // The diagram truncates and scrolls; the list below it is complete.
  const plainTexts = async () => (await problems()).filter((one) => !one.startsWith("cut: "));
  for (const stateOrTransition of [0, 1]) {
    await shown.locator("main li button[aria-pressed]").nth(stateOrTransition).click();
    await shown.locator("main form").waitFor();
    expect(await plainTexts()).toEqual([]);
  }
  await shown.goto(`${product.url}/admin/model/versions`);
  await shown.locator("details").first().waitFor();
  expect(await problems()).toEqual([]);
  await other.leave();
});
