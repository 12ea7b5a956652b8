import { expect, it, onTestFinished, vi } from "vitest";
import { fakeGrid } from "../testing/fake-grid.ts";
import { FindModel } from "./find-model.ts";

/** A grid that is searched, and the pages of its view that were asked for and are not answered. */
async function searchedGrid(rows: number) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fake = await fakeGrid(rows);
  const { grid, server } = fake;
  Object.assign(grid, { cells: { all: () => [] } });
  Object.assign(grid.labels, { onArrived: () => () => {} });
  const asked: (() => void)[] = [];
  vi.stubGlobal("fetch", async () => {
    const records = [...server.incidents.records].map(([id, { values }]) => ({ id, values }));
    const page = { records, total: records.length, totalExact: true, epoch: "e", seq: 1 };
    await new Promise<void>((resolve) => asked.push(resolve));
    return { ok: true, status: 200, json: async () => page };
  });
  const find = new FindModel();
  find.connect(grid);
  find.open();
  return {
    ...fake,
    find,
    /** Passes time until the search for a text has asked for its page. Answers how to let it through. */
    async search(text: string): Promise<() => Promise<void>> {
      find.setText(text);
      await vi.advanceTimersByTimeAsync(300);
      const answer = asked.at(-1);
      return async () => {
        answer?.();
        await vi.advanceTimersByTimeAsync(1);
      };
    },
  };
}

it("finds what the screen shows, also an edit that is not saved yet", async () => {
  const { find, grid, search } = await searchedGrid(3);
  const edit = { record: "i1", set: { title: "Mine" }, base: { title: "Title 1" } };
  grid.core.edits.edit("incidents", edit);
  const answer = await search("mine");
  await answer();
  expect(find.state()).toMatchObject({ phase: "done", count: 1, at: 0 });
  expect(find.current).toEqual({ record: "i1", field: "title" });
});

it("shows nothing of a text that is no longer searched for, whenever its rows arrive", async () => {
  const { find, search } = await searchedGrid(3);
  const first = await search("title");
  const second = await search("active");
  await second();
  const found = find.state();
  expect(found).toMatchObject({ phase: "done", count: 1 });
  await first();
  expect(find.state()).toBe(found);
});

it("follows the rows that are loaded: what is changed begins to match or no longer does", async () => {
  const { change, clock, find, remove, search } = await searchedGrid(3);
  await (await search("title"))();
  expect(find.state().count).toBe(3);
  change("i0", { title: "Another" });
  remove("i1");
  await clock.advance(100);
  expect([find.state().count, find.current]).toEqual([1, { record: "i2", field: "title" }]);
});
