import { describe, expect, test } from "vitest";
import { checkFilter } from "./check-filter.ts";
import { checkSort } from "./check-sort.ts";
import { comparisonOps, type Filter, type Json, type ValueKind } from "./filter.ts";
import { caseKinds, filterCases } from "./testing/filter-cases.ts";
import { opsByKind } from "./value-kinds.ts";

/** A value that fits each operator and kind, and one that does not. */
const goodValues: Readonly<Record<ValueKind, Json>> = {
  text: "x",
  integer: 1,
  decimal: "1.5",
  boolean: true,
  date: "2024-02-29",
  timestamp: "2024-02-29T12:00:00.000001+01:00",
  list: ["x"],
  json: null,
};

function goodValue(kind: ValueKind, op: string): Json {
  if (op === "isEmpty") return true;
  if (op === "in" || op === "nin") return [goodValues[kind], null];
  if (op === "between") return [goodValues[kind], goodValues[kind]];
  return kind === "list" && op === "contains" ? "x" : goodValues[kind];
}

const fieldOfKind = (kind: ValueKind) =>
  Object.keys(caseKinds).find((field) => caseKinds[field] === kind) ?? "";
const kinds = Object.keys(opsByKind) as ValueKind[];
const everyPair = kinds.flatMap((kind) => comparisonOps.map((op) => [kind, op] as const));

function compare(field: string, op: string, value?: Json): Filter {
  return { field, op, value } as unknown as Filter;
}

describe("the check of a filter", () => {
  test.each(everyPair)(
    "accepts or refuses on %s the operator %s by the table of operators",
    (kind, op) => {
      const found = checkFilter(compare(fieldOfKind(kind), op, goodValue(kind, op)), caseKinds);
      const usable = opsByKind[kind].includes(op);
      expect(found?.reason).toBe(usable ? undefined : "op_not_usable");
      if (!usable) expect(found?.path).toBe("/op");
    },
  );

  const meant = filterCases.filter(([rule]) => !rule.startsWith("F11"));
  test.each(meant)("lets pass %s", (_rule, filter) => {
    expect(checkFilter(filter, caseKinds)).toBeNull();
  });

  test.each<[string, Filter]>([
    ["me", compare("title", "eq", "$me")],
    ["an attribute", compare("count", "lt", "$me.level")],
    ["an attribute that may be a list", compare("title", "in", "$me.groups")],
    ["a user in a list", compare("tags", "contains", "$me")],
    ["now, for a time", compare("opened", "lt", "$now")],
    ["today, for a date", compare("due", "eq", "$today")],
    ["today, for a time", compare("opened", "gte", "$today")],
    ["a span", compare("opened", "between", [{ ago: "2w" }, { ago: "-1d" }])],
    ["text that only looks like a variable", compare("title", "eq", "$100")],
    ["the record's id", compare("id", "in", ["a", "b"])],
  ])("F9 accepts %s", (_title, filter) => {
    expect(checkFilter(filter, caseKinds)).toBeNull();
  });

  test.each<[string, Filter]>([
    ["a number for a text", compare("title", "eq", 1)],
    ["text with NUL", compare("title", "eq", "a\0b")],
    ["half a surrogate pair", compare("title", "contains", "\ud83d")],
    ["words for a number", compare("count", "eq", "many")],
    ["an integer that a double has rounded", compare("count", "eq", 2 ** 53)],
    ["NaN", compare("price", "eq", "NaN")],
    ["infinity", compare("price", "lt", "Infinity")],
    ["an endless number", compare("price", "lt", "1".repeat(201))],
    ["text for a boolean", compare("done", "eq", "true")],
    ["a day that is not", compare("due", "eq", "2023-02-29")],
    ["a day in another form", compare("due", "eq", "29.02.2024")],
    ["the year zero", compare("due", "eq", "0000-01-01")],
    ["a day for a time", compare("opened", "eq", "2024-02-29")],
    ["a time without zone", compare("opened", "eq", "2024-02-29T12:00:00")],
    ["a time finer than microseconds", compare("opened", "eq", "2024-02-29T12:00:00.0000001Z")],
    ["a time that is not", compare("opened", "eq", "2024-02-29T24:00:00Z")],
    ["the clock for a text", compare("title", "eq", "$now")],
    ["a malformed span", compare("opened", "lt", { ago: "4 hours" })],
    ["a span beyond a lifetime", compare("opened", "lt", { ago: "9999999w" })],
    ["nothing to be less than", compare("count", "lt", null)],
    ["nothing to look for", compare("title", "contains", "")],
    ["one value for in", compare("title", "in", "New")],
    ["one end for between", compare("count", "between", [1])],
    ["too many values", compare("count", "in", new Array(1001).fill(1))],
    ["a value for isEmpty", compare("title", "isEmpty", "yes")],
    ["a text for a list", compare("tags", "eq", "x")],
    ["numbers in a list", compare("tags", "eq", [1])],
    ["content for JSON", compare("extra", "eq", { k: 1 })],
    ["a text field for a number", compare("count", "eq", { field: "title" })],
    ["a date field for a time", compare("opened", "lt", { field: "due" })],
    ["a field to look for in a text", compare("title", "contains", { field: "other" })],
    ["JSON against JSON", compare("extra", "eq", { field: "extra" })],
  ])("refuses %s", (_title, filter) => {
    const found = checkFilter(filter, caseKinds);
    expect(found?.reason).toBe("wrong_value");
    expect(found?.path).toMatch(/^\/value/);
  });

  test("F10 answers a hidden, an unknown and an inherited field alike, with the place", () => {
    for (const field of ["secret", "constructor", "__proto__"]) {
      const inside = { and: [{ not: compare(field, "eq", 1) }] };
      expect(checkFilter(inside, caseKinds)).toEqual({
        path: "/and/0/not/field",
        reason: "unknown_field",
        message: `There is no field “${field}”.`,
        messageKey: "filter.unknownField",
        messageValues: { field },
      });
      const other = checkFilter(compare("title", "eq", { field }), caseKinds);
      expect(other).toMatchObject({ path: "/value", reason: "unknown_field" });
    }
  });

  test("F13 refuses more than 8 levels and more than 200 terms", () => {
    const nested = (levels: number): Filter =>
      levels === 1 ? compare("title", "isEmpty") : { not: nested(levels - 1) };
    const wide = (terms: number): Filter => ({
      or: Array.from({ length: terms - 1 }, () => compare("title", "isEmpty")),
    });
    expect(checkFilter(nested(8), caseKinds)).toBeNull();
    expect(checkFilter(nested(9), caseKinds)?.reason).toBe("too_deep");
    expect(checkFilter(wide(200), caseKinds)).toBeNull();
    expect(checkFilter(wide(201), caseKinds)?.reason).toBe("too_many_terms");
  });
});

describe("the check of an order", () => {
  test("F12 accepts fields that have an order, and the id", () => {
    const sort = [
      { field: "opened", descending: true },
      { field: "id", descending: false },
    ];
    expect(checkSort(sort, caseKinds)).toBeNull();
  });

  test.each([
    ["tags", "op_not_usable"],
    ["extra", "op_not_usable"],
    ["secret", "unknown_field"],
  ])("F12 refuses %s", (field, reason) => {
    const sort = [
      { field: "title", descending: false },
      { field, descending: false },
    ];
    expect(checkSort(sort, caseKinds)).toMatchObject({ path: "/1/field", reason });
  });
});
