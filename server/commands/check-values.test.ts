import { expect, it } from "vitest";
import type { Table } from "../../shared/model/model.ts";
import { normalizeValues, pointsNowhere } from "./check-values.ts";

const table: Table = {
  ...{
    name: "things",
    label: "Things",
    recordLabel: "thing",
    display: "name",
    columns: [],
    sort: [],
  },
  fields: [
    { name: "name", label: "Name", type: "text", pattern: "[a-z ]+" },
    { name: "kind", label: "Kind", type: "select", options: [{ value: "b", formerly: ["a"] }] },
    { name: "price", label: "Price", type: "decimal", scale: 2 },
  ],
};

it("writes back what a field has held, except what a rule of the model refuses and an option that was replaced", () => {
  const isEarlier = () => true;
  const held = { name: " spaced ", kind: "gone", price: "NaN" };
  expect(normalizeValues(table, held, isEarlier)).toEqual(held);
  expect(normalizeValues(table, { name: " spaced ", price: "1.5" })).toEqual({
    ...{ name: "spaced", price: "1.50" },
  });
  expect(normalizeValues(table, { kind: "a", price: "1.5" }, isEarlier)).toEqual({
    ...{ kind: "b", price: "1.50" },
  });
  expect(() => normalizeValues(table, { name: "UPPER" }, isEarlier)).toThrow();
});

it("says of a user field that there is no such user, of a link that it points nowhere", () => {
  const at = { name: "assignee", label: "Assignee" };
  expect(pointsNowhere({ ...at, type: "person" }).message).toBe("There is no such user.");
  expect(pointsNowhere({ ...at, type: "link", target: "groups" }).message).toBe(
    "Assignee points to nothing that exists.",
  );
});
