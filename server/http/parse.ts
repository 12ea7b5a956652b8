import { z } from "zod";
import { englishOnly } from "../../shared/error-texts/explain.ts";
import { isStorable } from "../../shared/filter/storable.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Route } from "../../shared/protocol/route.ts";
import { parseInput } from "../policy/parse-input.ts";

/** The parts of a request as they arrived. */
interface RawCall {
  params: Record<string, unknown>;
  query: unknown;
  body: unknown;
}

const nothing = z.unknown();
/** Unknown parameters are refused, so that a misspelt `dryRun` is an error and not a change. */
const noQuery = z.strictObject({});

/** Parses a request by its declaration. */
export function parseCall(route: Route, { params, query, body }: RawCall) {
  return {
    params: parsePath(route.params ?? nothing, params),
    query: parsePart(route.query ?? noQuery, query, "query"),
    body: parsePart(route.body ?? nothing, body, "body"),
  };
}

/** Parses a part of a request; refuses it with places and reasons if it does not fit. */
function parsePart<T>(schema: z.ZodType<T>, value: unknown, part: "body" | "query"): T {
  const parsed = parseInput(schema, value);
  if (parsed.ok) return parsed.data;
  const { problem, path, issues } = parsed;
  const explanation = englishOnly(`${[part, ...path].join(".")}: ${problem}.`);
  const detail = { in: part, ...(issues.length > 0 && { issues }) };
  throw new Refusal("invalid_request", detail, explanation);
}

/** Parses the path parameters: what can't be a name (see isStorable) is not found. */
function parsePath<T>(schema: z.ZodType<T>, value: Record<string, unknown>): T {
  const parsed = schema.safeParse(value);
  const named = Object.values(value).every((part) => typeof part === "string" && isStorable(part));
  if (parsed.success && named) return parsed.data;
  throw new Refusal("not_found");
}
