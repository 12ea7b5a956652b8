import { deepEqual } from "../document/deep-equal.ts";
import type { Field, Recorded } from "./model.ts";
import { type PlanStep, replacedBy } from "./plan-step.ts";

/** A step of a plan as a sentence for the user who decides on it. */
export function describeStep(step: PlanStep): string {
  const table = step.table.label;
  switch (step.kind) {
    case "addTable":
      return `Create the table ${table} with ${counted(step.table.fields.length, "field")}.`;
    case "removeTable":
      return `Remove the table ${table} with all its records.`;
    case "renameTable":
      return `Rename the table ${quoted(step.from)} to ${quoted(step.table.name)}.`;
    case "addField":
      return step.field.recorded === undefined
        ? `Add the field ${step.field.label} to ${table}.`
        : `Add the field ${step.field.label} to ${table}: ${recordedLabels[step.field.recorded]}. Existing records are filled as far back as the history goes.`;
    case "removeField":
      return `Remove the field ${step.field.label} from ${table}, with its values.`;
    case "renameField":
      return `Rename the field ${quoted(step.from)} of ${table} to ${quoted(step.field.name)}.`;
    case "retypeField":
      return `${[`Turn the field ${step.field.label} of ${table} from ${typeOf(step.from)} into ${typeOf(step.field)}`, ...constraintsOf(step.from, step.field)].join(", ")}.`;
    case "recomputeField":
      return step.from.expression === undefined
        ? `${step.field.label} of ${table} is computed from now on, by ${quoted(step.field.expression ?? "")}.`
        : `${step.field.label} of ${table} is computed differently, by ${quoted(step.field.expression ?? "")}.`;
    case "constrainField":
      return `${step.field.label} of ${table}: ${constraintsOf(step.from, step.field).join(", ")}.`;
    case "replaceOptions":
      return `${step.field.label} of ${table}: ${step.gone.map((value) => describeRemovedOption(step, value)).join(", ")}.`;
    case "describeField":
      return `${step.field.label} of ${table}: change ${step.properties.join(", ")}.`;
    case "orderFields":
      return `Put the fields of ${table} into another order.`;
    case "orderTables":
      return `Order the tables: ${step.order.join(", ")}.`;
    case "describeTable":
      return `${table}: change ${step.properties.join(", ")}.`;
  }
}

/** What a lossy step would lose, once it has been counted. */
export function describeLoss(step: PlanStep, rows: number): string {
  const records = counted(rows, "record");
  switch (step.kind) {
    case "removeTable":
      return `${records} of ${step.table.label} would be deleted.`;
    case "removeField":
      return `Values of ${step.field.label} in ${records} would be deleted.`;
    case "recomputeField":
      return `Entered values of ${step.field.label} in ${records} would be deleted.`;
    case "constrainField":
      return `Entered values of ${step.field.label} in ${records} would be overwritten when the record changes.`;
    case "replaceOptions":
      return `${step.field.label}: ${records} ${rows === 1 ? "uses" : "use"} an option that would be removed; the value would be cleared.`;
    case "retypeField":
      return `Values of ${step.field.label} in ${records} do not fit the new type and would be cleared or shortened.`;
    default:
      return "";
  }
}

const recordedLabels: Record<Recorded, string> = {
  createdAt: "records when a record was created",
  createdBy: "records who created a record",
  updatedAt: "records when a record was last changed",
  updatedBy: "records who last changed a record",
};

function constraintsOf(from: Field, to: Field): string[] {
  const labels: string[] = [];
  if (from.expression !== undefined && to.expression === undefined) {
    labels.push("filled by users from now on, beginning with the computed values");
  }
  const flag = (property: "required" | "unique" | "indexed") => {
    if (Boolean(from[property]) === Boolean(to[property])) return;
    labels.push(to[property] ? property : `no longer ${property}`);
  };
  flag("required");
  flag("unique");
  flag("indexed");
  const differs = (property: "default" | "automatic" | "onDelete") =>
    !deepEqual(from[property], to[property]);
  if (from.recorded !== to.recorded) {
    labels.push(
      to.recorded === undefined ? "filled by users from now on" : recordedLabels[to.recorded],
    );
  }
  if (differs("default")) labels.push("another default");
  if (differs("automatic")) labels.push("another numbering");
  if (differs("onDelete")) {
    labels.push(to.onDelete === "unlink" ? "emptied with its target" : "keeps its target");
  }
  return labels;
}

function describeRemovedOption(step: PlanStep & { kind: "replaceOptions" }, value: string): string {
  const option = replacedBy(step, value);
  const label = (of: Field, one: string) =>
    quoted(of.options?.find((known) => known.value === one)?.label ?? one);
  return option === undefined
    ? `no longer the option ${label(step.from, value)}`
    : `${label(step.from, value)} becomes ${label(step.field, option)}`;
}

const quoted = (name: string) => `“${name}”`;
const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function typeOf({ type, scale, target }: Field): string {
  if (target !== undefined) return `${type} to ${quoted(target)}`;
  return scale === undefined ? type : `${type} (${scale} digits)`;
}
