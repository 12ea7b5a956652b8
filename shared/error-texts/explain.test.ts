import { describe, expect, expectTypeOf, it } from "vitest";
import { Refusal } from "../protocol/errors.ts";
import { errorTexts } from "./error-texts.ts";
import { type EnglishText, englishText, explain, quote, textParts } from "./explain.ts";
import { modelTexts } from "./model-texts.ts";

describe("explain", () => {
  it("gives the English sentence with its key and its values", () => {
    expect(explain("value.minimum", { minimum: 3 })).toEqual({
      message: "Enter at least 3.",
      messageKey: "value.minimum",
      messageValues: { minimum: 3 },
    });
    expect(explain("value.email")).toEqual({
      message: "Enter an email address.",
      messageKey: "value.email",
    });
  });

  it("fills in other sentences and lists", () => {
    const fields = ["Cause", explain("record.reason")];
    const explanation = explain("record.incompleteFields", { transition: "Close", fields });
    expect(englishText(explanation)).toBe("“Close” requires: Cause, a reason.");
  });

  it("chooses the plural of a number", () => {
    const sentence = (scale: number) => englishText(explain("value.scale", { scale }));
    expect(sentence(1)).toBe("Enter at most 1 digit after the decimal point.");
    expect(sentence(2)).toBe("Enter at most 2 digits after the decimal point.");
  });

  it("leaves braces and names in a value as they are", () => {
    expect(englishText(explain("value.pattern", { pattern: "{minimum} [a-z]{2}" }))).toBe(
      "Enter a text that looks like {minimum} [a-z]{2}.",
    );
  });

  it("accepts only listed keys, with exactly the values that the sentence names", () => {
    // @ts-expect-error: no such key
    expect(() => explain("value.unheard")).toThrow();
    // @ts-expect-error: the value is missing
    explain("value.minimum");
    // @ts-expect-error: another value
    explain("value.minimum", { maximum: 3 });
    // @ts-expect-error: a sentence that is not listed
    new Refusal("forbidden", {}, "You must not.");
    expectTypeOf<string>().not.toExtend<EnglishText>();
    expectTypeOf<EnglishText>().not.toExtend<string>();
  });
});

describe("the sentences of errors", () => {
  it.each(Object.entries({ ...errorTexts, ...modelTexts }))(
    "%s has no brace but those of its values",
    (_key, text) => {
      const literal = textParts(text).filter((part) => typeof part === "string");
      expect(literal.join("")).not.toMatch(/[{}<>]/);
    },
  );
});

describe("quote", () => {
  it("has neither key nor values", () => {
    expect(quote("Ask Ana.")).toEqual({ message: "Ask Ana." });
  });
});
