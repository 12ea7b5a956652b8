/**
 * Whether JSON nests no deeper than a limit. Checked at every entry point before any recursion over the
 * input: nesting that exhausts the stack is a client's error. Uses no recursion itself.
 */
export function isShallow(json: unknown, maxDepth: number): boolean {
  let level: unknown[] = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    level = level.flatMap((value) =>
      value !== null && typeof value === "object" ? Object.values(value) : [],
    );
  }
  return true;
}

/**
 * Whether a filter that may be malformed has at most so many terms. Its schema tries every form at each term and describes
 * why each does not fit, so only a few may reach it.
 */
export function hasFewTerms(filter: unknown, maxTerms: number): boolean {
  const waiting: unknown[] = [filter];
  for (let terms = 0; waiting.length > 0; terms++) {
    if (terms + waiting.length > maxTerms) return false;
    const term = waiting.pop();
    if (term === null || typeof term !== "object") continue;
    const { and, or, not } = term as Record<string, unknown>;
    for (const parts of [and, or, not]) {
      if (parts === undefined) continue;
      if (!Array.isArray(parts)) waiting.push(parts);
      else if (waiting.length + parts.length > maxTerms) return false;
      else waiting.push(...parts);
    }
  }
  return true;
}
