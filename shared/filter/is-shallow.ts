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
