import type { IncomingHttpHeaders } from "node:http";
import { englishOnly } from "../../shared/error-texts/explain.ts";
import { Refusal } from "../../shared/protocol/errors.ts";

/** The headers by which a REST call names its base and makes its repeat harmless. */

const KEY_MAX = 100;

/** The version of the record that the author saw; `*` accepts any. */
export function readIfMatch(headers: IncomingHttpHeaders): { ifMatch?: string; any: boolean } {
  const header = headers["if-match"]?.trim();
  if (header === undefined) return { any: false };
  if (header === "*") return { any: true };
  return { ifMatch: header.replace(/^(W\/)?"(.*)"$/, "$2"), any: false };
}

/** The id of the mutation, if the caller gives one. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): { id?: string } {
  const id = headers["idempotency-key"];
  if (id === undefined) return {};
  if (typeof id === "string" && id.length > 0 && id.length <= KEY_MAX) return { id };
  const explanation = englishOnly(`An Idempotency-Key has 1 to ${KEY_MAX} characters.`);
  throw new Refusal("invalid_request", { in: "header", header: "Idempotency-Key" }, explanation);
}
