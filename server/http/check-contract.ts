import { isDeepStrictEqual } from "node:util";
import { contract, type RouteName } from "../../shared/protocol/contract.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Route } from "../../shared/protocol/route.ts";
import { possibleErrors } from "./possible-errors.ts";

/** Compares what the server sends with the contract. For tests and development: it costs a second parse. */

/** Throws if an answer does not fit its schema, or contains what the schema does not name. */
export function checkAnswer(name: RouteName, body: unknown): void {
  const { answer }: Route = contract[name];
  if (!answer && body === undefined) return;
  const sent: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  const parsed = answer?.safeParse(sent);
  if (!parsed?.success) {
    throw new Error(`${name} is answered otherwise than its contract says: ${parsed?.error}`);
  }
  if (isDeepStrictEqual(parsed.data, sent)) return;
  throw new Error(`${name} is answered with more than its contract names: ${JSON.stringify(sent)}`);
}

/** Throws if a refusal has a code that the contract does not name. */
export function checkError(name: RouteName, error: unknown): void {
  if (!(error instanceof Refusal) || possibleErrors(name, contract[name]).has(error.code)) return;
  throw new Error(`${name} is refused with ${error.code}, which its contract does not name.`);
}
