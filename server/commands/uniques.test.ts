import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Model, Table } from "../../shared/model/model.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import { WriteSession } from "../store/write-session.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

const parts: Table = {
  name: "parts",
  label: "Parts",
  recordLabel: "part",
  display: "code",
  columns: ["code"],
  sort: ["code"],
  fields: [
    { name: "code", label: "Code", type: "text", unique: true },
    { name: "number", label: "Number", type: "integer", unique: true },
    { name: "length", label: "Length", type: "decimal", scale: 2, unique: true },
    { name: "note", label: "Note", type: "text" },
  ],
};
const model: Model = { ...serviceDesk, tables: [...serviceDesk.tables, parts] };
const ann = testIdentity("ann");
const table = "parts";
const codeOf = (result: OpResult | undefined) =>
  result === undefined || result.ok ? "ok" : result.error.code;
const create = (record: string, values: object) =>
  ({ op: "create", table, record, values }) as never;
const update = (record: string, set: object, base: object) =>
  ({ op: "update", table, record, set, base }) as never;

describe.each(databases)("unique fields on $name", (kind) => {
  let environment: CommandEnvironment;
  let serial = 0;
  const roundTrips = vi.spyOn(WriteSession.prototype, "load");
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind, model);
  });
  beforeEach(async () => {
    serial += 1;
    await environment.run(
      ann,
      create(id(1), { code: `A${serial}`, number: serial, length: `${serial}.5` }),
      create(id(2), { code: `B${serial}` }),
    );
    roundTrips.mockClear();
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });
  const id = (n: number) => `r${serial}-${n}`;

  it("M23 are checked against the result of earlier ops of the same group", async () => {
    const [a, b] = [`A${serial}`, `B${serial}`];
    const results = await environment.run(
      ann,
      update(id(1), { code: null }, { code: a }),
      update(id(2), { code: a }, { code: b }),
      update(id(1), { code: b }, { code: null }),
      create(id(3), { code: a }),
      { op: "delete", table, record: id(1), overwrite: true },
      create(id(4), { code: b, number: serial, length: `${serial}.50` }),
    );
    expect(results.map(codeOf)).toEqual(["ok", "ok", "ok", "duplicate", "ok", "ok"]);
    const { values } = await environment.commands.readRecord(ann, table, id(4));
    expect(values).toMatchObject({ code: b, number: serial });
    expect(roundTrips).not.toHaveBeenCalled();
  });

  it.each([
    ["a text", { code: "same" }],
    ["a number", { number: 7_000_000 }],
    ["a decimal", { length: "7000000" }],
  ])(
    "refuse %s that two new records of a group share, without another query",
    async (_, values) => {
      const ops = Array.from({ length: 300 }, (_unused, n) =>
        create(`${id(3)}-${n}`, { code: `${id(3)}-${n}` }),
      );
      const twice = [create(`${id(4)}-a`, values), create(`${id(4)}-b`, values)];
      const results = await environment.run(ann, ...ops, ...twice);
      expect(results.filter((result) => !result.ok).map(codeOf)).toEqual(["duplicate"]);
      expect(codeOf(results.at(-1))).toBe("duplicate");
      expect(roundTrips).not.toHaveBeenCalled();
      await environment.run(ann, { op: "delete", table, record: `${id(4)}-a`, overwrite: true });
    },
  );

  it("cost few round trips if only the database knows that a value is taken", async () => {
    await environment.database.pool.query(
      "create unique index if not exists notes_once on parts (note) where note = 'once'",
    );
    const ops = Array.from({ length: 500 }, (_, n) =>
      create(`${id(5)}-${n}`, {
        code: `${id(5)}-${n}`,
        note: n === 100 || n === 400 ? "once" : `${n}`,
      }),
    );
    const results = await environment.run(ann, ...ops);
    const refused = results.flatMap((result, n) => (result.ok ? [] : [`${n} ${codeOf(result)}`]));
    expect(refused).toEqual(["400 duplicate"]);
    // Halves, until the refused one is found: twice the depth of the tree.
    expect(roundTrips.mock.calls.length).toBeLessThanOrEqual(20);
    await environment.run(ann, { op: "delete", table, record: `${id(5)}-100`, overwrite: true });
  });
});
