import type { Field, Model } from "../../shared/model/model.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import type { Column } from "./typing-reference.ts";

/** Labels that begin with one another: only the exact one is meant. */
export const wards = ["North 1", "North 2", "North", "ICU", "ICU 2", "South", "West", "Westend"];
const sizes = ["Larger", "Large", "Small"];
const sides = ["Left", "Leftmost", "Right"];

const display = { columns: ["name"], fields: [{ name: "name", label: "Name", type: "text" }] };

export const wardsTable = {
  name: "wards",
  label: "Wards",
  recordLabel: "ward",
  display: "name",
  sort: ["name"],
  ...display,
};

const fields: Field[] = [
  { name: "name", label: "Name", type: "text" },
  { name: "ward", label: "Ward", type: "link", target: "wards" },
  { name: "nurse", label: "Nurse", type: "person" },
  { name: "size", label: "Size", type: "select", options: sizes.map((value) => ({ value })) },
  {
    name: "sides",
    label: "Sides",
    type: "multiSelect",
    options: sides.map((value) => ({ value })),
  },
  { name: "places", label: "Places", type: "integer" },
  { name: "cost", label: "Cost", type: "decimal", scale: 2 },
  { name: "urgent", label: "Urgent", type: "boolean" },
  { name: "day", label: "Day", type: "date" },
  // The order of the rows, which nobody types into.
  { name: "position", label: "Position", type: "integer" },
];

/** One cell of each kind in a row. */
export const shownFields = fields.map(({ name }) => name).filter((name) => name !== "position");

export const bedsTable = {
  name: "beds",
  label: "Beds",
  recordLabel: "bed",
  display: "name",
  fields,
  columns: shownFields,
  sort: ["position"],
};

/** The columns as the reference sees them. `people` are the names of the users with their ids. */
export function columnsOf(people: Readonly<Record<string, string>>): Column[] {
  const choices: Record<string, Record<string, string>> = {
    ward: Object.fromEntries(wards.map((label) => [label, wardId(label)])),
    nurse: { ...people },
    size: Object.fromEntries(sizes.map((label) => [label, label])),
    sides: Object.fromEntries(sides.map((label) => [label, JSON.stringify([label])])),
    urgent: { Yes: "true", No: "false" },
  };
  return shownFields.map((field) => {
    const kind = fields.find(({ name }) => name === field)?.type as Column["kind"];
    return { field, kind, ...(choices[field] && { choices: choices[field] }) };
  });
}

export function wardId(label: string): string {
  return `ward-${label.toLowerCase().replaceAll(" ", "-")}`;
}

/** A text that fits the column, and that no other one of the series equals where the kind has so many values. */
export function textFor(column: Column, serial: number, random: SeededRandom): string {
  const { kind, choices } = column;
  if (choices) {
    const isUnknown = kind !== "boolean" && random.below(8) === 0;
    return isUnknown ? `Zz${serial}` : random.pick(Object.keys(choices));
  }
  if (kind === "integer") return String(700 + serial);
  if (kind === "decimal") return `${700 + serial}.5`;
  if (kind === "date")
    return `2031-${String(1 + (serial % 12)).padStart(2, "0")}-${String(1 + (serial % 28)).padStart(2, "0")}`;
  return `T${serial}`;
}

/** The values of a row before anything is typed; no series types any of them. */
export function initialValues(index: number): Record<string, string | null> {
  return {
    name: `Bed ${index}`,
    ward: index % 3 === 0 ? null : wardId("South"),
    nurse: null,
    size: index % 2 === 0 ? "Small" : null,
    sides: null,
    places: String(index),
    cost: index % 4 === 0 ? null : `${index}.25`,
    urgent: "false",
    day: index % 2 === 0 ? null : "2020-01-01",
  };
}

/** The model with both tables. */
export function withTypingTables(model: Model): object {
  return { ...model, tables: [...model.tables, wardsTable, bedsTable] };
}
