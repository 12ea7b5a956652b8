import fc from "fast-check";
import { expect, test } from "vitest";
import { bindFilter } from "./bind-filter.ts";
import type { Filter, Json } from "./filter.ts";
import { matches } from "./matches.ts";

const kinds = { f: "text", g: "text" } as const;
const words = fc.constantFrom<Json>("a", "b", "ab", null);
const user = { id: "a", attributes: {} };
const now = "2026-11-21T00:00:00Z";

const comparison = fc.record({
  field: fc.constantFrom("f", "g"),
  op: fc.constantFrom(...(["eq", "ne", "in", "nin", "lt", "contains", "isEmpty"] as const)),
  operand: fc.constantFrom<Json>("$me.x", "$me", "a", "b"),
});

const leaf = comparison.map(({ field, op, operand }): Filter => {
  if (op === "isEmpty") return { field, op };
  return { field, op, value: op === "in" || op === "nin" ? [operand, "a"] : operand };
});

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    leaf,
    tie("filter").map((not) => ({ not })),
    fc.array(tie("filter"), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie("filter"), { maxLength: 3 }).map((or) => ({ or })),
  ),
}));

test("F11 a user without the attribute sees no record that some value of it would not show", () => {
  const value = fc.constantFrom<Json>("a", "b", "ab", "zz");
  fc.assert(
    fc.property(filter, value, fc.record({ f: words, g: words }), (asked, x, values) => {
      const without = bindFilter(asked, { me: user, now });
      const having = bindFilter(asked, { me: { id: "a", attributes: { x } }, now });
      const seen = matches(without, "r", values, kinds);
      expect(seen && !matches(having, "r", values, kinds)).toBe(false);
      // An unbound variable closes the filter too.
      const raw = matches(asked, "r", values, kinds);
      expect(raw && !matches(having, "r", values, kinds)).toBe(false);
    }),
    { numRuns: 3000 },
  );
});
