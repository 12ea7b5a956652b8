import { describe, expect, it } from "vitest";
import type { Json } from "../../../../shared/filter/filter.ts";
import { fieldTypeNames } from "../../../../shared/model/field-types.ts";
import type { Field } from "../../../../shared/model/model.ts";
import { formatValue } from "./format-value.ts";
import { cellParts, inlinePart, type ValuePart } from "./value-parts.ts";

const labels = {
  get: (_: Field, id: string) =>
    id === "ana" ? { id, label: "Ana Ho", colour: "teal" } : undefined,
  labelOf: (_: Field, id: string) => (id === "w1" ? "North" : undefined),
};
const field = (type: Field["type"], more: Partial<Field> = {}): Field => ({
  ...{ name: "f", label: "F", type },
  ...more,
});

/** All words of a part, as a reader gets them. */
const wordsOf = ({ text = "", children = [], isDecoration }: ValuePart): string =>
  isDecoration ? "" : text + children.map(wordsOf).join("");

const samples: Partial<Record<Field["type"], Json>> = {
  integer: 1234,
  decimal: "12.5",
  money: "815.8",
  percent: "12.5",
  duration: 5400,
  boolean: true,
  date: "2026-11-21",
  timestamp: "2026-11-21T13:30:00.000Z",
  json: { a: 1 },
  multiSelect: ["S", "L"],
};

describe("a value", () => {
  it.each(fieldTypeNames)(
    "of type %s is shown in the same words in a cell and in a text",
    (type) => {
      const one = field(type, { options: [{ value: "S" }, { value: "L" }], target: "wards" });
      const value = samples[type] ?? (type === "link" ? "w1" : type === "person" ? "ana" : "S");
      const words = cellParts(one, value, labels).map(wordsOf);
      const inline = inlinePart(one, value, labels);
      expect(words.join("")).not.toBe("");
      expect(inline && wordsOf(inline)).toBe(words.join(""));
      const text = formatValue(one, value, (_, id) => labels.get(one, id)?.label ?? "North");
      expect(words.join(", ")).toBe(text);
    },
  );

  it("that is empty has no parts", () => {
    for (const value of [null, undefined, "", []] as Json[]) {
      expect(cellParts(field("multiSelect"), value, labels)).toEqual([]);
      expect(inlinePart(field("multiSelect"), value, labels)).toBeNull();
    }
  });

  it("of several lines is one line in a cell, and all of them in a text", () => {
    const note = field("longText");
    expect(cellParts(note, "One\n\nTwo", labels)).toMatchObject([{ text: "One ⏎ Two" }]);
    expect(inlinePart(note, "One\nTwo", labels)).toMatchObject({
      ...{ className: "wf-prose", text: "One\nTwo" },
    });
  });

  it("shows a bar for a label that is not loaded, and no initials", () => {
    const [user] = cellParts(field("person"), "ben", labels);
    const [avatar, name] = user?.children ?? [];
    expect(avatar?.text).toBe("");
    expect(name?.children).toMatchObject([{ className: "wf-waiting" }]);
    expect(inlinePart(field("link"), "w2", labels)?.children).toMatchObject([
      { className: "wf-waiting" },
    ]);
  });
});
