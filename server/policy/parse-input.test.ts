import { describe, expect, it } from "vitest";
import { z } from "zod";
import { filterSchema } from "../../shared/filter/filter.ts";
import { hasTooManyParts, parseInput } from "./parse-input.ts";

const MANY = 100_000;

/** A list whose elements are counted when they are checked, and each of which has a fault that does not abort. */
function counted() {
  let checks = 0;
  const element = z.string().refine(() => {
    checks += 1;
    return false;
  });
  return { element, checks: () => checks };
}

describe("input with many faults", () => {
  it("is checked only until a few are found, in lists, nested lists and records", () => {
    for (const of of [
      (element: z.ZodType) => [z.array(element), Array(MANY).fill("x")],
      (element: z.ZodType) => [
        z.strictObject({ a: z.array(z.strictObject({ b: z.array(element).min(1) })) }),
        { a: Array(MANY).fill({ b: ["x"] }) },
      ],
      (element: z.ZodType) => [
        z.union([z.array(z.array(element)).optional(), z.null()]),
        Array(MANY).fill(["x"]),
      ],
      (element: z.ZodType) => [
        z.record(z.string(), element),
        Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`k${n}`, "x"])),
      ],
    ]) {
      const { element, checks } = counted();
      const [schema, json] = of(element) as [z.ZodType, unknown];
      const parsed = parseInput(schema, json);
      expect(parsed.ok).toBe(false);
      expect(checks()).toBeGreaterThan(0);
      expect(checks()).toBeLessThanOrEqual(100);
    }
  });

  it("is refused by its length before any element of a list that is too long is checked", () => {
    const { element, checks } = counted();
    const parsed = parseInput(z.strictObject({ a: z.array(element).max(10) }), {
      a: Array(MANY).fill("x"),
    });
    expect(parsed).toMatchObject({ ok: false, path: ["a"] });
    expect(checks()).toBe(0);
  });

  it("names the place of each fault, and passes what is valid unchanged", () => {
    const schema = z.strictObject({
      list: z.array(z.strictObject({ n: z.int(), more: z.record(z.string(), z.int()).optional() })),
    });
    const more = Object.fromEntries(Array.from({ length: 250 }, (_, n) => [`k${n}`, n]));
    const valid = { list: [{ n: 1 }, { n: 2, more }] };
    expect(parseInput(schema, valid)).toEqual({ ok: true, data: valid });
    const bad = { list: [{ n: 1 }, { n: "2", more: { ...more, k249: "x" } }, { n: 3, x: 1 }] };
    const parsed = parseInput(schema, bad);
    const places = parsed.ok ? [] : parsed.issues.map(({ path }) => path.join("."));
    expect(places).toEqual(["list.1.n", "list.1.more.k249", "list.2"]);
  });

  it("reaches no check of the whole that expects a complete value", () => {
    const whole = z
      .strictObject({ a: z.array(z.string().min(2)) })
      .refine(({ a }) => a.length === MANY && a.every((text) => text.length > 0));
    const parsed = parseInput(whole, { a: Array(MANY).fill("x") });
    expect(parsed.ok || parsed.issues.every(({ path }) => path[0] === "a")).toBe(true);
    expect(parsed.ok).toBe(false);
  });

  it("is not described at all as a filter with very many terms", () => {
    const tree = (depth: number): unknown =>
      depth === 0 ? 1 : { and: [tree(depth - 1)], or: [tree(depth - 1)], not: tree(depth - 1) };
    const parsed = parseInput(filterSchema, tree(8));
    expect(parsed).toMatchObject({ ok: false, problem: "has too many terms" });
  });
});

describe("a text of more objects and lists than a message may have", () => {
  it.each([
    ["objects", `[${Array(50_001).fill("{}")}]`],
    ["lists", `[${Array(50_001).fill("[]")}]`],
    ["both", `[${Array(26_000).fill("{},[]")}]`],
  ])("is refused before it is read: %s", (_, text) => {
    expect(hasTooManyParts(text)).toBe(true);
  });

  it.each([
    [
      "a batch of ops with documents",
      { ops: Array(1_000).fill({ set: { doc: Array(20).fill({ a: 1 }) }, base: {} }) },
    ],
    ["as many numbers as fit", Array(500_000).fill(1)],
    [
      "a large model",
      Array(100_000).fill({ name: "a field with a label", type: "text", options: [] }),
    ],
  ])("is not %s", (_, json) => {
    expect(hasTooManyParts(JSON.stringify(json))).toBe(false);
  });
});
