import { z } from "zod";
import { filterSchema } from "../../../shared/filter/filter.ts";

export type Part = Record<string, unknown>;

/**
 * Collects named schemas for an OpenAPI document. A schema with an `id` in its metadata is one component, wherever it is
 * used. Any JSON is the component `Json`, without recursion, so that generated clients can write values.
 */
export class SchemaBook {
  readonly schemas: Record<string, Part> = { Json: { description: "Any JSON value." } };

  /** Adds a schema and returns a reference to it. */
  add(name: string, schema: z.ZodType, io: "input" | "output"): Part {
    const { $schema: _, ...whole } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema, io),
    });
    const { $defs = {}, ...own } = whole as Part & { $defs?: Record<string, Part> };
    const names = Object.fromEntries(
      Object.entries($defs).map(([part, of]) => [part, isAnyJson(of) ? "Json" : part]),
    );
    for (const [part, definition] of Object.entries($defs)) {
      if (names[part] !== "Json") this.#set(part, redirect(definition, names));
    }
    const target = redirect(own, names);
    if (typeof target.$ref === "string") return target;
    this.#set(name, target);
    return { $ref: `#/components/schemas/${name}` };
  }

  #set(name: string, schema: Part): void {
    const known = this.schemas[name];
    if (name.startsWith("__") || (known && JSON.stringify(known) !== JSON.stringify(schema))) {
      throw new Error(`The schema ${name} needs an id of its own in its metadata.`);
    }
    this.schemas[name] = schema;
  }
}

/** Answers may get further properties, and every key of a JSON object is a string. */
function simplify(schema: z.core.$ZodTypes, json: Part, io: "input" | "output"): void {
  if ((schema as unknown) === filterSchema) json.$ref = "#/$defs/Filter";
  if (schema._zod.def.type === "object" && io === "output" && !schema._zod.def.catchall) {
    delete json.additionalProperties;
  }
  delete json.propertyNames;
}

/** The recursive definition that zod makes of `z.json()`. */
function isAnyJson({ anyOf }: Part): boolean {
  const types = Array.isArray(anyOf) ? anyOf.map(({ type }) => type).join() : "";
  return types === "string,number,boolean,null,array,object";
}

/** Moves references from zod's `$defs` to the components. */
function redirect(value: Part, names: Readonly<Record<string, string>>): Part {
  const text = JSON.stringify(value);
  const moved = text.replace(/"#\/\$defs\/(\w+)"/g, (_all, part: string) =>
    JSON.stringify(`#/components/schemas/${names[part] ?? part}`),
  );
  return JSON.parse(moved);
}
