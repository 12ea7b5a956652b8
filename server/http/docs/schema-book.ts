import { z } from "zod";

type Part = Record<string, unknown>;

/**
 * Collects named schemas for an OpenAPI document. Zod puts the recursive parts of a schema into its own
 * `$defs`, which are not valid inside another document: they are moved to the components and the references
 * follow.
 */
export class SchemaBook {
  readonly schemas: Record<string, Part> = {};

  /** Adds a schema and returns a reference to it. */
  add(name: string, schema: z.ZodType, io: "input" | "output"): Part {
    const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
    const { $defs = {}, ...own } = jsonSchema;
    this.schemas[name] = redirect(own, name) as Part;
    for (const [part, definition] of Object.entries($defs)) {
      this.schemas[name + part] = redirect(definition, name) as Part;
    }
    return { schema: { $ref: `#/components/schemas/${name}` } };
  }
}

function redirect(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => redirect(item, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) =>
      key === "$ref" && typeof part === "string"
        ? [key, target(part, name)]
        : [key, redirect(part, name)],
    ),
  );
}

/** `#` is the schema itself, `#/$defs/x` one of its parts. */
function target(reference: string, name: string): string {
  return `#/components/schemas/${name}${reference.replace(/^#(\/\$defs\/)?/, "")}`;
}
