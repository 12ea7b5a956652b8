import { describe, expect, it } from "vitest";
import type { FieldType } from "../../../../../shared/model/field-types.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { readExactValue } from "./exact-value.ts";

const field = (type: FieldType, more: Partial<Field> = {}): Field => ({
  name: "f",
  label: "F",
  type,
  ...more,
});

describe("a value copied in the product", () => {
  it("keeps all digits of a number in a number field of any type and scale", () => {
    const digits = { type: "decimal:", value: "1234567890123456.125" };
    expect(readExactValue(field("percent", { scale: 3 }), digits)).toEqual({
      ok: true,
      value: digits.value,
    });
    expect(readExactValue(field("money", { scale: 4 }), digits)).toEqual({
      ok: true,
      value: "1234567890123456.1250",
    });
    const count = { type: "integer:", value: 1250 };
    expect(readExactValue(field("decimal", { scale: 3 }), count)).toEqual({
      ok: true,
      value: "1250.000",
    });
    const whole = { type: "money:", value: "1250.00" };
    expect(readExactValue(field("integer"), whole)).toEqual({ ok: true, value: 1250 });
  });

  it("is refused by a number field that can't hold all its digits", () => {
    const digits = { type: "decimal:", value: "1.250" };
    expect(readExactValue(field("integer"), digits)).toMatchObject({ ok: false });
    expect(readExactValue(field("decimal", { scale: 1 }), digits)).toMatchObject({ ok: false });
  });

  it("is left to its text where the types differ, or the field has no such option", () => {
    const text = { type: "text:", value: "1.250" };
    expect(readExactValue(field("decimal"), text)).toBeNull();
    expect(
      readExactValue(field("link", { target: "a" }), { type: "link:b", value: "1" }),
    ).toBeNull();
    const options = [{ value: "S" }];
    expect(
      readExactValue(field("select", { options }), { type: "select:", value: "L" }),
    ).toBeNull();
    expect(readExactValue(field("select", { options }), { type: "select:", value: "S" })).toEqual({
      ok: true,
      value: "S",
    });
    expect(readExactValue(field("decimal"), null)).toBeNull();
  });
});
