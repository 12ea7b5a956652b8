import { explain } from "../../shared/error-texts/explain.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { isStorableJson } from "../../shared/filter/storable.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

/** Refuses a document with a text that Postgres can't store. */
export function requireStorable(document: object): void {
  if (!isStorableJson(document as Json)) throw notStorable();
}

export function notStorable(): Refusal {
  return new Refusal("invalid_request", {}, explain("access.characters"));
}
