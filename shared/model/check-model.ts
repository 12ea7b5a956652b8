import type { Explanation } from "../error-texts/explain.ts";
import { explainModel } from "../error-texts/model-texts.ts";
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
 * the server refuses a model that has any. What is larger than a limit is not checked further.
 */
export function checkModel(model: Model, limits: ModelLimits = defaultLimits): ModelProblem[] {
  const problems = new ProblemList();
  const { tables } = model;
  const hasTooMany = tables.length > limits.MODEL_MAX_TABLES;
  if (hasTooMany) {
    problems
      .at("tables")
      .add(explainModel("model.tooManyTables", { limit: limits.MODEL_MAX_TABLES }));
  }
  for (const [index, earlier] of clashingNames(tables.map(({ name }) => name))) {
    const { name } = tables[index] ?? { name: "" };
    problems.at("tables", index, "name").add(tooSimilar("Tables", name, earlier));
  }
  for (const index of repeated(tables.map(idOfTable))) {
    problems.at("tables", index, "id").add(explainModel("model.sameTableIds"));
  }
  for (const [index, table] of tables.entries()) {
    const at = problems.at("tables", index);
    at.at("name").add(tableNameProblem(table.name));
    if (table.fields.length > limits.TABLE_MAX_FIELDS) {
      at.at("fields").add(explainModel("model.tooManyFields", { limit: limits.TABLE_MAX_FIELDS }));
      continue;
    }
    if (hasTooMany) continue;
    for (const [place, earlier] of clashingNames(table.fields.map(({ name }) => name))) {
      const { name } = table.fields[place] ?? { name: "" };
      at.at("fields", place, "name").add(tooSimilar("Fields", name, earlier));
    }
    for (const place of repeated(table.fields.map(idOfField))) {
      at.at("fields", place, "id").add(explainModel("model.sameFieldIds"));
    }
    checkTable(table, model, at);
  }
  return problems.found;
}

function tooSimilar(what: "Tables" | "Fields", name: string, earlier: string): Explanation {
  const names = { name: JSON.stringify(name), earlier: JSON.stringify(earlier) };
  return name === earlier
    ? explainModel(`model.same${what}`, { name: names.name })
    : explainModel(`model.similar${what}`, names);
}

function repeated(ids: readonly string[]): number[] {
  const earlier = new Set<string>();
  return ids.flatMap((id, index) => (earlier.size === earlier.add(id).size ? [index] : []));
}
