// Covers: client/src/records client/src/features/grid
import { beforeEach, describe, expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import type { ViewInfo } from "../../shared/protocol/views.ts";
import { apiRequest } from "./testing/api-request.ts";
import { goTo } from "./testing/go-to.ts";
import { cell, goToTable, recordsShown, sortByHeader } from "./testing/grid.ts";
import { ParcelScreen } from "./testing/parcel-screen.ts";
import { chooseTool } from "./testing/view-menu.ts";

const screen = await ParcelScreen.open();
const COUNT = 12;
/** Mara's; Ana works in it. */
let view: ViewInfo;

const asMara = <T>(method: string, path: string, data?: object) =>
  apiRequest<T>(screen.mara, screen.product, method, path, data);
const asAna = <T>(method: string, path: string, data?: object) =>
  apiRequest<T>(screen.ana, screen.product, method, path, data);

const settings = () => ({
  ...{ table: "parcels", name: `Round ${screen.round}`, sort: ["place"] },
  filter: { field: "place", op: "startsWith", value: `${screen.round}-` },
});

const open = ({ id }: ViewInfo) => goToTable(screen.ana, screen.product, `parcels?view=${id}`);

beforeEach(async () => {
  await screen.ana.setViewportSize({ width: 1280, height: 720 });
  await screen.openParcels(COUNT, (index) => ({ size: index % 2 === 0 ? "S" : "L" }));
  view = await asMara<ViewInfo>("POST", "/views", { ...settings(), shared: true });
  await open(view);
  await shown();
});

/** Waits until Ana sees the parcels in this order, as cards or rows. */
const shown = (ids: readonly string[] = screen.ids) =>
  expect.poll(() => recordsShown(screen.ana)).toEqual(ids);
const reversed = () => screen.ids.toReversed();

const notice = (text = "changed this view · Show") =>
  screen.ana.getByRole("button", { name: text });

/** Does something to the view, until Ana's page has read it. */
async function until(change: () => Promise<unknown>): Promise<void> {
  const isRead = screen.ana.waitForResponse(
    (response) => response.url().includes("/api/v1/views?") && response.ok(),
  );
  await change();
  await (await isRead).finished();
}

const change = (set: object) => until(() => asMara("PATCH", `/views/${view.id}`, set));

/** All keys are on their way before the page has handled the first. */
const pressTogether = (...keys: string[]) =>
  Promise.all(keys.map((key) => screen.ana.keyboard.press(key)));

const atCell = (index: number, field: string) => cell(screen.ana, screen.ids[index] ?? "", field);

/** Types these numbers one below the other. */
const typeDown = (from: number, to: number) =>
  pressTogether(
    ...Array.from({ length: to - from }, (_, at) => [...String(from + at), "Enter"]).flat(),
  );

const piecesStored = async () =>
  [...(await screen.storedValues()).values()].map(({ pieces }) => pieces);

const numbers = Array.from({ length: COUNT }, (_, at) => at + 10);

describe("a view that a colleague changes", () => {
  it("V6 keeps its rows under who types down a column, and is shown when they ask for it", async () => {
    await atCell(0, "pieces").click();
    await typeDown(10, 14);
    await change({ sort: ["-place"] });
    await typeDown(14, 10 + COUNT);
    await expect.poll(piecesStored).toEqual(numbers);
    await notice().waitFor();
    await shown();
    await notice().click();
    await shown(reversed());
    await notice().waitFor({ state: "detached" });
    const isInCell = () => document.activeElement?.closest(".ag-cell") !== null;
    await expect.poll(() => screen.ana.evaluate(isInCell)).toBe(true);
  });

  it("V6 keeps its rows whenever in a series it is changed", async () => {
    await atCell(0, "pieces").click();
    await Promise.all([
      typeDown(10, 10 + COUNT),
      asMara("PATCH", `/views/${view.id}`, { sort: ["-place"] }),
    ]);
    await expect.poll(piecesStored).toEqual(numbers);
    await notice().waitFor();
    await shown();
  });

  it("V6 keeps its columns under who types along a row", async () => {
    await atCell(0, "pieces").click();
    const hidden = { field: "pieces", hidden: true };
    await change({ columns: [hidden, { field: "cost" }, { field: "place" }, { field: "name" }] });
    await pressTogether("7", "Tab", "9", "Enter");
    await expect
      .poll(async () => (await screen.storedValues()).get(screen.ids[0] ?? ""))
      .toMatchObject({ pieces: 7, cost: "9.00", name: "Parcel 0" });
    await notice().click();
    await screen.ana.getByRole("columnheader", { name: "Pieces" }).waitFor({ state: "detached" });
  });

  it("V6 keeps the rows that are ticked, and those in which a text was found", async () => {
    const { ana } = screen;
    await ana.locator(`[row-id="${screen.ids[1]}"] input[type="checkbox"]`).click();
    await ana.getByLabel("Search in this table").click();
    await change({ filter: { field: "size", op: "eq", value: "S" } });
    await notice().waitFor();
    await ana.getByTestId("total").getByText(`${COUNT}`).waitFor();
    await notice().click();
    await ana.locator(`[row-id="${screen.ids[1]}"]`).waitFor({ state: "detached" });
    await chooseTool(ana, "Find and replace");
    await ana.getByLabel("Text to find").fill("Parcel");
    await change({ filter: settings().filter });
    await notice().waitFor();
  });

  it("V6 is shown at once to who has left the rows", async () => {
    await atCell(0, "pieces").click();
    await screen.ana.getByLabel("Search in this table").click();
    await change({ sort: ["-place"] });
    await shown(reversed());
    expect(await notice().count()).toBe(0);
  });

  it("leaves the rows as they were seen when it is deleted then", async () => {
    const { ana } = screen;
    await atCell(0, "pieces").click();
    await change({ sort: ["-place"] });
    await notice().waitFor();
    await until(() => asMara("DELETE", `/views/${view.id}`));
    await ana.getByText("was removed. Its settings stay").first().waitFor();
    await notice().waitFor({ state: "detached" });
    await shown();
    await typeDown(10, 10 + COUNT);
    await expect.poll(piecesStored).toEqual(numbers);
  });

  it("V6 keeps the cards of a board while one of them has the focus", async () => {
    const { ana, product } = screen;
    await goTo(ana, product, `/t/parcels/board?view=${view.id}`);
    const cards = () =>
      ana
        .locator('[data-column="S"] [data-card]')
        .evaluateAll((all) => all.map((one) => one.getAttribute("data-card")));
    const small = screen.ids.filter((_, index) => index % 2 === 0);
    await expect.poll(cards).toEqual(small);
    await ana.locator(`[data-card="${small[0]}"] a`).focus();
    await change({ sort: ["-place"] });
    await notice().waitFor();
    await expect.poll(() => cards()).toEqual(small);
    await notice().click();
    await expect.poll(cards).toEqual(small.toReversed());
  });

  it("V6 keeps the list of cards on a phone while some are selected", async () => {
    const { ana } = screen;
    await ana.setViewportSize({ width: 390, height: 800 });
    await ana.getByRole("button", { name: "Select", exact: true }).click();
    await ana.locator(`[row-id="${screen.ids[0]}"]`).click();
    await ana.getByText("1 selected").first().waitFor();
    await change({ filter: { field: "size", op: "eq", value: "L" } });
    await notice().waitFor();
    await ana.getByText("1 selected").first().waitFor();
    await notice().click();
    await ana.locator(`[row-id="${screen.ids[0]}"]`).waitFor({ state: "detached" });
  });
});

describe("a view of one's own that is changed in another tab", () => {
  it("V6 keeps its rows, and takes the other order when asked for it in the conflict", async () => {
    const { ana } = screen;
    const own = await asAna<ViewInfo>("POST", "/views", { ...settings(), name: "Mine" });
    await open(own);
    await shown();
    await atCell(0, "pieces").click();
    await until(() => asAna("PATCH", `/views/${own.id}`, { sort: ["-place"] }));
    await notice("This view was changed · Show").waitFor();
    await shown();
    await sortByHeader(ana, "Name");
    await ana.getByRole("button", { name: "Save", exact: true }).click();
    const dialog = ana.getByRole("dialog", { name: /was changed in the meantime/ });
    await dialog.getByRole("button", { name: "Keep theirs" }).click();
    await shown(reversed());
    await notice("This view was changed · Show").waitFor({ state: "detached" });
  });
});

describe("a field that the view names", () => {
  it("may be renamed while the cursor is in the rows, which stay in order without a notice", async () => {
    const { ana } = screen;
    const { filter } = settings();
    await change({
      filter: { and: [filter, { field: "share", op: "isEmpty" }] },
      sort: ["place", "share"],
    });
    // Shown, and not only read: with the cursor in the rows it would be a notice.
    const sorted = ana.locator('[aria-sort="ascending"]');
    await ana.getByRole("columnheader", { name: "Share" }).and(sorted).waitFor();
    await atCell(0, "pieces").click();
    const model = await asMara<Model>("GET", "/model");
    const parcels = model.tables.find(({ name }) => name === "parcels");
    const share = parcels?.fields.find(({ name }) => name === "share");
    if (!parcels || !share) throw new Error("Parcels have no share.");
    Object.assign(share, { name: "part", label: "Part" });
    parcels.columns = parcels.columns.map((name) => (name === "share" ? "part" : name));
    await until(() => asMara("PUT", "/model", model));
    await ana.getByRole("columnheader", { name: "Part" }).waitFor();
    await ana.getByTestId("total").getByText(`${COUNT}`).waitFor();
    await shown();
    expect(await notice().count()).toBe(0);
  });
});
