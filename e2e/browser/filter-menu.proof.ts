// Covers: client/src/records client/src/features/grid
import { expect, it } from "vitest";
import { goToTable, recordsShown } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";

const screen = await ParcelScreen.open();
const DAY_MS = 86_400_000;

const dayIn = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const dialog = () => screen.mara.getByRole("dialog");
const groupList = /\/tables\/groups\/records\?/;
const filterInAddress = () =>
  new URL(screen.mara.url()).searchParams.get("filter")?.replaceAll(/"field":|"op":/g, "") ?? "";

/** Adds a condition on a field to the filter, which stays open. */
async function addCondition(field: string, operator: string): Promise<void> {
  await screen.mara.getByRole("button", { name: /^Filter/ }).click();
  // A filter without conditions begins with the list of fields.
  const fields = dialog().getByRole("listbox", { name: "Fields" });
  const add = dialog().getByRole("button", { name: "Add condition" });
  await fields.or(add).first().waitFor();
  if (await fields.isVisible()) {
    await fields.getByRole("option", { name: field, exact: true }).click();
  } else {
    await add.click();
    await dialog().getByLabel("Field", { exact: true }).last().selectOption({ label: field });
  }
  await dialog().getByLabel("Condition", { exact: true }).last().selectOption({ label: operator });
}

it("compares a date with today, which moves on", async () => {
  await screen.openParcels(3, (index) => ({ day: dayIn(3 * index - 3) }));
  await addCondition("Day", "is before");
  await dialog().getByLabel("Compare with").selectOption({ label: "today" });
  await expect.poll(() => recordsShown(screen.mara)).toEqual(screen.ids.slice(0, 1));
  const address = new URL(screen.mara.url()).searchParams;
  expect(address.get("filter")).toContain('{"field":"day","op":"lt","value":"$today"}');
});

it("takes a value that is typed right before Escape", async () => {
  await screen.openParcels(3, (index) => ({ pieces: index }));
  await addCondition("Pieces", "is");
  await dialog().getByLabel("Value for Pieces").pressSequentially("1");
  await screen.mara.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
  await expect.poll(() => recordsShown(screen.mara)).toEqual(screen.ids.slice(1, 2));
});

it("takes the options that are typed, without the pointer", async () => {
  await goToTable(screen.mara, screen.product, "incidents");
  await screen.mara.getByRole("button", { name: /^Filter/ }).click();
  await dialog().getByRole("listbox", { name: "Fields" }).waitFor();
  await screen.mara.keyboard.type("Priority");
  await screen.mara.keyboard.press("Enter");
  const values = dialog().getByRole("combobox", { name: "Values" });
  await values.and(screen.mara.locator(":focus")).waitFor();
  await screen.mara.keyboard.type("crit");
  await screen.mara.keyboard.press("Enter");
  await expect.poll(() => values.inputValue()).toBe("1 - Critical");
  await screen.mara.keyboard.type(", 2 - hi");
  await screen.mara.keyboard.press("Enter");
  await expect.poll(filterInAddress).toContain('["1 - Critical","2 - High"]');
  // The first Escape closes the list. A filter that begins again leads to its value again.
  await screen.mara.keyboard.press("Escape");
  await dialog().getByRole("button", { name: "Remove condition" }).click();
  await screen.mara.keyboard.type("State");
  await screen.mara.keyboard.press("Enter");
  await values.and(screen.mara.locator(":focus")).waitFor();
  await screen.mara.keyboard.press("Escape");
  await dialog().waitFor({ state: "detached" });
});

it("reads the list of a link once, however often the filter is drawn", async () => {
  await goToTable(screen.mara, screen.product, "incidents");
  const lists: string[] = [];
  screen.mara.on("request", (request) => {
    const url = decodeURIComponent(request.url());
    // Labels of the rows on the screen are read by their ids.
    if (groupList.test(url) && !url.includes('"op":"in"')) lists.push(url);
  });
  await addCondition("Group", "is");
  await expect.poll(() => lists.length).toBe(1);
  await dialog().getByRole("button", { name: "Add condition" }).click();
  await dialog().getByLabel("Field", { exact: true }).last().selectOption({ label: "Title" });
  await dialog().getByLabel("Value for Title").pressSequentially("print");
  await expect.poll(filterInAddress).toContain('"print"');
  expect(lists).toHaveLength(1);
  await screen.mara.keyboard.press("Escape");
});

it("does not take back another condition when a value is found late", async () => {
  await goToTable(screen.mara, screen.product, "incidents");
  await addCondition("Group", "is");
  await dialog().getByRole("button", { name: "Add condition" }).click();
  await dialog().getByLabel("Field", { exact: true }).last().selectOption({ label: "Title" });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await screen.mara.route(groupList, async (route) => {
    await released;
    await route.continue();
  });
  const group = dialog().getByRole("combobox", { name: "Value for Group" });
  const title = dialog().getByLabel("Value for Title");
  const asked = screen.mara.waitForRequest((request) => request.url().includes("Netw"));
  await group.fill("Netw");
  await asked;
  await title.fill("one");
  await expect.poll(filterInAddress).toContain('"one"');
  // In the pause after the value was found, the other one is changed.
  const changed = dialog().evaluate(typeOnceFound, { text: "two", found: "Network" });
  release();
  await changed;
  await screen.mara.unrouteAll({ behavior: "wait" });
  await expect.poll(filterInAddress).toContain('"Network"');
  expect(filterInAddress()).toContain('"two"');
});

/** Writes into the input with the focus and leaves it, once another input shows a text. */
async function typeOnceFound(
  dialog: Element,
  { text, found }: { text: string; found: string },
): Promise<void> {
  const input = document.activeElement as HTMLInputElement;
  const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
  const isFound = () => [...dialog.querySelectorAll("input")].some(({ value }) => value === found);
  while (!isFound()) await new Promise(requestAnimationFrame);
  set?.call(input, text);
  input.dispatchEvent(new Event("input", { bubbles: true }));
  await new Promise<void>((done) => queueMicrotask(done));
  input.blur();
}
