import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Model, Values } from "../../shared/model/model.ts";
import type { Grant } from "../../shared/policy/role.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { fieldOf, tableOf } from "../model/testing/model-environment.ts";
import type { LogChange } from "../store/log-change.ts";
import { LabelNotices } from "./label-notices.ts";

const model: Model = {
  version: 1,
  tables: [
    tableOf("patients", [fieldOf("name"), fieldOf("ward"), fieldOf("note")]),
    tableOf("beds", [fieldOf("bed"), fieldOf("patient", { type: "link", target: "patients" })]),
  ],
};

const reader = (id: string, patients: Grant["read"] | undefined) =>
  testIdentity(id, {
    id,
    name: id,
    rights: [],
    grants: {
      beds: { read: true },
      ...(patients !== undefined && { patients: { read: patients } }),
    },
  });
const readers = [
  reader("all", true),
  reader("wardA", { filter: { field: "ward", op: "eq", value: "A" } }),
  reader("noName", { hide: ["name"] }),
  reader("none", undefined),
];

let notified: string[] = [];
const notices = new LabelNotices(
  () => model,
  ({ message, isFor }) => {
    const who = readers.filter(isFor).map(({ user }) => user.id);
    notified.push(`${"table" in message ? message.table : ""}: ${who.join(" ")}`);
  },
);

beforeEach(() => {
  notified = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => vi.useRealTimers());

const update = (before: Values, after: Values) =>
  ({ kind: "update", record: "p1", seq: 1, before, after, by: {}, at: "" }) as unknown as LogChange;

async function noticesOf(table: string, ...changes: LogChange[]): Promise<string[]> {
  notices.note(table, changes);
  await vi.advanceTimersByTimeAsync(2_000);
  return notified.splice(0);
}

it("E11 notifies of a renamed record those alone who may read the record and its name", async () => {
  const inA = { name: "New", ward: "A", note: null };
  expect(await noticesOf("patients", update({ name: "Old" }, inA))).toEqual([
    "patients: all wardA",
  ]);
  const inB = { ...inA, ward: "B" };
  expect(await noticesOf("patients", update({ name: "Old" }, inB))).toEqual(["patients: all"]);
});

it("E11 notifies of a record that leaves somebody's scope, whose label they may read no more", async () => {
  const moved = update({ ward: "A" }, { name: "Same", ward: "B", note: null });
  expect(await noticesOf("patients", moved)).toEqual(["patients: wardA"]);
});

it("E11 notifies nobody of other fields, nor of a table that no link names", async () => {
  const noted = update({ note: "old" }, { name: "Same", ward: "A", note: "new" });
  expect(await noticesOf("patients", noted)).toEqual(["patients: "]);
  expect(await noticesOf("beds", update({ bed: "1" }, { bed: "2", patient: null }))).toEqual([]);
});

it("E11 makes one notice of many changes", async () => {
  const renamed = update({ name: "Old" }, { name: "New", ward: "A", note: null });
  notices.note("patients", [renamed]);
  expect(await noticesOf("patients", renamed, renamed)).toEqual(["patients: all wardA"]);
});
