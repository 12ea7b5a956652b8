import { type Explanation, explain, explanationOf } from "../error-texts/explain.ts";
import { explainModel } from "../error-texts/model-texts.ts";
import { fieldNameProblem } from "./check-name.ts";
import { checkExpression } from "./expression/check-expression.ts";
import { hasProperty, type TypeProperty, traitsOf, typeProperties } from "./field-types.ts";
import { isNowByDefault } from "./initial-value.ts";
import { type Field, findField, findTable, type Model, type Table } from "./model.ts";
import type { ProblemList } from "./model-problem.ts";
import { normalizeValue } from "./normalize-value.ts";
import { patternProblem } from "./pattern/pattern.ts";
import { isReadOnly, recordedTypes } from "./recorded.ts";

/** The problems of one field that follow from its table and the model around it. */
export function checkField(
  field: Field,
  { table, model }: { table: Table; model: Model },
  problems: ProblemList,
): void {
  problems.at("name").add(fieldNameProblem(field.name));
  for (const property of typeProperties) {
    if (ownProblem.has(property) || field[property] === undefined) continue;
    if (!hasProperty(field.type, property)) {
      problems.at(property).add(explainModel("model.property", { property }));
    }
  }
  checkOptions(field, problems);
  if (field.type === "link") {
    const isThere = field.target !== undefined && findTable(model, field.target);
    problems.at("target").add(!isThere && explainModel("model.target"));
    problems
      .at("onDelete")
      .add(field.required && field.onDelete === "unlink" && explainModel("model.requiredLink"));
  }
  checkBounds(field, problems);
  checkPattern(field, problems);
  checkInitial(field, problems);
  checkComputed(field, table, problems);
  checkRecorded(field, problems);
  for (const property of ["unique", "indexed"] as const) {
    if (field[property]) problems.at(property).add(unindexable(field));
  }
  checkDerivation(field, table, problems);
}

/** A derivation must read fields that users fill, and its results must fit. */
function checkDerivation(field: Field, table: Table, problems: ProblemList): void {
  const { derive } = field;
  if (!derive) return;
  const at = problems.at("derive");
  at.add(derive.fields.length === 0 && explainModel("model.deriveFrom"));
  for (const [index, name] of derive.fields.entries()) {
    const read = name === field.name ? undefined : findField(table, name);
    at.at("fields", index).add(
      !read && explainModel("model.noOtherField", { field: JSON.stringify(name) }),
    );
    at.at("fields", index).add(
      read && isReadOnly(read) && explainModel("model.deriveUnfilled", { field: name }),
    );
  }
  if (field.pattern !== undefined && patternProblem(field.pattern)) return;
  for (const [key, value] of Object.entries(derive.values)) {
    const normalized = normalizeValue(field, value);
    at.at("values", key).add(
      !normalized.ok &&
        explainModel("model.deriveValue", {
          key: JSON.stringify(key),
          problem: explanationOf(normalized.problem),
        }),
    );
  }
}

/** A field that nobody fills can't have the properties of a field that users fill. */
const inputConstraints = [
  "required",
  "unique",
  "immutable",
  "default",
  "automatic",
  "derive",
  "minimum",
  "maximum",
  "pattern",
  "patternHint",
] as const;

function checkComputed(field: Field, table: Table, problems: ProblemList): void {
  if (field.expression === undefined) return;
  const found = checkExpression(field, table);
  const isPlaced = found !== null && found.at > 0;
  problems
    .at("expression")
    .add(
      isPlaced
        ? explain("expression.at", { problem: explanationOf(found), place: found.at + 1 })
        : found,
    );
  requireNoConstraints(field, "computed", problems);
}

function checkRecorded(field: Field, problems: ProblemList): void {
  const { recorded, type, expression } = field;
  if (recorded === undefined) return;
  const at = problems.at("recorded");
  at.add(type !== recordedTypes[recorded] && explainModel("model.recordedType"));
  at.add(expression !== undefined && explainModel("model.recordedComputed"));
  requireNoConstraints(field, "recorded", problems);
}

function requireNoConstraints(
  field: Field,
  what: "computed" | "recorded",
  problems: ProblemList,
): void {
  for (const property of inputConstraints) {
    const isSet = field[property] !== undefined && field[property] !== false;
    problems.at(property).add(isSet && explainModel(`model.${what}Property`, { property }));
  }
}

/** What says more than that a property does not belong to the type. */
const ownProblem: ReadonlySet<TypeProperty> = new Set(["unique", "indexed", "expression"]);

function checkOptions(field: Field, problems: ProblemList): void {
  if (!hasProperty(field.type, "options")) return;
  const values = (field.options ?? []).map(({ value }) => value);
  if (values.length === 0) problems.at("options").add(explainModel("model.noOptions"));
  for (const [index, value] of values.entries()) {
    const isTwice = values.indexOf(value) < index;
    problems
      .at("options", index)
      .add(isTwice && explainModel("model.sameOptions", { option: JSON.stringify(value) }));
    const isNormal = value.normalize("NFC") === value && !value.includes("\0");
    problems.at("options", index).add(!isNormal && explainModel("model.optionCharacters"));
  }
}

function checkBounds({ minimum, maximum }: Field, problems: ProblemList): void {
  if (minimum === undefined || maximum === undefined || minimum <= maximum) return;
  problems.at("minimum").add(explainModel("model.bounds"));
}

function checkPattern({ pattern, type }: Field, problems: ProblemList): void {
  if (pattern === undefined) return;
  problems.at("pattern").add(patternProblem(pattern, traitsOf(type).maxLength));
}

/** The default must be a value that the field allows. */
function checkInitial(field: Field, problems: ProblemList): void {
  if (field.default === undefined || isReadOnly(field)) return;
  if (field.automatic) problems.at("default").add(explainModel("model.numberedDefault"));
  if (field.pattern !== undefined && patternProblem(field.pattern)) return;
  if (isNowByDefault(field)) return;
  const normalized = normalizeValue(field, field.default);
  problems
    .at("default")
    .add(
      !normalized.ok &&
        explainModel("model.default", { problem: explanationOf(normalized.problem) }),
    );
}

/** An index holds at most a third of a page, and has no order for lists. */
function unindexable({ type }: Field): Explanation | false {
  return !hasProperty(type, "indexed") && explainModel("model.unindexable");
}
