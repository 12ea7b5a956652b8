import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../filter/filter.ts";
import { deepEqual } from "./deep-equal.ts";
import { diff, patch } from "./diff.ts";
import {
  applyMergePatch,
  branch,
  type DocumentNode,
  isSame,
  keysOf,
  leaf,
  list,
  nodeAt,
  unset,
  valueAt,
} from "./document-node.ts";
import { rebase, resolve } from "./draft.ts";
import { findConflicts, merge } from "./merge.ts";

const keys = ["a", "b", "c", "constructor", "__proto__"];
const value = fc.constantFrom<Json>(null, true, 0, "x", [1], { k: 1, l: [2] });
const node = fc.letrec<{ node: DocumentNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3 },
    value.map(leaf),
    fc.constant(unset(false)),
    fc.uniqueArray(fc.constantFrom(...keys)).map(list),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom(...keys), tie("node")), { selector: ([key]) => key })
      .map(branch),
  ),
})).node;
const document = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...keys), node), { selector: ([key]) => key })
  .map(branch);
const pathsOf = (conflicts: readonly { path: readonly string[] }[]) =>
  conflicts.map(({ path }) => path.join("/")).sort();

describe("any documents", () => {
  it("equal the result after their differences are applied", () => {
    fc.assert(
      fc.property(document, document, (a, b) => {
        expect(isSame(patch(a, diff(a, b)), b)).toBe(true);
        expect(diff(a, b).length === 0).toBe(isSame(a, b));
        const back = diff(a, b).map(({ path, from, to }) => ({ path, from: to, to: from }));
        expect(isSame(patch(b, back), a)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("merge to the only version that was changed", () => {
    fc.assert(
      fc.property(document, document, (base, changed) => {
        for (const [mine, theirs] of [
          [base, changed],
          [changed, base],
          [changed, changed],
        ] as const) {
          const { merged, conflicts } = merge(base, mine, theirs);
          expect(isSame(merged, changed)).toBe(true);
          expect(conflicts).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("merge to the same in either order if different parts were changed", () => {
    fc.assert(
      fc.property(document, document, document, fc.func(fc.boolean()), (base, a, b, isMine) => {
        // Each top-level part is changed by at most one of the two.
        const half = (of: DocumentNode, own: boolean) =>
          branch(keys.map((key) => [key, nodeAt(isMine(key) === own ? of : base, [key])] as const));
        const [mine, theirs] = [half(a, true), half(b, false)];
        const [one, other] = [merge(base, mine, theirs), merge(base, theirs, mine)];
        expect([...one.conflicts, ...other.conflicts]).toEqual([]);
        expect(isSame(one.merged, other.merged)).toBe(true);
        const both = [...diff(base, mine), ...diff(base, theirs)];
        expect(isSame(one.merged, patch(base, both))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("conflict in the same parts with the sides exchanged, and never where only one changed", () => {
    fc.assert(
      fc.property(document, document, document, (base, mine, theirs) => {
        const one = merge(base, mine, theirs);
        const other = merge(base, theirs, mine, { choose: () => "theirs" });
        expect(pathsOf(other.conflicts)).toEqual(pathsOf(one.conflicts));
        for (const conflict of one.conflicts) {
          const { path } = conflict;
          expect(isSame(nodeAt(base, path), nodeAt(mine, path))).toBe(false);
          expect(isSame(nodeAt(base, path), nodeAt(theirs, path))).toBe(false);
          expect(isSame(nodeAt(mine, path), nodeAt(theirs, path))).toBe(false);
          expect(isSame(nodeAt(one.merged, path), conflict.mine)).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("leave no conflict once each is resolved, and become theirs if all are theirs", () => {
    fc.assert(
      fc.property(document, document, document, fc.boolean(), (base, mine, theirs, isMine) => {
        const rebased = rebase({ base, mine }, theirs);
        expect(pathsOf(rebase(rebased, theirs).conflicts)).toEqual(pathsOf(rebased.conflicts));
        const resolved = rebased.conflicts.reduce(
          (draft, conflict) => resolve(draft, conflict, isMine ? "mine" : "theirs"),
          { base: rebased.base, mine: rebased.mine },
        );
        expect(isSame(resolved.base, theirs)).toBe(true);
        expect(rebase(resolved, theirs).conflicts).toEqual([]);
        const chosen = merge(base, mine, theirs, {
          choose: () => (isMine ? "mine" : "theirs"),
        });
        expect(isSame(resolved.mine, chosen.merged)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it("are refused for the parts that the author names, and for nothing else", () => {
    fc.assert(
      fc.property(document, document, (base, stored) => {
        expect(findConflicts(stored, base, stored)).toEqual([]);
        expect(findConflicts(branch([]), base, stored)).toEqual([]);
        const stale = findConflicts(base, undefined, stored);
        for (const { path, theirs } of stale) {
          expect(nodeAt(base, path)).toBeDefined();
          expect(isSame(nodeAt(base, path), theirs)).toBe(false);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("take the values of a partial document written over them, and preserve the rest", () => {
    fc.assert(
      fc.property(document, document, (whole, partial) => {
        const written = applyMergePatch(whole, partial);
        expect(findConflicts(partial, undefined, written)).toEqual([]);
        for (const key of keysOf(whole).filter((one) => !nodeAt(partial, [one]))) {
          expect(isSame(nodeAt(written, [key]), nodeAt(whole, [key]))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("two users", () => {
  const text = (...items: [string, Json][]) => branch(items.map(([key, of]) => [key, leaf(of)]));

  it("conflict on the whole part where one removes what the other changes", () => {
    const tile = (title: string) => branch([["tile", text(["title", title], ["unit", "h"])]]);
    const { merged, conflicts } = merge(tile("before"), tile("mine"), branch([]));
    expect(pathsOf(conflicts)).toEqual(["tile"]);
    expect(valueAt(merged, "tile", "title")).toBe("mine");
  });

  it("join what both add, and conflict where it differs, or on the whole where joining is off", () => {
    const added = (...items: [string, Json][]) => branch([["x", text(...items)]]);
    const trees = [branch([]), added(["a", 1], ["b", 1]), added(["b", 2], ["c", 2])] as const;
    const { merged, conflicts } = merge(...trees);
    expect(pathsOf(conflicts)).toEqual(["x/b"]);
    expect(isSame(merged, added(["a", 1], ["b", 1], ["c", 2]))).toBe(true);
    expect(pathsOf(merge(...trees, { joinsAdded: false }).conflicts)).toEqual(["x"]);
  });

  it("merge additions and removals of one list, and conflict where they order it differently", () => {
    const lists = (base: string, mine: string, theirs: string) => {
      const [a, b, c] = [base, mine, theirs].map((items) => branch([["l", list([...items])]]));
      if (!a || !b || !c) throw new Error("three lists");
      const { merged, conflicts } = merge(a, b, c);
      const items = nodeAt(merged, ["l"]);
      return conflicts.length > 0 ? "conflict" : items?.kind === "list" && items.items.join("");
    };
    expect(lists("abc", "xabc", "ab")).toBe("xab");
    expect(lists("abc", "cab", "abcd")).toBe("cdab");
    expect(lists("abc", "cab", "bac")).toBe("conflict");
  });

  it("agree where a value is unset and where it never existed", () => {
    const [off, absent] = [branch([["a", unset(false)]]), branch([])];
    expect(isSame(off, absent)).toBe(true);
    expect(merge(absent, off, text(["a", true])).conflicts).toEqual([]);
  });
});

it("compares values regardless of the order of keys and of undefined properties", () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (a, b) => {
      const [one, other] = [JSON.parse(a), JSON.parse(b)];
      expect(deepEqual(one, JSON.parse(a))).toBe(true);
      expect(deepEqual(one, other)).toBe(deepEqual(other, one));
      expect(deepEqual([one], [one, other])).toBe(false);
      expect(deepEqual({ one }, { one: other })).toBe(deepEqual(one, other));
    }),
  );
  expect(deepEqual({ a: 1, b: { c: [1] } }, { b: { c: [1] }, a: 1, d: undefined })).toBe(true);
  expect(deepEqual({ a: 1 }, { a: 1, b: null })).toBe(false);
  expect(deepEqual({ constructor: 1 }, {})).toBe(false);
  expect(deepEqual([], {})).toBe(false);
  expect(deepEqual([1, 2], [2, 1])).toBe(false);
});
