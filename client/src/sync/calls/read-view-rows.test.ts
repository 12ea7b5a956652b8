import { afterEach, expect, test, vi } from "vitest";
import { readViewRows } from "./read-view-rows.ts";

const RECORDS = 25;
const view = { filter: null, sort: [], search: "" };

afterEach(() => vi.unstubAllGlobals());

/** Answers pages of a view; one of more than `fitting` records is too large. Where counting takes too long, there are more than `total`. */
function stubPages(fitting: number, counted = { total: RECORDS, totalExact: true }): void {
  vi.stubGlobal("fetch", async (address: string) => {
    const { searchParams } = new URL(address, "http://localhost");
    const [offset, limit] = ["offset", "limit"].map((name) => Number(searchParams.get(name)));
    const count = Math.min(limit ?? 0, RECORDS - (offset ?? 0));
    if (count > fitting) {
      const problem = { code: "too_large", message: "", limit: 1, size: 2, unit: "bytes" };
      return Response.json(problem, { status: 413 });
    }
    const ids = Array.from({ length: count }, (_, index) => `r${(offset ?? 0) + index}`);
    const records = ids.map((id) => ({ id, version: "e.1", values: {} }));
    return Response.json({ records, ...counted, epoch: "e", seq: 1 });
  });
}

async function read(max: number): Promise<string[]> {
  const found: string[] = [];
  for await (const { rows } of readViewRows("jobs", view, { fields: [], max })) {
    found.push(...rows.map(({ id }) => id));
  }
  return found;
}

test("reads a view in smaller pages where the values of one are too large", async () => {
  stubPages(4);
  expect(await read(100)).toEqual(Array.from({ length: RECORDS }, (_, index) => `r${index}`));
  expect(await read(10)).toHaveLength(10);
});

test("knows that a view goes on where its rows are more than were counted", async () => {
  stubPages(RECORDS, { total: 10, totalExact: false });
  const ends: boolean[] = [];
  for (const max of [10, 100])
    for await (const { isLast } of readViewRows("jobs", view, { fields: [], max }))
      ends.push(isLast);
  expect(ends).toEqual([false, true]);
});

test("fails where one record is too large", async () => {
  stubPages(0);
  await expect(read(100)).rejects.toMatchObject({ code: "too_large" });
});
