import type { Json } from "../../../shared/filter/filter.ts";

/** An attribute as it is typed: several values by commas. */
export function attributeText(value: Json | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(attributeText).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** What was typed as an attribute; null where nothing was. */
export function readAttribute(text: string): Json {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return parts.length < 2 ? (parts[0] ?? null) : parts;
}
