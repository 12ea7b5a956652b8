import { expect, it } from "vitest";
import type { Json } from "../../../../../shared/filter/filter.ts";
import { foldCase } from "../../../../../shared/filter/fold-case.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import { replaceText } from "./match-cell.ts";

function replaced(field: Partial<Field>, value: Json, text: string, replacement: string) {
  const whole: Field = { name: "f", label: "F", type: "text", ...field };
  const replacing = { needle: foldCase(text), replacement };
  return replaceText(whole, value, replacing, () => "Ana Lopes");
}

it("replaces every occurrence within a text, in any case", () => {
  expect(replaced({}, "Glas, GLAS und glas", "glas", "Holz")).toBe("Holz, Holz und Holz");
  expect(replaced({}, "ÉTÉ été Straße", "é", "$&")).toBe("$&T$& $&t$& Straße");
  expect(replaced({}, "aaa", "aa", "aaa")).toBe("aaaa");
  expect(replaced({ type: "email" }, "ana@old.example", "@OLD.", "@new.")).toBe("ana@new.example");
});

it("replaces a value that is shown in another form only as a whole", () => {
  const options = [{ value: "p1", label: "Very urgent" }];
  expect(replaced({ type: "select", options }, "p1", "urgent", "x")).toBe(null);
  expect(replaced({ type: "select", options }, "p1", "very URGENT", "x")).toBe("x");
  expect(replaced({ type: "integer" }, 1234, "23", "9")).toBe(null);
  expect(replaced({ type: "integer" }, 1234, "1234", "9")).toBe("9");
  expect(replaced({ type: "person" }, "u-1", "ana lopes", "Mara")).toBe("Mara");
});

it("folds no character to one of another length", () => {
  const differs = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter(
    (character) => foldCase(character).length !== character.length,
  );
  expect(differs).toEqual([]);
});
