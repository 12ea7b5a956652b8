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

/**
 * How often a key `__proto__` occurs in incoming JSON; null if it nests too deeply. Checked at every entry point before any recursion, and
 * uses none itself.
 */
export function reservedKeys(json: unknown): number | null {
  let found = 0;
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MESSAGE_MAX_DEPTH) return null;
    const next: unknown[] = [];
    for (const value of level) {
      if (value === null || typeof value !== "object") continue;
      if (Object.hasOwn(value, "__proto__")) found += 1;
      if (Array.isArray(value)) for (const part of value) next.push(part);
      else for (const key of Object.keys(value)) next.push((value as Record<string, unknown>)[key]);
    }
    level = next;
  }
  return found;
}
