import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

/** A page of a list, newest first. */
export interface NewestFirst<Item> {
  items: Item[];
  total: number;
  /** Where the next page begins; null if nothing older can match. */
  next: string | null;
}

export function pageOf<Item>(items: Item[], next: number | null): NewestFirst<Item> {
  return { items, total: items.length, next: next === null ? null : String(next) };
}

/** Reads where a page begins from the `next` of the previous one. */
export function placeOf(before: string | undefined): number | null {
  if (before === undefined) return null;
  if (/^\d{1,15}$/.test(before)) return Number(before);
  const explanation = englishOnly("`before` is the `next` of a page.");
  throw new Refusal("invalid_request", { at: "before" }, explanation);
}

/** The refusal of a call that names something of a table, without the table. */
export function tableMissing(at: string, thing = at): Refusal {
  const explanation = englishOnly(`A ${thing} is one of a table: say which.`);
  return new Refusal("invalid_request", { at }, explanation);
}
