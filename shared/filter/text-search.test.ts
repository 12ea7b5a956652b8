import fc from "fast-check";
import { expect, it } from "vitest";
import { rankMatches, textSearch } from "./text-search.ts";

it("lists first what begins with a part, then what has a word that does", () => {
  const names = ["Kofi Mensah", "Lena O'Sana", "Olga Petrova", "Sam Okafor", "Rosa Sandoval"];
  const ranked = rankMatches(names, (name) => name, "sA");
  expect(ranked).toEqual(["Sam Okafor", "Lena O'Sana", "Rosa Sandoval", "Kofi Mensah"]);
  expect(rankMatches(names, (name) => name, " ")).toEqual(names);
});

it("finds what includes() finds", () => {
  const ab = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom("a", "b"), minLength, maxLength });
  fc.assert(
    fc.property(ab(0, 40), ab(0, 3), fc.nat(40), (text, unit, count) => {
      const part = unit.repeat(count);
      const around = text + part.slice(1) + text + part + text;
      expect(textSearch(part)(around)).toBe(true);
      expect(textSearch(part)(text + part.slice(1))).toBe((text + part.slice(1)).includes(part));
    }),
  );
});

it("takes linear time for a part that repeats itself", () => {
  const [many, half] = ["a".repeat(1_000_000), "a".repeat(250_000)];
  expect(textSearch(`${half}b${half}`)(many)).toBe(false);
  expect(textSearch(`${half}b${half}`)(`${many}b${many}`)).toBe(true);
});
