/**
 * Validates a value by the subset of JSON Schema that the display's messages use (client/wall-schemas.ts): types,
 * properties, lists, choices and bounds. A test checks that the schemas use no other keyword.
 */
export interface Schema {
  /** One type, or several for nullable values. */
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  pattern?: string;
}

export const knownKeywords = [
  "type",
  "const",
  "enum",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "oneOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "minLength",
  "maxLength",
  "maxItems",
  "pattern",
];

export function fitsSchema(schema: Schema, value: unknown): boolean {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !choices.some((choice) => fitsSchema(choice, value))) return false;
  if ("const" in schema && value !== schema.const) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  const { type } = schema;
  if (type === undefined) return true;
  if (typeof type === "string") return fitsType(schema, type, value);
  return type.some((one) => fitsType(schema, one, value));
}

function fitsType(schema: Schema, type: string, value: unknown): boolean {
  switch (type) {
    case "object":
      return isObject(value) && fitsObject(schema, value);
    case "array":
      return Array.isArray(value) && fitsArray(schema, value);
    case "string":
      return typeof value === "string" && fitsText(schema, value);
    case "integer":
      return Number.isInteger(value) && fitsNumber(schema, value as number);
    case "number":
      return typeof value === "number" && fitsNumber(schema, value);
    case "boolean":
      return typeof value === "boolean";
    case "null":
      return value === null;
    default:
      return false;
  }
}

function fitsObject(schema: Schema, value: Record<string, unknown>): boolean {
  const { properties = {}, required = [], additionalProperties: more = true } = schema;
  if (!required.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([name, part]) => {
    const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own) return fitsSchema(own, part);
    // Unknown properties from a newer server are ignored, not rejected.
    return typeof more === "boolean" || fitsSchema(more, part);
  });
}

function fitsArray({ items = {}, maxItems = Infinity }: Schema, value: unknown[]): boolean {
  return value.length <= maxItems && value.every((part) => fitsSchema(items, part));
}

function fitsText({ minLength = 0, maxLength = Infinity, pattern }: Schema, value: string) {
  if (value.length < minLength || value.length > maxLength) return false;
  return pattern === undefined || new RegExp(pattern, "u").test(value);
}

function fitsNumber(schema: Schema, value: number): boolean {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  return value >= minimum && value <= maximum && value > exclusiveMinimum;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
