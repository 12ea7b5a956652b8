import { deepEqual } from "../document/deep-equal.ts";
import { type Explanation, quote } from "../error-texts/explain.ts";
import { explainPlan } from "../error-texts/plan-texts.ts";
import { type Field, logKeyOf } from "./model.ts";
import { type PlanStep, replacedBy } from "./plan-step.ts";

/** A step of a plan as a sentence for the user who decides on it. */
export function describeStep(step: PlanStep): Explanation {
  const table = step.table.label;
  switch (step.kind) {
    case "addTable":
      return explainPlan("plan.addTable", { table, count: step.table.fields.length });
    case "removeTable":
      return explainPlan("plan.removeTable", { table });
    case "renameTable":
      return explainPlan("plan.renameTable", { from: step.from, to: step.table.name });
    case "addField": {
      const { label: field, recorded } = step.field;
      if (recorded === undefined) return explainPlan("plan.addField", { table, field });
      const values = { table, field, recorded: explainPlan(`recorded.${recorded}`) };
      return explainPlan("plan.addRecordedField", values);
    }
    case "removeField":
      return explainPlan("plan.removeField", { table, field: step.field.label });
    case "renameField":
      return explainPlan("plan.renameField", { table, from: step.from, to: step.field.name });
    case "retypeField": {
      const changes = [typeOf(step.field), ...constraintsOf(step.from, step.field)];
      const values = { table, field: step.field.label, from: typeOf(step.from), changes };
      return explainPlan("plan.retypeField", values);
    }
    case "recomputeField": {
      const isNew = step.from.expression === undefined;
      const beginsAnew = logKeyOf(step.from) !== logKeyOf(step.field);
      const { label: field, expression = "" } = step.field;
      const again = beginsAnew ? "plan.recomputeFieldAnew" : "plan.recomputeField";
      const key = isNew ? "plan.computeField" : again;
      return explainPlan(key, { table, field, expression });
    }
    case "constrainField": {
      const changes = constraintsOf(step.from, step.field);
      return explainPlan("plan.constrainField", { table, field: step.field.label, changes });
    }
    case "replaceOptions": {
      const changes = step.gone.map((value) => describeRemovedOption(step, value));
      return explainPlan("plan.constrainField", { table, field: step.field.label, changes });
    }
    case "describeField": {
      const properties = step.properties.map((name) => identifier("property", name));
      return explainPlan("plan.describeField", { table, field: step.field.label, properties });
    }
    case "orderFields":
      return explainPlan("plan.orderFields", { table });
    case "changeZone":
      return explainPlan("plan.changeZone", { from: step.from, to: step.to });
    case "orderTables":
      return explainPlan("plan.orderTables", { tables: step.order });
    case "describeTable": {
      const properties = step.properties.map((name) => identifier("property", name));
      return explainPlan("plan.describeTable", { table, properties });
    }
  }
}

/** What a lossy step would lose, once it has been counted. */
export function describeLoss(step: PlanStep, rows: number): Explanation {
  if (!("field" in step)) return explainPlan("plan.losesTable", { table: step.table.label, rows });
  const values = { field: step.field.label, rows };
  switch (step.kind) {
    case "recomputeField":
      return explainPlan("plan.losesEntered", values);
    case "constrainField":
      return explainPlan("plan.overwrites", values);
    case "replaceOptions":
      return explainPlan("plan.losesOptions", values);
    case "retypeField":
      return explainPlan("plan.losesUnfit", values);
    default:
      return explainPlan("plan.losesField", values);
  }
}

/** A name of the model file. Screens word it by its key; in English it stays as it is written there. */
function identifier(kind: "type" | "property", name: string): Explanation {
  return { ...quote(name), messageKey: `${kind}.${name}` };
}

const flags = {
  required: ["plan.required", "plan.notRequired"],
  unique: ["plan.unique", "plan.notUnique"],
  indexed: ["plan.indexed", "plan.notIndexed"],
} as const;

function constraintsOf(from: Field, to: Field): Explanation[] {
  const found: Explanation[] = [];
  const isFreed = from.expression !== undefined && to.expression === undefined;
  if (isFreed) found.push(explainPlan("plan.freed"));
  for (const flag of ["required", "unique", "indexed"] as const) {
    if (Boolean(from[flag]) === Boolean(to[flag])) continue;
    found.push(explainPlan(flags[flag][to[flag] ? 0 : 1]));
  }
  const differs = (property: "default" | "automatic" | "onDelete") =>
    !deepEqual(from[property], to[property]);
  if (from.recorded !== to.recorded) {
    const { recorded } = to;
    found.push(explainPlan(recorded ? `recorded.${recorded}` : "plan.unrecorded"));
  }
  if (differs("default")) found.push(explainPlan("plan.default"));
  if (differs("automatic")) found.push(explainPlan("plan.automatic"));
  if (differs("onDelete")) {
    found.push(explainPlan(to.onDelete === "unlink" ? "plan.unlink" : "plan.keepTarget"));
  }
  return found;
}

function describeRemovedOption(
  step: PlanStep & { kind: "replaceOptions" },
  value: string,
): Explanation {
  const labelIn = (of: Field, one: string) =>
    of.options?.find((known) => known.value === one)?.label ?? one;
  const option = labelIn(step.from, value);
  const replacement = replacedBy(step, value);
  if (replacement === undefined) return explainPlan("plan.optionRemoved", { option });
  const values = { option, replacement: labelIn(step.field, replacement) };
  return explainPlan("plan.optionReplaced", values);
}

function typeOf({ type: name, scale, target }: Field): Explanation {
  const type = identifier("type", name);
  if (target !== undefined) return explainPlan("plan.linkType", { type, target });
  return scale === undefined ? type : explainPlan("plan.scaledType", { type, scale });
}
