import { describe, expect, test } from "vitest";
import { compileFilter, matches } from "./matches.ts";
import { caseKinds, caseRecords, filterCases } from "./testing/filter-cases.ts";

describe("the filter in memory", () => {
  test.each(filterCases)("%s", (_rule, filter, ids) => {
    const predicate = compileFilter(filter, caseKinds);
    const found = Object.entries(caseRecords).filter(([id, values]) => predicate(id, values));
    expect(found.map(([id]) => id).join("")).toBe(ids);
  });

  test("F2 a field that a record lacks is empty", () => {
    expect(matches({ field: "title", op: "isEmpty" }, "z", {}, caseKinds)).toBe(true);
  });
});
