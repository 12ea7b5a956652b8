import type { z } from "zod";
import { excerpt } from "./excerpt.ts";

const ISSUES_MAX = 20;
const PATH_MAX_PARTS = 20;
const ISSUE_MAX_LENGTH = 300;

/** Where and why a message does not fit its schema: the first issues, each with an excerpt. */
export function issuesOf({ issues }: z.ZodError): { path: string[]; message: string }[] {
  return issues.slice(0, ISSUES_MAX).map(({ path, message }) => ({
    path: path.slice(0, PATH_MAX_PARTS).map((part) => excerpt(String(part))),
    message: excerpt(message, ISSUE_MAX_LENGTH),
  }));
}

/** Nesting of a request or message: more than any model, filter or value needs. */
const MESSAGE_MAX_DEPTH = 100;

type Reading<T> =
  | { data: T }
  /** Why the message is not even given to its schema, or what the schema has dropped. */
  | { problem: string }
  | { issues: ReturnType<typeof issuesOf> };

/**
 * Parses incoming JSON, at every entry point. Nesting that exhausts the stack is refused before any recursion. Schemas drop
 * the key `__proto__` silently; as a name it is refused instead, whereas the JSON value of a field may have it, at any depth.
 */
export function readMessage<T>(schema: z.ZodType<T>, json: unknown): Reading<T> {
  const sent = reservedKeys(json);
  if (sent === null) return { problem: "nests too deeply" };
  const parsed = schema.safeParse(json);
  if (!parsed.success) return { issues: issuesOf(parsed.error) };
  const isComplete = sent === 0 || sent === reservedKeys(parsed.data);
  return isComplete
    ? { data: parsed.data }
    : { problem: 'has the key "__proto__", which is reserved' };
}

/** How often a key `__proto__` occurs; null if the message nests too deeply. Uses no recursion itself. */
function reservedKeys(json: unknown): number | null {
  let found = 0;
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MESSAGE_MAX_DEPTH) return null;
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== "object") continue;
      if (Object.hasOwn(value, "__proto__")) found += 1;
      for (const part of Object.values(value)) next.push(part);
    }
    level = next;
  }
  return found;
}
