import { expect, it } from "vitest";
import { RecordVisibility } from "./record-visibility.ts";

function setUp() {
  const requested: string[] = [];
  const answers = new Map<string, () => void>();
  const read = (table: string, record: string) => {
    requested.push(`${table}/${record}`);
    return new Promise<{ title: string }>((resolve) =>
      answers.set(record, () => resolve({ title: "found" })),
    );
  };
  const known = Promise.withResolvers<void>();
  const visibility = new RecordVisibility(read, () => known.resolve());
  const visit = (table: string, record: string) =>
    visibility.sees({ table, sees: () => true } as never, record);
  return { requested, answers, known: known.promise, visit };
}

const records = Array.from({ length: 50 }, (_, index) => `r${index}`);

it("looks up one record of a table at once, however many are visited", async () => {
  const { requested, answers, known, visit } = setUp();
  expect(records.map((record) => visit("incidents", record))).not.toContain(true);
  expect(requested).toEqual(["incidents/r0"]);
  answers.get("r0")?.();
  await known;
  expect(visit("incidents", "r0")).toBe(true);
  await expect.poll(() => requested).toEqual(["incidents/r0", "incidents/r1"]);
});

it("looks up records of other tables while a table is locked", async () => {
  const { requested, answers, known, visit } = setUp();
  for (const record of records) visit("incidents", record);
  visit("people", "ann");
  expect(requested).toEqual(["incidents/r0", "people/ann"]);
  answers.get("ann")?.();
  await known;
  expect(visit("people", "ann")).toBe(true);
});
