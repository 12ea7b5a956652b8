import type { Explanation } from "../error-texts/explain.ts";
import { explainModel } from "../error-texts/model-texts.ts";
import { checkFilter } from "../filter/check-filter.ts";
import { checkField } from "./check-field.ts";
import { checkWorkflow } from "./check-workflow.ts";
import { kindOfType } from "./field-types.ts";
import { type Field, fieldKinds, findField, type Model, type Table } from "./model.ts";
import type { ProblemList } from "./model-problem.ts";
import { isReadOnly } from "./recorded.ts";

/** The problems of one table of a model. */
export function checkTable(table: Table, model: Model, problems: ProblemList): void {
  if (table.fields.length === 0) problems.at("fields").add(explainModel("model.noFields"));
  for (const [index, field] of table.fields.entries()) {
    checkField(field, { table, model }, problems.at("fields", index));
  }
  problems.at("display").add(table.display !== "id" && missing(table, table.display));
  for (const part of ["columns", "sort"] as const) {
    for (const [index, name] of table[part].entries()) {
      problems.at(part, index).add(missing(table, part === "sort" ? name.replace(/^-/, "") : name));
    }
  }
  for (const [index, name] of table.sort.entries()) {
    const field = findField(table, name.replace(/^-/, ""));
    problems.at("sort", index).add(field && unsortable(field));
  }
  const { idFrom, stateField } = table;
  if (idFrom !== undefined) {
    problems
      .at("idFrom")
      .add(missing(table, idFrom) ?? notOfKind(table, idFrom) ?? notFilled(table, idFrom));
  }
  if (stateField !== undefined) {
    const field = findField(table, stateField);
    const isSelect = field?.type === "select";
    problems.at("stateField").add(!isSelect && explainModel("model.stateField"));
  }
  checkWorkflow(table, problems.at("workflow"));
  const kinds = fieldKinds(table);
  for (const [index, rule] of (table.rules ?? []).entries()) {
    const found = checkFilter(rule.filter, kinds);
    problems.at("rules", index, "filter").add(found);
  }
}

function missing(table: Table, name: string): Explanation | null {
  return findField(table, name)
    ? null
    : explainModel("model.unknownField", { field: JSON.stringify(name) });
}

function notOfKind(table: Table, name: string): Explanation | null {
  const field = findField(table, name);
  const isText = field && kindOfType[field.type] === "text";
  return isText ? null : explainModel("model.idFromText");
}

function notFilled(table: Table, name: string): Explanation | false {
  const field = findField(table, name);
  return field !== undefined && isReadOnly(field) && explainModel("model.idFromUnfilled");
}

function unsortable(field: Field): Explanation | false {
  const kind = kindOfType[field.type];
  return (kind === "json" || kind === "list") && explainModel("model.sort", { field: field.label });
}
