import type { Part } from "./schema-book.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Escapes a text for content and for double-quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);
}

/** The parts of a JSON Schema that our documents use. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Part[];
  oneOf?: Part[];
  allOf?: Part[];
  items?: Part;
  properties?: Record<string, Part>;
  required?: string[];
  additionalProperties?: Part | boolean;
  description?: string;
  examples?: unknown[];
}

const componentPath = /^#\/components\/schemas\//;

/** A schema in the notation of TypeScript, as HTML: named schemas are links to where they are described. */
export function typeHtml(schema: Part, indent = ""): string {
  const { $ref, type, enum: options, const: constant, items, ...more }: Schema = schema;
  if ($ref !== undefined) {
    const name = escapeHtml($ref.replace(componentPath, ""));
    return `<a href="#schema-${name}">${name}</a>`;
  }
  if (constant !== undefined) return escapeHtml(JSON.stringify(constant));
  if (options) return options.map((one) => escapeHtml(JSON.stringify(one))).join(" | ");
  const all = more.allOf?.map((one) => typeHtml(one, indent)).join(" &amp; ");
  if (all) return all;
  const either = more.anyOf ?? more.oneOf;
  if (either) return [...new Set(either.map((one) => typeHtml(one, indent)))].join(" | ");
  if (Array.isArray(type)) {
    return type.map((one) => typeHtml({ ...schema, type: one }, indent)).join(" | ");
  }
  if (type === "array") return `${inBrackets(typeHtml(items ?? {}, indent))}[]`;
  if (type === "object") return objectHtml(schema, indent);
  return escapeHtml(type ?? "any");
}

/** The same as plain text. */
export function typeText(schema: Part): string {
  const bare = typeHtml(schema).replace(/<[^>]+>/g, "");
  return bare.replace(/&(lt|gt|quot|#39|amp);/g, (all) => entities[all] ?? all);
}

const entities: Readonly<Record<string, string>> = {
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&amp;": "&",
};

function objectHtml(schema: Part, indent: string): string {
  const { properties = {}, required = [], additionalProperties }: Schema = schema;
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, part]) => {
    const mark = required.includes(name) ? "" : "?";
    const { description }: Schema = part;
    const note = description ? ` <i>// ${escapeHtml(description)}</i>` : "";
    return `${inner}${escapeHtml(name)}${mark}: ${typeHtml(part, inner)};${note}\n`;
  });
  if (typeof additionalProperties === "object") {
    lines.push(`${inner}[name: string]: ${typeHtml(additionalProperties, inner)};\n`);
  }
  return lines.length > 0 ? `{\n${lines.join("")}${indent}}` : "object";
}

const inBrackets = (type: string) => (type.includes(" | ") ? `(${type})` : type);

/** A value that fits a schema: its first example, or one of its required parts. */
export function sampleOf(schema: Part, schemas: Record<string, Part>, depth = 0): unknown {
  const { $ref, type, enum: options, const: constant, examples, ...more }: Schema = schema;
  if (depth > 8) return {};
  if (examples?.length) return examples[0];
  if (constant !== undefined) return constant;
  if (options) return options[0];
  const other = $ref === undefined ? undefined : schemas[$ref.replace(componentPath, "")];
  const first = other ?? (more.anyOf ?? more.oneOf ?? more.allOf)?.[0];
  if (first) return sampleOf(first, schemas, depth + 1);
  const kind = Array.isArray(type) ? type[0] : type;
  if (kind === "array") return more.items ? [sampleOf(more.items, schemas, depth + 1)] : [];
  if (kind === "object") {
    const parts = (more.required ?? []).map((name) => [
      name,
      sampleOf(more.properties?.[name] ?? {}, schemas, depth + 1),
    ]);
    return Object.fromEntries(parts);
  }
  return kind === undefined
    ? "…"
    : ({ string: "…", integer: 1, number: 1, boolean: true }[kind] ?? null);
}
