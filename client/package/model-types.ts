import type { Json, ValueKind } from "../../shared/filter/filter.ts";
import { type FieldType, kindOfType } from "../../shared/model/field-types.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import { neededFields } from "../../shared/model/needed-fields.ts";
import { isReadOnly } from "../../shared/model/recorded.ts";
import { governedBy } from "../../shared/model/state-of.ts";

/** Of a list, that of one item. */
const typeOfKind: Readonly<Record<ValueKind, string>> = {
  text: "string",
  integer: "Integer",
  decimal: "string",
  boolean: "boolean",
  date: "Day",
  timestamp: "Instant",
  list: "string",
  json: "Json",
};

/** A duration is whole seconds, and never beyond 2^53. */
const typeOf = (type: FieldType) => (type === "duration" ? "number" : typeOfKind[kindOfType[type]]);

/**
 * TypeScript types of the tables of a model, for `connect<Tables>()` (table-types.ts). Decimals and links are texts; dates and
 * instants are texts of their form. Every value may be empty.
 */
export function modelTypes(model: Model): string {
  const tables = model.tables.map(tableType).join("\n");
  return `// Written by watchfloor-client. Don't edit it: write it again when the model has changed.
import type { Day, Instant, Integer, Json } from "@watchfloor/client";

export interface Tables {
${tables}
}

export type { Day, Instant, Integer, Json };
`;
}

function tableType(table: Table): string {
  const { name, label, fields } = table;
  const governed = governedBy(table);
  const transitions = governed?.workflow.transitions.map((one) => one.name) ?? [];
  const filled = fields.filter(isReadOnly).map((field) => field.name);
  return `  /** ${commentText(label)} */
  ${JSON.stringify(name)}: {
    values: {
${fields.map(fieldType).join("\n")}
    };
    required: ${unionOf(neededFields(table, {}).map((field) => field.name))};
    filled: ${unionOf(filled)};
    stateField: ${unionOf(governed ? [governed.stateField] : [])};
    transitions: ${unionOf(transitions)};
  };`;
}

function unionOf(texts: readonly Json[]): string {
  return texts.map((text) => JSON.stringify(text)).join(" | ") || "never";
}

function fieldType({ name, label, type, options }: Field): string {
  const values = options?.map(({ value }) => JSON.stringify(value)).join(" | ");
  const one = values || typeOf(type);
  const text = type === "multiSelect" ? `(${one})[]` : one;
  return `      /** ${commentText(label)} */\n      ${JSON.stringify(name)}: ${text} | null;`;
}

/** A label can't end the comment. */
function commentText(label: string): string {
  return label.replaceAll("*/", "* /").replace(/\s+/g, " ");
}
