import type { FieldType } from "../../../shared/model/field-types.ts";

/**
 * The address that a value of type url, email or phone opens: http, https, mailto or tel, never another scheme. Null
 * for other types, and for a value that another program wrote and that is no such address.
 */
export function outsideAddress(type: FieldType, value: string): string | null {
  if (type === "url") return /^https?:\/\/[^\s/?#]/i.test(value) ? value : null;
  if (type === "email") {
    return /^[^\s@<>"?&]+@[^\s@<>"?&]+$/.test(value) ? `mailto:${encodeURI(value)}` : null;
  }
  if (type === "phone") {
    const [, number, extension] = /^(\+?[\d ()./-]{2,})(?:x(\d+))?$/.exec(value) ?? [];
    if (number === undefined) return null;
    return `tel:${number.replace(/[^\d+]/g, "")}${extension ? `;ext=${extension}` : ""}`;
  }
  return null;
}
