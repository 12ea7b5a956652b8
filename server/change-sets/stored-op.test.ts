import { expect, it } from "vitest";
import type { Model } from "../../shared/model/model.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { fromStored, toStored } from "./stored-op.ts";

const field = (id: string, name: string) => ({ id, name, label: name, type: "text" });
const model = (table: string, ...fields: object[]) =>
  ({ version: 1, tables: [{ id: "t1", name: table, label: table, fields }] }) as unknown as Model;

it("names an op's table and fields as they are named now, and removed ones as nothing can be named", () => {
  const op = {
    ...{ op: "update", table: "jobs", record: "r" },
    ...{ set: { title: "new", notes: "x" }, base: { title: "old", notes: null } },
  } as WireOp;
  const stored = toStored(op, 0, model("jobs", field("f1", "title"), field("f2", "notes")));
  expect(fromStored(stored, model("orders", field("f1", "subject")))).toEqual({
    ...{ op: "update", table: "orders", record: "r" },
    set: { subject: "new", "removed field f2": "x" },
    base: { subject: "old", "removed field f2": null },
  });
});
