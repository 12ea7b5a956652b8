import { z } from "zod";
import { frameSchema, provenSchema, tilesAnswerSchema } from "../shared/protocol/frame.ts";
import { displayProgramSchema, goodbyeSchema, noticeSchema } from "../shared/protocol/signals.ts";

/**
 * The wire of the wall as plain data, made from the same schemas that the server checks by. The player
 * reads this (src/display/wire), so that its 130 kB need not hold the schema library, which is 26 kB.
 */
const MODULE = "virtual:wall-schemas";

const schemas = {
  display: displayProgramSchema,
  frame: frameSchema,
  proven: provenSchema,
  goodbye: goodbyeSchema,
  notice: noticeSchema,
  "answer to tiles": tilesAnswerSchema,
};

/** Vite's half: `import schemas from "virtual:wall-schemas"`. */
export function wallSchemas() {
  const resolved = `\0${MODULE}`;
  return {
    name: "wall-schemas",
    resolveId: (id: string) => (id === MODULE ? resolved : null),
    load: (id: string) =>
      id === resolved ? `export const schemas = ${JSON.stringify(plainSchemas())};` : null,
  };
}

/** The schemas by the name of their message. */
export function plainSchemas(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, plain(z.toJSONSchema(schema))]),
  );
}

/** What needs no check is left out: any JSON value fits a reference to "any JSON value". */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== "object" || schema === null) return schema;
  if ("$ref" in schema) return {};
  const dropped = new Set(["$schema", "$defs", "propertyNames"]);
  const remaining = Object.entries(schema).filter(([key]) => !dropped.has(key));
  return Object.fromEntries(remaining.map(([key, value]) => [key, plain(value)]));
}
