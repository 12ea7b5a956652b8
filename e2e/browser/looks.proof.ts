// Covers: client/src/features/grid client/src/features/record client/src/records client/src/ui
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { accessibilityProblems } from "./testing/accessibility.ts";
import { goToTable, makeRecord, openTable } from "./testing/grid.ts";
import { openTwoUsers } from "./testing/two-users.ts";
import { untilIdle } from "./testing/until-idle.ts";

const { product, mara } = await openTwoUsers();
const SHIFT_MAX = 0.02;
const panel = (page: Page) => page.getByRole("complementary", { name: /^incident / });

/** The records of the observer of layout shifts in the page. */
interface Shifts {
  shifts: { value: number; of: string[] }[];
}

/** Begins to count every layout shift, also those just after an input, which the usual sum leaves out. */
function countShifts(): void {
  const counted = Object.assign(window, { shifts: [] as Shifts["shifts"] });
  const nameOf = (node: Node | null) =>
    node instanceof Element
      ? `${node.localName}.${node.className} ${node.textContent?.slice(0, 30)}`
      : "";
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources = [] } = entry as PerformanceEntry & {
        value: number;
        sources?: { node: Node | null }[];
      };
      counted.shifts.push({ value, of: sources.map(({ node }) => nameOf(node)) });
    }
  }).observe({ type: "layout-shift", buffered: true });
}

/** What has moved since the last call. */
async function takeShifts(page: Page) {
  await untilIdle(page);
  const taken = await page.evaluate(() => (window as unknown as Shifts).shifts.splice(0));
  const sum = taken.reduce((all, { value }) => all + value, 0);
  return sum <= SHIFT_MAX ? "little" : JSON.stringify({ sum, taken });
}

/** Fails if more than a little has moved since the last call. What has moved can't be taken back, so once is enough. */
async function expectNoShifts(page: Page): Promise<void> {
  const shifts = await takeShifts(page);
  expect(shifts).toBe("little");
}

beforeAll(async () => {
  for (let index = 0; index < 40; index += 1)
    await makeRecord(mara, product, "incidents", `look-${index}`, {
      title: `Something to look at, number ${index}`,
      state: "New",
    });
});

describe.each([
  { width: 1440, height: 900 },
  { width: 1100, height: 768 },
])("on a screen of $width pixels", (size) => {
  it("nothing moves while a table loads, and when a record opens and closes", async () => {
    await mara.setViewportSize(size);
    await mara.addInitScript(countShifts);
    await openTable(mara, product, "incidents");
    await expectNoShifts(mara);
    const toolbar = mara.getByRole("toolbar", { name: "Table" });
    const tools = () =>
      toolbar
        .getByRole("button")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
    const before = await tools();
    const row = mara.locator(".ag-row[row-id]").nth(2);
    await row.hover();
    await row.locator(".wf-open").click();
    await panel(mara).getByRole("textbox", { name: "Title" }).waitFor();
    await expectNoShifts(mara);
    await expect.poll(tools).toEqual(before);
    await panel(mara).getByRole("button", { name: "Close panel" }).click();
    await panel(mara).waitFor({ state: "detached" });
    await expectNoShifts(mara);
    await expect.poll(tools).toEqual(before);
  });

  it("the tools are in one row, and none is cut off", async () => {
    await mara.setViewportSize(size);
    await goToTable(mara, product, "incidents?by=priority");
    const cut = await mara.getByRole("toolbar", { name: "Table" }).evaluate((bar) => {
      const { right, top, bottom } = bar.getBoundingClientRect();
      const parts = [...bar.querySelectorAll("button, a")].filter((one) => one.checkVisibility());
      return parts
        .map((part) => part.getBoundingClientRect())
        .filter((at) => at.right > right || at.top < top || at.bottom > bottom).length;
    });
    expect(cut).toBe(0);
    await mara.getByRole("button", { name: "Group: Priority" }).waitFor();
  });
});

it("the first columns of the service desk end at the end of the screen, also for those who may add fields", async () => {
  await mara.setViewportSize({ width: 1440, height: 900 });
  await goToTable(mara, product, "incidents");
  const end = await mara.getByRole("button", { name: "Add field" }).boundingBox();
  const last = await mara.locator('.ag-header-cell[col-id="assignee"]').boundingBox();
  expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(end?.x ?? 0);
});

it("groups are offered by what records share, sorts in the words of their field", async () => {
  await goToTable(mara, product, "incidents?sort=-opened_at");
  await mara.getByRole("button", { name: "Group", exact: true }).click();
  const offered = mara.getByRole("menuitemradio");
  await expect.poll(() => offered.first().textContent()).toBe("None");
  const names = await offered.allTextContents();
  expect(names.slice(1, 3)).toEqual(["State", "Impact"]);
  expect(names).not.toContain("Number");
  expect(await accessibilityProblems(mara)).toEqual([]);
  await mara.keyboard.press("Escape");
  await mara.getByRole("button", { name: /^Sort/ }).click();
  const keys = mara.getByRole("dialog", { name: /^Sort/ });
  const words = keys.getByLabel("Direction of Opened").getByRole("option");
  await expect.poll(() => words.allTextContents()).toEqual(["oldest first", "newest first"]);
  expect(await keys.getByRole("button", { name: "Move Opened up" }).count()).toBe(0);
  await mara.keyboard.press("Escape");
});

it("columns are put in order in their list, and all but one hidden and shown again", async () => {
  await goToTable(mara, product, "incidents");
  const shown = () =>
    mara.locator(".ag-header-cell[col-id]").evaluateAll((all) =>
      all
        .toSorted((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x)
        .map((one) => one.getAttribute("col-id"))
        .filter((name) => ["state", "priority", "group", "assignee"].includes(name ?? "")),
    );
  await expect.poll(shown).toEqual(["state", "priority", "group", "assignee"]);
  await mara.getByRole("button", { name: /^Fields/ }).click();
  const list = mara.getByRole("dialog", { name: /^Fields/ });
  const search = list.getByRole("textbox", { name: "Search fields" });
  const found = list.locator("span[data-field]");
  await search.fill("prio");
  await expect.poll(() => found.count()).toBe(1);
  await list.getByLabel("Priority", { exact: true }).waitFor();
  await search.fill("");
  const grip = (field: string) =>
    list
      .locator("span[data-field]", { has: mara.getByLabel(field, { exact: true }) })
      .getByTitle("Drag to reorder");
  const from = await grip("Group").boundingBox();
  const to = await grip("State").boundingBox();
  if (!from || !to) throw new Error("The list has no grips.");
  await mara.mouse.move(from.x + 8, from.y + from.height / 2);
  await mara.mouse.down();
  await mara.mouse.move(to.x + 8, to.y + 2, { steps: 4 });
  await mara.mouse.up();
  await expect.poll(shown).toEqual(["group", "state", "priority", "assignee"]);
  await list.getByRole("button", { name: "Hide all" }).click();
  await expect.poll(shown).toEqual([]);
  expect(await accessibilityProblems(mara)).toEqual([]);
  await list.getByRole("button", { name: "Reset" }).click();
  await expect.poll(shown).toEqual(["state", "priority", "group", "assignee"]);
  await mara.keyboard.press("Escape");
});

it("a screen is named once, a change takes one line, and lines of the palette are of one height", async () => {
  await mara.setViewportSize({ width: 1440, height: 900 });
  await mara.goto(`${product.url}/admin/users`);
  const heading = mara.getByRole("heading", { name: "Users", level: 1 });
  await mara.locator("main tbody").first().waitFor();
  await expect.poll(async () => (await heading.boundingBox())?.width).toBe(1);
  await makeRecord(mara, product, "groups", "look-group", { name: "One line" });
  await mara.goto(`${product.url}/activity`);
  const change = mara.getByRole("listitem").filter({ hasText: "added the group One line" });
  await change.waitFor();
  expect((await change.boundingBox())?.height).toBeLessThan(48);
  expect(await accessibilityProblems(mara)).toEqual([]);
  await mara.keyboard.press("Control+k");
  const lines = mara.locator(".mantine-Spotlight-action");
  await lines.first().waitFor();
  const heights = await lines.evaluateAll((all) => [
    ...new Set(all.map((one) => Math.round(one.getBoundingClientRect().height))),
  ]);
  expect(heights).toEqual([40]);
  await mara.keyboard.press("Escape");
});

it("lines between values step back where the system chooses the colours", async () => {
  await goToTable(mara, product, "incidents");
  await mara.emulateMedia({ forcedColors: "active" });
  const [text, ...lines] = await mara
    .locator(".ag-row[row-id] > .ag-grid-scrolling-cells")
    .first()
    .evaluate((cells) => {
      const cell = cells.querySelector(".ag-cell") ?? cells;
      const { borderTopColor, borderRightColor } = getComputedStyle(cell);
      const { borderBottomColor, color } = getComputedStyle(cells);
      return [color, borderBottomColor, borderTopColor, borderRightColor];
    });
  await mara.emulateMedia({ forcedColors: "none" });
  expect(lines).not.toContain(text);
});

/** The sizes in use of what is drawn: of texts, their weights, and the heights of controls. */
function sizesInUse() {
  const fonts = new Set<string>();
  const weights = new Set<string>();
  const controls = new Set<number>();
  const isDrawn = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 2 && height > 2 && element.checkVisibility();
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { parentElement: element, textContent } = texts.currentNode;
    if (!element || !textContent?.trim() || !isDrawn(element)) continue;
    const { fontSize, fontWeight } = getComputedStyle(element);
    fonts.add(fontSize);
    weights.add(fontWeight);
  }
  const isControl = "main :is(button, a[class*=Button], input:not([type=checkbox]))";
  for (const control of document.querySelectorAll(isControl)) {
    const inRow = control.closest(".ag-row, .ag-header, [class*=picker]");
    if (!inRow && isDrawn(control))
      controls.add(Math.round(control.getBoundingClientRect().height));
  }
  const sorted = (values: Iterable<string | number>) =>
    [...values].map((one) => Number.parseFloat(String(one))).sort((a, b) => a - b);
  return { fonts: sorted(fonts), weights: sorted(weights), controls: sorted(controls) };
}

it("every screen uses the sizes of one scale", async () => {
  await mara.setViewportSize({ width: 1440, height: 900 });
  // Their addresses, and what they show once they are complete.
  const screens = {
    grid: ["/t/incidents", ".ag-row .wf-cell:not(.wf-loading)"],
    record: ["/t/incidents/look-1", "aside textarea"],
    board: ["/t/incidents/board", "[data-card]"],
    users: ["/admin/users", "main tbody"],
    activity: ["/activity", "main li"],
  } as const;
  const used: Record<string, ReturnType<typeof sizesInUse>> = {};
  for (const [name, [path, complete]] of Object.entries(screens)) {
    await mara.goto(product.url + path);
    await mara.locator(complete).first().waitFor();
    await untilIdle(mara);
    used[name] = await mara.evaluate(sizesInUse);
  }
  process.stdout.write(`${JSON.stringify(used)}\n`);
  for (const { fonts, weights } of Object.values(used)) {
    expect(fonts.filter((size) => ![11, 12, 13, 14, 16, 20, 28].includes(size))).toEqual([]);
    expect(weights.filter((weight) => ![400, 600].includes(weight))).toEqual([]);
  }
  for (const name of ["grid", "record"]) {
    expect(used[name]?.fonts.length).toBeLessThanOrEqual(6);
    expect(used[name]?.controls.length).toBeLessThanOrEqual(4);
  }
});

it("filters are chips, which a key removes", async () => {
  const filter = {
    and: [
      { field: "state", op: "eq", value: "New" },
      { field: "title", op: "contains", value: "number 1" },
    ],
  };
  await goToTable(mara, product, `incidents?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  await mara.getByRole("button", { name: "Filter: 2" }).waitFor();
  const chips = mara.getByRole("group", { name: "Conditions of the filter" });
  await chips.getByRole("button", { name: /^Remove .*Title/ }).press("Enter");
  await mara.getByRole("button", { name: "Filter: 1" }).waitFor();
  await chips.getByRole("button", { name: "State is New", exact: true }).press("Enter");
  await mara.getByRole("dialog", { name: "Filter" }).waitFor();
  expect(await accessibilityProblems(mara)).toEqual([]);
  await mara.keyboard.press("Escape");
});

it("the corner of the rows selects all cells, and each row has its number", async () => {
  await goToTable(mara, product, "incidents");
  await mara.getByRole("button", { name: "Select all cells" }).click();
  await mara
    .getByTestId("range")
    .getByText(/cells$/)
    .waitFor();
  await mara.locator(".wf-row-number", { hasText: /^2$/ }).waitFor();
});

it("many empty fields wait behind a button", async () => {
  await goToTable(mara, product, "incidents/look-3");
  const category = panel(mara).getByLabel("Location");
  await panel(mara)
    .getByRole("button", { name: /empty fields$/ })
    .press("Enter");
  await category.waitFor();
  expect(await accessibilityProblems(mara)).toEqual([]);
});

it("what the user deletes leaves no trace, and the cursor stays in its row; undone, it is there again", async () => {
  await goToTable(mara, product, "incidents?q=look at, number 2&sort=title");
  const row = (title: string) => mara.locator(".ag-row[row-id]", { hasText: title });
  const below = row("number 21").locator('[col-id="state"]');
  const before = await below.boundingBox();
  await row("number 20").locator('[col-id="title"]').click();
  await mara.keyboard.press("Control+Delete");
  await mara.getByText("1 incident deleted.").first().waitFor();
  await row("number 20").waitFor({ state: "detached" });
  await expect.poll(async () => (await below.boundingBox())?.y).toBeLessThan(before?.y ?? 0);
  await mara.locator('.ag-cell-focus[col-id="title"]', { hasText: "number 21" }).waitFor();
  await mara.getByText("rows have changed").waitFor({ state: "detached" });
  await mara.keyboard.press("Control+z");
  await row("number 20").waitFor();
});
