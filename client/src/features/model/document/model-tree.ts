import type { Json } from "../../../../../shared/filter/filter.ts";

/**
 * A model taken apart: everything in it stands under a path of identities (tables and fields by id,
 * states by value, transitions by name), never under a place in a list, and speaks of fields and tables
 * by id. So two versions can be compared, and three merged, part by part, whatever was renamed.
 */
export type Part =
  | { kind: "branch"; parts: Map<string, Part> }
  /** Names in an order that means something, each at most once. */
  | { kind: "list"; items: string[] }
  | { kind: "leaf"; value: Json };

export type Path = readonly string[];

export function branch(entries: Iterable<readonly [string, Part | null | undefined]>): Part {
  const parts = new Map<string, Part>();
  for (const [key, part] of entries) if (part) parts.set(key, part);
  return { kind: "branch", parts };
}

/** A value that stands for itself; what is switched off and what was never mentioned are the same. */
export function leaf(value: Json | undefined): Part | null {
  if (value === undefined || value === false) return null;
  return { kind: "leaf", value };
}

export function list(items: readonly string[]): Part {
  return { kind: "list", items: [...items] };
}

export function isSame(a: Part | undefined, b: Part | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || a.kind !== b.kind) return false;
  if (a.kind === "branch" && b.kind === "branch") {
    const keys = new Set([...a.parts.keys(), ...b.parts.keys()]);
    return [...keys].every((key) => isSame(a.parts.get(key), b.parts.get(key)));
  }
  return canonical(a) === canonical(b);
}

function canonical(part: Part): string {
  return JSON.stringify(part, (_key, value: unknown) =>
    value && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

/** One part that is not the same on two sides; absent where that side has none. */
export interface Difference {
  path: Path;
  from: Part | undefined;
  to: Part | undefined;
}

/** Every difference, the least part of each: what is new or gone as a whole is one difference. */
export function differences(from: Part, to: Part, path: Path = []): Difference[] {
  if (isSame(from, to)) return [];
  if (from.kind !== "branch" || to.kind !== "branch") return [{ path, from, to }];
  const keys = new Set([...from.parts.keys(), ...to.parts.keys()]);
  return [...keys].flatMap((key) => {
    const [before, after] = [from.parts.get(key), to.parts.get(key)];
    const at = [...path, key];
    if (before && after) return differences(before, after, at);
    return before || after ? [{ path: at, from: before, to: after }] : [];
  });
}
