import { expect, it } from "vitest";
import { initialValue } from "./initial-value.ts";
import type { Field } from "./model.ts";

const now = "2026-11-22T09:30:00.250Z";
const field = (more: Partial<Field>): Field => ({ name: "f", label: "F", type: "text", ...more });

it("gives a timestamp with the default $now the time of creation, in its stored form", () => {
  expect(initialValue(field({ type: "timestamp", default: "$now" }), now)).toBe(
    "2026-11-22T09:30:00.25+00:00",
  );
});

it("treats $now as text in every other type, and uses any other default unchanged", () => {
  expect(initialValue(field({ default: "$now" }), now)).toBe("$now");
  expect(initialValue(field({ type: "integer", default: 3 }), now)).toBe(3);
  expect(initialValue(field({}), now)).toBeNull();
});
