import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Grant } from "../../shared/policy/role.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../model/testing/model-environment.ts";
import { testIdentity } from "./testing/command-environment.ts";

const owner = testIdentity("ann", "owner");

/** A reader of beds who may read this of the patients. */
function reader(patients: Grant["read"] | undefined) {
  const beds: Grant = { read: true };
  const grants = { beds, ...(patients !== undefined && { patients: { read: patients } }) };
  return testIdentity("rob", { id: "reader", name: "Reader", rights: [], grants });
}

describe.each(databases)("orders by links on $name", (kind) => {
  let environment: ModelEnvironment;
  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change((model) => {
      model.tables = [
        tableOf("patients", [fieldOf("name"), fieldOf("ward")]),
        tableOf("beds", [
          fieldOf("bed"),
          fieldOf("patient", { type: "link", target: "patients" }),
          fieldOf("nurse", { type: "person" }),
        ]),
      ];
    });
    const run = (text: string) => environment.database.pool.query(text);
    await run(`insert into patients (id, name, ward) values
      ('p1', 'Zoë', 'A'), ('p2', 'Özdemir', 'A'), ('p3', 'anna', 'B'), ('p4', 'Bert 10', 'B'), ('p5', 'Bert 9', 'A'), ('p6', '', 'A')`);
    await run(`insert into watchfloor."user" (id, email, name, colour, role, status) values
      ('u1', 'u1@x', 'Zoe', 'teal', 'editor', 'active'), ('u2', 'u2@x', 'adam', 'teal', 'editor', 'active')`);
    await run(`insert into beds (id, bed, patient, nurse) values
      ('b0', 'b0', null, 'u1'), ('b1', 'b1', 'p1', 'u2'), ('b2', 'b2', 'p2', null), ('b3', 'b3', 'p3', 'gone'),
      ('b4', 'b4', 'p4', 'u1'), ('b5', 'b5', 'p5', 'u2'), ('b6', 'b6', 'p6', 'u2'), ('b7', 'b7', 'p3', 'u1')`);
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const inOrder = async (sort: string, who = owner, filter?: Filter) => {
    const { records } = await environment.commands.readPage(who, {
      table: "beds",
      sort: sort.split(","),
      ...(filter && { filter }),
    });
    return records.map(({ id }) => id).join(" ");
  };

  it("F12 compare the labels of linked records and the names of users", async () => {
    expect(await inOrder("patient,bed")).toBe("b3 b7 b5 b4 b2 b1 b6 b0");
    expect(await inOrder("-patient,bed")).toBe("b0 b6 b1 b2 b4 b5 b3 b7");
    expect(await inOrder("nurse,-patient")).toBe("b6 b1 b5 b0 b4 b7 b3 b2");
    const ofB: Filter = { field: "patient", op: "in", value: ["p3", "p4"] };
    expect(await inOrder("patient,-bed", owner, ofB)).toBe("b7 b3 b4");
  });

  it("F12 reveal nothing of a label that their reader may not see: such links are behind the others, by their ids", async () => {
    const byId = "b1 b2 b3 b7 b4 b5 b6 b0";
    expect(await inOrder("patient,bed", reader(undefined))).toBe(byId);
    expect(await inOrder("patient,bed", reader({ hide: ["name"] }))).toBe(byId);
    const ofWardA = reader({ filter: { field: "ward", op: "eq", value: "A" } });
    expect(await inOrder("patient,bed", ofWardA)).toBe("b5 b2 b1 b3 b7 b4 b6 b0");
  });

  it("F12 are those of groups, of exports and of batches", async () => {
    const { commands } = environment;
    const call = { table: "beds", group: "patient", measures: [{ op: "count" as const }] };
    const { rows } = await commands.readSummary(owner, call);
    expect(rows.map(({ label }) => label)).toEqual([
      "anna",
      "Bert 9",
      "Bert 10",
      "Özdemir",
      "Zoë",
      "p6",
      "",
    ]);
    const exported: string[] = [];
    const view = { table: "beds", sort: ["patient", "bed"] };
    for await (const { records } of commands.exportRecords(owner, view))
      exported.push(...records.map(({ id }) => id));
    expect(exported.join(" ")).toBe("b3 b7 b5 b4 b2 b1 b6 b0");
  });
});
