import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { withParsedTexts } from "../../parse-messages.ts";
import { decorateTexts, defineMessages, loadTexts } from "./define-messages.ts";
import { pseudoText } from "./start-language.ts";

const messages = defineMessages("test", {
  plain: "Save view",
  named: "Signing in as {email}.",
  plural: "{count, plural, one {# row} other {# rows}} moved by {name}",
});

afterEach(() => {
  loadTexts("en", {});
  decorateTexts((text) => text);
});

describe("defineMessages", () => {
  it("gives a function for each text, with the parameters that it names", () => {
    expect(messages.plain()).toBe("Save view");
    expect(messages.named({ email: "ana@example.com" })).toBe("Signing in as ana@example.com.");
    expect(messages.plural({ count: 1, name: "Ana" })).toBe("1 row moved by Ana");
    expect(messages.plural({ count: 1200, name: "Ana" })).toBe("1,200 rows moved by Ana");
    expectTypeOf(messages.plain).parameters.toEqualTypeOf<[]>();
    expectTypeOf(messages.named)
      .parameter(0)
      .toEqualTypeOf<Readonly<Record<"email", string | number>>>();
    expectTypeOf(messages.plural)
      .parameter(0)
      .toEqualTypeOf<Readonly<Record<"count" | "name", string | number>>>();
  });

  it("uses the texts of another language, and English where it has none", () => {
    loadTexts("de", { "test.plural": "{count, plural, one {# Zeile} other {# Zeilen}}: {name}" });
    expect(messages.plural({ count: 2, name: "Ana" })).toBe("2 Zeilen: Ana");
    expect(messages.plain()).toBe("Save view");
  });

  it("fills in braces and tags of a value as they are", () => {
    expect(messages.named({ email: "{x} <b>" })).toBe("Signing in as {x} <b>.");
  });

  it("fills in what looks like an escape in a value as it is", () => {
    const email = "C:\\x86\\u0041";
    expect(messages.named({ email })).toBe(`Signing in as ${email}.`);
  });

  it("shows texts of the pseudo-language in brackets, with an accent on each letter", () => {
    decorateTexts(pseudoText);
    expect(messages.plain()).toBe("⟦Śáv́é v́íéẃ⟧".normalize("NFD"));
    expect(pseudoText("<b>go</b>")).toBe("⟦<b>ǵó</b>⟧".normalize("NFD"));
  });
});

describe("withParsedTexts", () => {
  it("replaces each text of a catalogue by its parsed form, and nothing else", () => {
    const code =
      'export const m = defineMessages("a", { plain: "Save", n: "{count, plural, one {#} other {#}}" });';
    expect(withParsedTexts(code)).toBe(
      'export const m = defineMessages("a", { plain: ["Save"], n: [["count","plural",{"one":["#"],"other":["#"]}]] });',
    );
  });
});
