import { afterEach, expect, test, vi } from "vitest";
import { readHistory } from "./record-history.ts";

const CHANGES = 25;

afterEach(() => vi.unstubAllGlobals());

/** Answers the history of a record; more than `fitting` changes are too large. */
function stubHistory(fitting: number): void {
  vi.stubGlobal("fetch", async (address: string) => {
    const { searchParams } = new URL(address, "http://localhost");
    const limit = Number(searchParams.get("limit"));
    const newest = Number(searchParams.get("before") ?? CHANGES + 1) - 1;
    const count = Math.min(limit, newest);
    if (count > fitting) {
      const problem = { code: "too_large", message: "", limit: 1, size: 2, unit: "bytes" };
      return Response.json(problem, { status: 413 });
    }
    const by = { kind: "user", id: "u", name: "U" };
    const items = Array.from({ length: count }, (_, index) => {
      return { seq: newest - index, kind: "update", by, at: "2026-01-01T00:00:00Z", fields: {} };
    });
    return Response.json({ items, total: items.length });
  });
}

const read = async () => (await readHistory("jobs", "r")).map(({ seq }) => seq);

test("reads a history in smaller parts where the values are too large", async () => {
  stubHistory(4);
  expect(await read()).toEqual(Array.from({ length: CHANGES }, (_, index) => CHANGES - index));
});

test("fails where one change is too large", async () => {
  stubHistory(0);
  await expect(read()).rejects.toMatchObject({ code: "too_large" });
});
