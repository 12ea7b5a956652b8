import type { Field, Table } from "./model.ts";
import { recordsChanges } from "./recorded.ts";

/**
 * One step from a model to the next. Steps are in the order in which they can be applied; a table is
 * spoken of as it is called at that step: renamed ones by their new name.
 */
export type PlanStep =
  | { kind: "addTable"; table: Table }
  | { kind: "removeTable"; table: Table }
  | { kind: "renameTable"; table: Table; from: string }
  | { kind: "addField"; table: Table; field: Field }
  | { kind: "removeField"; table: Table; field: Field }
  | { kind: "renameField"; table: Table; field: Field; from: string }
  | { kind: "retypeField"; table: Table; field: Field; from: Field }
  /** Worked out from others from now on, or otherwise than before. */
  | { kind: "recomputeField"; table: Table; field: Field; from: Field }
  /** How the database keeps it: required, unique, indexed, default, link. */
  | { kind: "constrainField"; table: Table; field: Field; from: Field }
  /** Options that are no more, whatever records hold them. */
  | { kind: "replaceOptions"; table: Table; field: Field; from: Field; gone: string[] }
  /** Words and rules alone: nothing in the database changes. */
  | { kind: "describeField"; table: Table; field: Field; from: Field; properties: string[] }
  | { kind: "orderFields"; table: Table }
  /** The order in which people see the tables; `table` is the first of them. */
  | { kind: "orderTables"; table: Table; order: string[] }
  | { kind: "describeTable"; table: Table; properties: string[] };

/** Steps after which a table's records read otherwise: whoever holds some must fetch them anew. */
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

/** Whether a step can lose what people have entered; how much is a question to the database. */
export function mayLose(step: PlanStep): boolean {
  if (step.kind === "recomputeField") return step.from.expression === undefined;
  if (step.kind === "constrainField") return overwrites(step);
  if (step.kind === "replaceOptions") return true;
  const { kind } = step;
  return kind === "removeTable" || kind === "removeField" || kind === "retypeField";
}

/** Whether what people have filled in gives way to what is recorded, record by record as they change. */
export function overwrites({
  field,
  from,
}: PlanStep & { kind: "constrainField" | "retypeField" }): boolean {
  return recordsChanges(field) && from.recorded !== field.recorded;
}

/** The option that stands for one that is no more; undefined where none does. */
export function replacedBy({ field }: { field: Field }, gone: string): string | undefined {
  return field.options?.find(({ formerly }) => formerly?.includes(gone))?.value;
}
