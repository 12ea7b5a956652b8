import type { ValueKind } from "../../shared/filter/filter.ts";
import { type FieldType, kindOfType } from "../../shared/model/field-types.ts";
import type { Field, Model, Table } from "../../shared/model/model.ts";

/** Of a list, that of one item. */
const typeOfKind: Readonly<Record<ValueKind, string>> = {
  text: "string",
  integer: "number | string",
  decimal: "string",
  boolean: "boolean",
  date: "string",
  timestamp: "string",
  list: "string",
  json: "Json",
};

/** A duration is whole seconds, and never beyond 2^53. */
const typeOf = (type: FieldType) => (type === "duration" ? "number" : typeOfKind[kindOfType[type]]);

/**
 * TypeScript types of the tables of a model, for `connect<Tables>()`. Decimals, dates and links are texts; an integer
 * beyond 2^53 is one too. Every value may be empty.
 */
export function modelTypes(model: Model): string {
  const tables = model.tables.map(tableType).join("\n");
  return `// Written by watchfloor-client. Don't edit it: write it again when the model has changed.
import type { Json } from "@watchfloor/client";

export interface Tables {
${tables}
}

export type { Json };
`;
}

function tableType({ name, label, fields, workflow }: Table): string {
  const transitions = workflow?.transitions.map((one) => JSON.stringify(one.name)) ?? [];
  return `  /** ${commentText(label)} */
  ${JSON.stringify(name)}: {
    values: {
${fields.map(fieldType).join("\n")}
    };
    transitions: ${transitions.join(" | ") || "never"};
  };`;
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
