import { expect, test } from "vitest";
import { checkFilter } from "../../../../shared/filter/check-filter.ts";
import type { Filter } from "../../../../shared/filter/filter.ts";
import { type FieldType, kindOfType } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { type FilterRow, fromTerm, needsValue, operatorsFor, toTerm } from "./filter-rows.ts";
import { countConditions, type FilterPart, fromFilter, toFilter } from "./filter-tree.ts";
import { initialValue, operandKindsFor } from "./operand-kinds.ts";

const sample: Partial<Record<FieldType, FilterRow["value"]>> = {
  integer: 3,
  duration: 60,
  decimal: "1.5",
  money: "1.5",
  percent: "1.5",
  boolean: true,
  date: "2026-11-21",
  timestamp: "2026-11-21T10:00:00Z",
};

const fieldOf = (type: FieldType): Field => ({ name: "f", label: "F", type });

test("every question on every field type is a filter that the language accepts and reads back", () => {
  for (const type of Object.keys(kindOfType) as FieldType[]) {
    for (const operator of operatorsFor(fieldOf(type))) {
      const one = operator === "within" ? "4h" : (sample[type] ?? "a");
      const list = operator === "between" ? [one, one] : [one];
      const isList = /^n?in$|between/.test(operator);
      const value = needsValue(operator) ? (isList ? list : one) : null;
      const row: FilterRow = { id: "0", field: "f", operator, value };
      const filter = toTerm(row) as Filter;
      expect(checkFilter(filter, { f: kindOfType[type] }), `${type} ${operator}`).toBeNull();
      expect(fromTerm(filter, "0")).toEqual(row);
    }
  }
});

test("whatever a question may be compared with is accepted too", () => {
  for (const type of Object.keys(kindOfType) as FieldType[]) {
    const field = fieldOf(type);
    const fields = [field, { ...field, name: "g" }];
    for (const operator of operatorsFor(field).filter(needsValue)) {
      for (const against of operandKindsFor(field, operator, fields)) {
        if (against === "value") continue;
        const value = initialValue(against, field, fields);
        const row = {
          id: "0",
          field: "f",
          operator,
          value: operator === "between" ? [value, value] : value,
        };
        const kinds = { f: kindOfType[type], g: kindOfType[type] };
        const filter = toTerm(row) as Filter;
        expect(checkFilter(filter, kinds), `${type} ${operator} ${against}`).toBeNull();
      }
    }
  }
});

test("a row that says nothing yet does not narrow the table", () => {
  const rows: FilterRow[] = [
    { id: "1", field: "title", operator: "contains", value: "" },
    { id: "2", field: "state", operator: "in", value: [] },
    { id: "3", field: "size", operator: "between", value: [1, null] },
  ];
  const group = (parts: FilterPart[]) => ({ id: "0", mode: "all" as const, parts });
  expect(toFilter(group(rows))).toBeNull();
  expect(toFilter(group([...rows, group(rows)]))).toBeNull();
  const said: FilterRow = { id: "4", field: "title", operator: "empty", value: null };
  expect(toFilter(group([...rows, said]))).toEqual({
    and: [{ field: "title", op: "isEmpty", value: true }],
  });
});

const a = { field: "a", op: "eq", value: 1 } as const;
const b = { field: "b", op: "lt", value: { field: "a" } } as const;

test.each<[Filter]>([
  [{ and: [a, b] }],
  [{ or: [a, { and: [a, b] }] }],
  [{ not: { or: [a, { or: [b, a] }] } }],
  [{ and: [{ not: { or: [a] } }, { field: "c", op: "gte", value: { ago: "-3d" } }] }],
  [{ and: [{ field: "c", op: "between", value: ["$today", { ago: "-3d" }] }] }],
  [{ and: [{ field: "c", op: "in", value: "$me.groups" }] }],
])("the filter %j is unchanged after a round trip through rows", (filter) => {
  const shown = fromFilter(filter);
  expect(shown && toFilter(shown)).toEqual(filter);
});

test("shows no rows for a filter they can't express", () => {
  expect(fromFilter({ or: [] })).toBeNull();
  expect(fromFilter({ and: [a, { and: [] }] })).toBeNull();
  expect(countConditions({ or: [] })).toBe(1);
  expect(countConditions({ and: [a, { or: [a, b] }] })).toBe(3);
});
