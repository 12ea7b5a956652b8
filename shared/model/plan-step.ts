import type { Field, Table } from "./model.ts";
import { recordsChanges } from "./recorded.ts";

/**
 * One step from a model to the next. Steps are in the order of application; a table has the name that it has
 * at that step: renamed ones their new name.
 */
export type PlanStep =
  | { kind: "addTable"; table: Table }
  | { kind: "removeTable"; table: Table }
  | { kind: "renameTable"; table: Table; from: string }
  | { kind: "addField"; table: Table; field: Field }
  | { kind: "removeField"; table: Table; field: Field }
  | { kind: "renameField"; table: Table; field: Field; from: string }
  | { kind: "retypeField"; table: Table; field: Field; from: Field }
  /** Newly computed, or computed differently. */
  | { kind: "recomputeField"; table: Table; field: Field; from: Field }
  /** Changes of storage: required, unique, indexed, default, link. */
  | { kind: "constrainField"; table: Table; field: Field; from: Field }
  /** Removed options that records hold. */
  | { kind: "replaceOptions"; table: Table; field: Field; from: Field; gone: string[] }
  /** Labels and rules only: nothing in the database changes. */
  | { kind: "describeField"; table: Table; field: Field; from: Field; properties: string[] }
  | { kind: "orderFields"; table: Table }
  /** The order of the tables for users; `table` is the first of them. */
  | { kind: "orderTables"; table: Table; order: string[] }
  | { kind: "describeTable"; table: Table; properties: string[] }
  /** Where days begin. No table is concerned: `table` is `noTable`. */
  | { kind: "changeZone"; table: Table; from: string; to: string };

/** In place of a table, of a step that concerns the whole model. */
export const noTable: Table = {
  ...{ id: "", name: "", label: "", recordLabel: "", display: "" },
  ...{ fields: [], columns: [], sort: [] },
};

/** Steps that change how a table's records are read: clients must fetch them again. */
export function changesShape({ kind }: PlanStep): boolean {
  return shapes.has(kind);
}

const shapes: ReadonlySet<PlanStep["kind"]> = new Set([
  "renameTable",
  "addField",
  "removeField",
  "renameField",
  "retypeField",
  "recomputeField",
]);

/** Whether a step can lose data that users entered; the database knows how much. */
export function mayLose(step: PlanStep): boolean {
  if (step.kind === "recomputeField") return step.from.expression === undefined;
  if (step.kind === "constrainField") return overwrites(step);
  if (step.kind === "replaceOptions") return true;
  const { kind } = step;
  return kind === "removeTable" || kind === "removeField" || kind === "retypeField";
}

/** Whether entered values are replaced by recorded ones, record by record as they change. */
export function overwrites({
  field,
  from,
}: PlanStep & { kind: "constrainField" | "retypeField" }): boolean {
  return recordsChanges(field) && from.recorded !== field.recorded;
}

/** The replacement of a removed option; undefined if there is none. */
export function replacedBy({ field }: { field: Field }, gone: string): string | undefined {
  return field.options?.find(({ formerly }) => formerly?.includes(gone))?.value;
}
