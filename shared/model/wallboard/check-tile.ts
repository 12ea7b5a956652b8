import { explain } from "../../error-texts/explain.ts";
import { explainModel } from "../../error-texts/model-texts.ts";
import { checkFilter } from "../../filter/check-filter.ts";
import type { Filter, ValueKind } from "../../filter/filter.ts";
import { isOrdered } from "../../filter/ordering.ts";
import { isTemporal } from "../../filter/value-kinds.ts";
import { kindOfType } from "../field-types.ts";
import { optionsIn } from "../migrate-filter.ts";
import { type Field, fieldKinds, findField, findTable, type Model, type Table } from "../model.ts";
import { type ModelProblem, ProblemList } from "../model-problem.ts";
import { isGroupable, isMeasurable } from "../view/summary-ops.ts";
import type { DataTile, Tile } from "./tile.ts";
import { isDataTile } from "./tile.ts";
import { type Measure, orderTerms, type Time } from "./tile-parts.ts";

/**
 * All problems of a tile under a model; empty if it can be evaluated. Pass the model as its reader may see
 * it: then hidden parts are answered like missing ones.
 */
export function checkTile(tile: Tile, model: Model, problems = new ProblemList()): ModelProblem[] {
  if (!isDataTile(tile)) return problems.found;
  const table = findTable(model, tile.table);
  if (!table) {
    problems.at("table").add(explainModel("model.unknownTable", { table: tile.table }));
    return problems.found;
  }
  const check = new TileCheck(table, problems);
  check.filter(tile.filter, "filter");
  check.measure(tile.measure);
  checkKind(tile, check, problems);
  return problems.found;
}

function checkKind(tile: DataTile, check: TileCheck, problems: ProblemList): void {
  switch (tile.kind) {
    case "number":
      if (tile.trend) check.time(tile.trend, "trend");
      return;
    case "trend":
      check.time(tile.time, "time");
      if (tile.group !== undefined) check.field(tile.group, isGroup, "group");
      return;
    case "breakdown":
    case "lights":
      check.field(tile.group, isGroup, "group");
      for (const term of orderTerms(tile.order)) {
        if (/^-?(value|key)$/.test(term)) continue;
        problems.at("order").add(explainModel("tile.order", { order: term }));
      }
      return;
    case "queue":
      for (const term of orderTerms(tile.order))
        check.field(term.replace(/^-/, ""), isOrdered, "order");
      for (const name of tile.fields ?? []) check.field(name, null, "fields");
      return;
    case "activity":
      for (const name of tile.fields ?? []) check.field(name, null, "fields");
      return;
    case "progress":
      check.filter(tile.of?.filter, "of", "filter");
      if ((tile.target === undefined) === (tile.of === undefined)) {
        problems.at("target").add(explainModel("tile.target"));
      }
      return;
  }
}

/** Values that are few and comparable. */
const isGroup = (kind: ValueKind) => isGroupable(kind, undefined);

class TileCheck {
  readonly #table: Table;
  readonly #problems: ProblemList;

  constructor(table: Table, problems: ProblemList) {
    this.#table = table;
    this.#problems = problems;
  }

  /** An option that was removed would count nothing, and its number would look right. */
  filter(filter: Filter | null | undefined, ...path: string[]): void {
    if (!filter) return;
    const at = this.#problems.at(...path);
    at.add(checkFilter(filter, fieldKinds(this.#table)));
    for (const { field, option } of optionsIn(filter, this.#table)) {
      if (field.options?.some(({ value }) => value === option)) continue;
      at.add(explainModel("tile.unknownOption", { field: field.label, option }));
    }
  }

  measure({ op, field, percentile }: Measure): void {
    if (percentile !== undefined && op !== "percentile") {
      this.#problems
        .at("measure", "percentile")
        .add(explainModel("tile.noPercentile", { measure: op }));
    }
    if (op === "count") {
      if (field !== undefined)
        this.#problems.at("measure", "field").add(explainModel("tile.countField"));
      return;
    }
    if (field === undefined) {
      this.#problems.at("measure", "field").add(explainModel("tile.needsField", { measure: op }));
      return;
    }
    this.field(field, (kind) => isMeasurable(op, kind), "measure", "field");
  }

  time({ field: name, bucket }: Time, path: string): void {
    this.field(name, isTemporal, path, "field");
    const field = findField(this.#table, name);
    if (field && kindOf(field) === "date" && (bucket === "minute" || bucket === "hour")) {
      this.#problems
        .at(path, "bucket")
        .add(explainModel(`tile.${bucket}s`, { field: field.label }));
    }
  }

  field(name: string, fits: ((kind: ValueKind) => boolean) | null, ...path: string[]): void {
    const field = name === "id" ? undefined : findField(this.#table, name);
    const at = this.#problems.at(...path);
    if (!field) at.add(explain("filter.unknownField", { field: name }));
    else if (fits && !fits(kindOf(field)))
      at.add(explainModel("tile.unfit", { field: field.label }));
  }
}

function kindOf(field: Field): ValueKind {
  return kindOfType[field.type];
}
