import { expect, it, onTestFinished } from "vitest";
import type { Filter } from "../../../../shared/filter/filter.ts";
import type { Table } from "../../../../shared/model/model.ts";
import { abilitiesOf, type TableAbilities } from "../../../../shared/policy/abilities.ts";
import type { Grant } from "../../../../shared/policy/role.ts";
import { fakeSystem } from "../testing/fake-system.ts";
import { valuesForCopy, valuesForNew } from "./new-values.ts";
import { setPageCore } from "./page-core.ts";

const beds: Table = {
  name: "beds",
  label: "Beds",
  recordLabel: "bed",
  display: "number",
  fields: [
    { name: "number", label: "Number", type: "text" },
    { name: "ward", label: "Ward", type: "text", required: true },
    { name: "clean", label: "Clean", type: "boolean" },
    { name: "secret", label: "Secret", type: "text" },
  ],
  columns: ["number", "ward"],
  sort: [],
};

const ofWard: Filter = { field: "ward", op: "eq", value: "$me.ward" };

/** What a new bed begins with for a user of the ward Cardio, in a view with this filter. */
function newBed(grant: Grant, filter: Filter | null = null) {
  const { core } = fakeSystem().client("mara");
  setPageCore(core);
  onTestFinished(() => setPageCore(null));
  return valuesForNew(beds, ofClerks(grant), filter);
}

/** What a clerk of the ward Cardio may do with beds. */
function ofClerks(grant: Grant): TableAbilities {
  const role = { id: "clerks", name: "Clerks", rights: [], grants: { beds: grant } };
  const subject = { id: "mara", attributes: { ward: "Cardio" }, role };
  const abilities = abilitiesOf(subject, { version: 1, tables: [beds] }).tables.beds;
  if (!abilities) throw new Error("The role reads no beds.");
  return abilities;
}

it("begins with what the role asks of the records that its users may see", () => {
  const grant = { read: { filter: ofWard }, create: true, update: true };
  expect(newBed(grant)).toEqual({ ward: "Cardio" });
  const clean: Filter = { field: "clean", op: "eq", value: true };
  expect(newBed(grant, clean)).toEqual({ clean: true, ward: "Cardio" });
});

it("begins with the value of the role where the view asks for another one, and where the field can't be changed later", () => {
  const grant = { read: { filter: ofWard }, create: true, update: { fields: ["number"] } };
  expect(newBed(grant, { field: "ward", op: "eq", value: "Neuro" })).toEqual({ ward: "Cardio" });
});

it("learns nothing of a condition on a hidden field", () => {
  const filter: Filter = { and: [ofWard, { field: "secret", op: "eq", value: "canary" }] };
  expect(newBed({ read: { filter, hide: ["secret"] }, create: true })).toEqual({});
});

it("says nothing of the records that the role leaves out", () => {
  const hidden: Filter = { field: "number", op: "nin", value: ["canary"] };
  expect(newBed({ read: { filter: { and: [ofWard, hidden] } }, create: true })).toEqual({
    ward: "Cardio",
  });
  for (const filter of [hidden, { and: [ofWard, hidden] }]) {
    expect(JSON.stringify(ofClerks({ read: { filter }, create: true }))).not.toContain("canary");
  }
});

it("copies what a record does not have of its own: no number, no state, and nothing that transitions set", () => {
  const text = (name: string) => ({ name, label: name, type: "text" as const });
  const tickets: Table = {
    ...beds,
    name: "tickets",
    fields: [
      { ...text("number"), automatic: { prefix: "T", digits: 4, start: 1 } },
      { ...text("serial"), unique: true },
      text("title"),
      text("notes"),
      {
        name: "state",
        label: "State",
        type: "select",
        options: [{ value: "New" }, { value: "Done" }],
      },
      { name: "opened", label: "Opened", type: "timestamp", default: "$now" },
      { name: "due", label: "Due", type: "timestamp" },
      { name: "closed", label: "Closed", type: "timestamp" },
      { name: "changed", label: "Changed", type: "timestamp", recorded: "updatedAt" },
    ],
    stateField: "state",
    workflow: {
      states: [
        { value: "New", open: true },
        { value: "Done", open: false },
      ],
      transitions: [
        { name: "close", label: "Close", from: ["New"], to: "Done", sets: { closed: "$now" } },
      ],
    },
  };
  const at = "2026-11-01T08:00:00.000Z";
  const closed = { number: "T0001", serial: "A1", title: "Leak", notes: null, state: "Done" };
  const values = { ...closed, opened: at, due: at, closed: at, changed: at };
  expect(valuesForCopy(tickets, values)).toEqual({ title: "Leak", due: at });
});
