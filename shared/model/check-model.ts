import { defaultLimits } from "../limits.ts";
import { clashingNames, tableNameProblem } from "./check-name.ts";
import { checkTable } from "./check-table.ts";
import { idOfField, idOfTable, type Model } from "./model.ts";
import { type ModelProblem, ProblemList } from "./model-problem.ts";

export interface ModelLimits {
  TABLE_MAX_FIELDS: number;
  MODEL_MAX_TABLES: number;
}

/**
 * All problems of a well-formed model; empty if it can be published. The model builder shows them while the user types;
 * the server refuses a model that has any.
 */
export function checkModel(model: Model, limits: ModelLimits = defaultLimits): ModelProblem[] {
  const problems = new ProblemList();
  const { tables } = model;
  if (tables.length > limits.MODEL_MAX_TABLES) {
    problems.at("tables").add(`A model has at most ${limits.MODEL_MAX_TABLES} tables.`);
  }
  for (const [index, earlier] of clashingNames(tables.map(({ name }) => name))) {
    const { name } = tables[index] ?? { name: "" };
    problems.at("tables", index, "name").add(tooSimilar("tables", name, earlier));
  }
  for (const index of repeated(tables.map(idOfTable))) {
    problems.at("tables", index, "id").add("Two tables have the same id.");
  }
  for (const [index, table] of tables.entries()) {
    const at = problems.at("tables", index);
    at.at("name").add(tableNameProblem(table.name));
    if (table.fields.length > limits.TABLE_MAX_FIELDS) {
      at.at("fields").add(`A table has at most ${limits.TABLE_MAX_FIELDS} fields.`);
    }
    for (const [place, earlier] of clashingNames(table.fields.map(({ name }) => name))) {
      const { name } = table.fields[place] ?? { name: "" };
      at.at("fields", place, "name").add(tooSimilar("fields", name, earlier));
    }
    for (const place of repeated(table.fields.map(idOfField))) {
      at.at("fields", place, "id").add("Two fields have the same id.");
    }
    checkTable(table, model, at);
  }
  return problems.found;
}

function tooSimilar(what: string, name: string, earlier: string): string {
  return name === earlier
    ? `Two ${what} are called ${JSON.stringify(name)}.`
    : `The ${what} ${JSON.stringify(earlier)} and ${JSON.stringify(name)} look the same.`;
}

function repeated(ids: readonly string[]): number[] {
  return ids.flatMap((id, index) => (ids.indexOf(id) < index ? [index] : []));
}
