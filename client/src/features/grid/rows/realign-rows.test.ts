import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { EditorHost, type OpenEditor } from "../edit/editor-host.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { holdRows, realignRows } from "./realign-rows.ts";

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** A grid whose user moves the cursor and types in cells. */
async function usedGrid() {
  const fake = await fakeGrid(4);
  const editors = new EditorHost();
  const page = Object.assign(new EventTarget(), { body: { dataset: {} as DOMStringMap } });
  vi.stubGlobal("document", page);
  const host = new EventTarget();
  let onFocus = () => {};
  const addEventListener = (_: string, listener: () => void) => {
    onFocus = listener;
  };
  const keys = { isTyping: () => false, subscribe: () => () => {} };
  Object.assign(fake.grid, { editors, host, keys });
  Object.assign(fake.grid.api, { addEventListener });
  return {
    ...fake,
    page,
    host,
    /** Whether the page says that rows are about to move. */
    isPending: () => page.body.dataset.pendingWork?.split(" ").includes("rows") === true,
    /** Passes time for the page, and for what it asks of the server. */
    async wait(ms: number): Promise<void> {
      await vi.advanceTimersByTimeAsync(ms);
      await fake.clock.advance(500);
    },
    /** Writes a rank by the editor of the cell. */
    async rank(id: string, rank: number): Promise<void> {
      const base = { rank: fake.grid.rowList.get(id)?.values.rank ?? null };
      editors.open({ record: id } as OpenEditor);
      fake.grid.core.edits.edit("incidents", { record: id, set: { rank }, base });
      editors.close(editors.current() as OpenEditor);
      await fake.clock.advance(500);
    },
    goTo(row: number): void {
      fake.at.focused.row = row;
      onFocus();
    },
  };
}

it("puts an edited row in its place a while after its user has left it, and not while rows are held", async () => {
  const { grid, goTo, isPending, rank, wait } = await usedGrid();
  const stop = realignRows(grid);
  await rank("i0", 9);
  await wait(10_000);
  expect([grid.rowList.get("i0")?.mark, grid.rowList.indexOf("i0")]).toEqual(["moved", 0]);
  goTo(2);
  expect(isPending()).toBe(true);
  grid.rowList.hold(true);
  await wait(10_000);
  expect(grid.rowList.indexOf("i0")).toBe(0);
  grid.rowList.hold(false);
  await wait(3_000);
  expect([grid.rowList.indexOf("i0"), isPending()]).toEqual([3, false]);
  stop();
});

it("has no rows to move any more once its screen is left", async () => {
  const { grid, goTo, isPending, rank, wait } = await usedGrid();
  const stop = realignRows(grid);
  await rank("i0", 9);
  goTo(2);
  stop();
  expect(isPending()).toBe(false);
  await wait(10_000);
  expect(grid.rowList.indexOf("i0")).toBe(0);
});

it("holds the rows while the pointer moves or is pressed, and lets go of them with its screen", async () => {
  const { grid, host, page, wait } = await usedGrid();
  const stop = holdRows(grid);
  const point = (on: EventTarget, type: string, buttons: number) =>
    on.dispatchEvent(Object.assign(new Event(type), { buttons }));
  const isHeld = () => grid.rowList.isHeld;
  point(host, "pointermove", 0);
  expect(isHeld()).toBe(true);
  await wait(1_000);
  expect(isHeld()).toBe(false);
  point(host, "pointerdown", 1);
  await wait(10_000);
  expect(isHeld()).toBe(true);
  point(page, "pointerup", 0);
  await wait(1_000);
  expect(isHeld()).toBe(false);
  point(host, "pointermove", 0);
  stop();
  expect(isHeld()).toBe(false);
  point(host, "pointermove", 0);
  expect(isHeld()).toBe(false);
});
