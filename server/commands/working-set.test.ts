import { expect, it } from "vitest";
import { type Field, findField, findTable, type Table } from "../../shared/model/model.ts";
import type { Author } from "../../shared/protocol/record.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import { keyOf } from "../store/key-holders.ts";
import { WorkingSet } from "./working-set.ts";

const table = findTable(serviceDesk, "incidents") as Table;
const field = findField(table, "title") as Field;
const request = { table, field, filter: null };
const by: Author = { kind: "user", id: "ann", name: "Ann" };

it("knows which keys are taken, also after a rollback, and whenever it is asked first", () => {
  const open = () =>
    new WorkingSet({
      feeds: new Map(),
      records: new Map([[table.name, new Map([["a", { title: "stored" }]])]]),
      locked: new Map(),
      targets: new Map(),
      uniques: new Map(),
      keys: new Map([[keyOf(request), new Map([["stored", ["a"]]])]]),
      mutations: [],
      modelVersion: 0,
    });
  const taken = (rows: WorkingSet) =>
    ["stored", "other", "new", "null"].filter((text) =>
      rows.isKeyTaken(request, text, (id) => id !== "hidden"),
    );
  const steps = [
    { kind: "update", record: "a", title: "other", taken: ["other"] },
    { kind: "insert", record: "b", title: "new", taken: ["other", "new"] },
    { kind: "delete", record: "b", title: "new", taken: ["other"] },
    { kind: "insert", record: "hidden", title: "new", taken: ["other"] },
    { kind: "insert", record: "c", title: null, taken: ["other"] },
  ] as const;
  const asked = open();
  for (const [index, step] of steps.entries()) {
    const first = open();
    for (const { kind, record, title } of steps.slice(0, index + 1)) {
      first.put({ table, kind, record, set: { title }, row: { title } } as never, by);
    }
    const { kind, record, title } = step;
    asked.put({ table, kind, record, set: { title }, row: { title } } as never, by);
    expect([taken(first), taken(asked)]).toEqual([step.taken, step.taken]);
    first.rollback(0);
    expect(taken(first)).toEqual(["stored"]);
  }
  asked.rollback(0);
  expect(taken(asked)).toEqual(["stored"]);
});
