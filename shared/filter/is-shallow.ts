/**
 * Whether JSON nests no deeper. Asked at every door before anything walks down what came in: nesting
 * that exhausts the stack is the sender's fault, not ours. Without recursion itself.
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
