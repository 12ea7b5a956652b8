import type { Json } from "../../../shared/filter/filter.ts";

/** Formats an attribute for editing, with commas between several values. */
export function attributeText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(attributeText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Parses a typed attribute; null if it is empty. */
export function readAttribute(text: string): Json {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length < 2 ? (parts[0] ?? null) : parts;
}
