import type { z } from "zod";
import { isStorable } from "../../shared/filter/storable.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { messageProblem } from "../../shared/protocol/message-form.ts";

const ISSUES_MAX = 20;

/** Parses a part of a request; what does not fit is refused with the places and reasons. */
export function parsePart<T>(schema: z.ZodType<T>, value: unknown, part: "body" | "query"): T {
  const problem = messageProblem(value);
  if (problem) throw new Refusal("invalid_request", { in: part }, `${part}: ${problem}.`);
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.slice(0, ISSUES_MAX).map((issue) => ({
    path: issue.path.map(String),
    message: issue.message,
  }));
  const [first] = issues;
  const where = [part, ...(first?.path ?? [])].join(".");
  throw new Refusal("invalid_request", { in: part, issues }, `${where}: ${first?.message}.`);
}

/** Parses what stands in the path: what can't be the name of anything (see isStorable) is not there. */
export function parsePath<T>(schema: z.ZodType<T>, value: Record<string, unknown>): T {
  const parsed = schema.safeParse(value);
  const named = Object.values(value).every((part) => typeof part === "string" && isStorable(part));
  if (parsed.success && named) return parsed.data;
  throw new Refusal("not_found");
}
