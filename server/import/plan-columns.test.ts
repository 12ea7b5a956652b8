import { expect, it } from "vitest";
import type { Field, Table } from "../../shared/model/model.ts";
import { planColumns } from "./plan-columns.ts";

const field = (name: string, label: string): Field => ({ name, label, type: "text" });
const fields = [field("number", "ID"), field("title", "Title")];
const table: Table = {
  ...{ name: "orders", label: "Orders", recordLabel: "order", display: "title" },
  ...{ fields, columns: [], sort: [] },
};
const visible = fields.map(({ name }) => name);
const targets = (header: string[], options = {}) => {
  const { columns, idIndex, ignored } = planColumns(header, table, visible, options);
  return { fields: columns.map(({ index, field: { name } }) => [index, name]), idIndex, ignored };
};

it("ids come from the column that is named for them, wherever one called id is", () => {
  for (const header of [
    ["key", "id", "title"],
    ["id", "title", "key"],
  ]) {
    const orders = { ...table, fields: [field("title", "Title")] };
    const plan = planColumns(header, orders, visible, { id: "key" });
    expect(header[plan.idIndex]).toBe("key");
    expect(plan.ignored).toEqual(["id"]);
  }
});

it("ids come from one column only", () => {
  const map = { a: "id", b: "id" };
  expect(() => targets(["a", "b", "title"], { map })).toThrow(/Two columns/);
});

it('an exported file has the ids of records beside a field that is labelled "ID"', () => {
  expect(targets(["id", "number", "title"])).toMatchObject({
    fields: [
      [1, "number"],
      [2, "title"],
    ],
    idIndex: 0,
  });
  expect(targets(["ID", "Title"])).toMatchObject({
    fields: [
      [0, "number"],
      [1, "title"],
    ],
    idIndex: -1,
  });
});
