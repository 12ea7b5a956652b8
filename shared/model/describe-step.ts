import { deepEqual } from "../document/deep-equal.ts";
import type { Field, Recorded } from "./model.ts";
import { type PlanStep, replacedBy } from "./plan-step.ts";

/** A step of a plan as a sentence for the user who decides on it. */
export function describeStep(step: PlanStep): string {
  const table = step.table.label;
  switch (step.kind) {
    case "addTable":
      return `Make the table ${table} with ${counted(step.table.fields.length, "field")}.`;
    case "removeTable":
      return `Remove the table ${table} with all its records.`;
    case "renameTable":
      return `Rename the table ${quoted(step.from)} to ${quoted(step.table.name)}.`;
    case "addField":
      return step.field.recorded === undefined
        ? `Add the field ${step.field.label} to ${table}.`
        : `Add the field ${step.field.label} to ${table}. It ${recordedLabels[step.field.recorded]}; for those that are there as far back as the history goes.`;
    case "removeField":
      return `Remove the field ${step.field.label} from ${table}, with what it holds.`;
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
      return `${records} of ${step.table.label} would be lost.`;
    case "removeField":
      return `What ${step.field.label} holds in ${records} would be lost.`;
    case "recomputeField":
      return `What users have entered into ${step.field.label} of ${records} would be lost.`;
    case "constrainField":
      return `What users have entered into ${step.field.label} of ${records} would be overwritten as they change.`;
    case "replaceOptions":
      return `${step.field.label} of ${records} has an option that would be no more, and would be emptied of it.`;
    case "retypeField":
      return `What ${step.field.label} holds in ${records} does not fit the new type and would be emptied or shortened.`;
    default:
      return "";
  }
}

const recordedLabels: Record<Recorded, string> = {
  createdAt: "says from now on when a record was made",
  createdBy: "says from now on who made a record",
  updatedAt: "says from now on when a record was last changed",
  updatedBy: "says from now on who last changed a record",
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
