import { afterEach, expect, test, vi } from "vitest";
import type { Json } from "../../../../shared/filter/filter.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { readActivity } from "./activity.ts";

const jobs: Table = {
  name: "jobs",
  label: "Jobs",
  recordLabel: "job",
  display: "title",
  fields: [],
  columns: [],
  sort: [],
};

afterEach(() => vi.unstubAllGlobals());

/** Answers with changes of one record, oldest first. */
function stubChanges(...sets: Record<string, Json>[]): void {
  stubChangesOf("j1", ...sets);
}

function stubChangesOf(record: string, ...sets: Record<string, Json>[]): void {
  const items = sets.map((set, index) => ({
    seq: index + 1,
    kind: "update",
    record,
    set,
    by: { id: "u1", name: "Ana" },
    at: `2026-11-21T10:00:0${index}.000Z`,
  }));
  vi.stubGlobal("fetch", async (address: string) =>
    Response.json(
      address.includes("/changes?")
        ? { items, total: items.length, epoch: "e", seq: items.length }
        : { records: [], total: 1, totalExact: true, epoch: "e", seq: items.length },
    ),
  );
}

test("names a record by its latest title, also in earlier changes", async () => {
  const titles = new Map<string, string>();
  stubChanges({ title: "First" }, { title: "Second" }, { state: "Done" });
  const read = async () => (await readActivity([jobs], 2, titles)).map(({ title }) => title);
  expect(await read()).toEqual(["Second", "Second"]);
  stubChanges({ title: "Second" }, { title: null });
  expect(await read()).toEqual(["j1", "j1"]);
});

test("keeps no titles of records that were not read again, however long the screen is open", async () => {
  const titles = new Map<string, string>();
  for (const record of ["j1", "j2", "j3"]) {
    stubChangesOf(record, { title: `Job ${record}` });
    await readActivity([jobs], 2, titles);
  }
  expect([...titles.values()]).toEqual(["Job j3"]);
});
