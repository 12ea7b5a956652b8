import { describe, expect, it } from "vitest";
import { checkModel } from "../check-model.ts";
import { checkExpression } from "./check-expression.ts";
import { withComputedValues } from "./compute-values.ts";
import { renameInExpression } from "./rename-in-expression.ts";
import { expressionCases, tableWith } from "./testing/expression-cases.ts";

describe("a computed field", () => {
  it.each(expressionCases)("$expression is $result", ({ type, expression, values, result }) => {
    const table = tableWith({ type, expression });
    expect(checkExpression(table.fields.at(-1) as never, table)).toBeNull();
    expect(withComputedValues(table, "1", values).x).toEqual(result);
  });

  it("may read other computed fields, in any order", () => {
    const net = {
      name: "net",
      label: "Net",
      type: "money",
      expression: "price * quantity",
    } as const;
    const table = tableWith({ type: "money", expression: "net * 1.19" }, net);
    const reversed = { ...table, fields: table.fields.toReversed() };
    for (const one of [table, reversed]) {
      expect(withComputedValues(one, "1", { price: "10.00", quantity: 2 })).toMatchObject({
        x: "23.80",
      });
    }
  });
});

describe("an invalid expression", () => {
  const refused: [
    type: "text" | "decimal" | "boolean" | "json",
    text: string,
    at: number,
    message: RegExp,
  ][] = [
    ["text", "", 0, /the end instead of a field/],
    ["decimal", "1 +", 3, /the end instead of a field/],
    ["decimal", "1 2", 2, /“2” instead of the end/],
    ["decimal", "(1", 2, /the end instead of “\)”/],
    ["decimal", "1.5.2", 0, /not a number/],
    ["text", 'title & "x', 8, /not closed/],
    ["text", "[title", 0, /not closed/],
    ["text", "title; drop table things", 5, /“;” means nothing/],
    ["text", "title || title", 6, /“\|” means nothing/],
    ["text", "$1", 0, /“\$” means nothing/],
    ["decimal", "pg_sleep(10)", 0, /no function “pg_sleep”/],
    ["decimal", "constructor(1)", 0, /no function “constructor”/],
    ["decimal", "round(1, 2, 3)", 0, /takes 1 to 2 values, not 3/],
    ["decimal", "round(price, 21)", 13, /whole number up to 20/],
    ["decimal", "round(price, quantity)", 13, /whole number up to 20/],
    ["decimal", "cost * 2", 0, /no field "cost"/],
    ["decimal", "__proto__ * 2", 0, /no field "__proto__"/],
    ["decimal", "title * 2", 0, /a text where a number is needed/],
    ["decimal", "title", 0, /result is a text; the field needs a number/],
    ["text", "price", 0, /result is a number; the field needs a text/],
    ["text", "done", 0, /conditions only/],
    ["text", "title & opened", 8, /time can't be joined/],
    ["text", 'if(price, "a")', 8, /instead of a comparison/],
    ["text", 'if(price = "a", "b")', 0, /“price” needs a number/],
    ["boolean", 'due < "$today"', 0, /needs a real day/],
    ["text", 'if(done = true, "a", 1)', 21, /a number where a text is needed/],
    ["decimal", "days_between(due, opened)", 18, /a time where a date is needed/],
    ["decimal", "days_between(price, price)", 13, /Two dates or two times/],
    ["decimal", "x + 1", 0, /computed from itself/],
    ["decimal", `${"(".repeat(40)}1${")".repeat(40)}`, 31, /nests too deeply/],
    ["decimal", `${"-".repeat(100)}1`, 31, /nests too deeply/],
    ["boolean", `${"not ".repeat(100)}done = true`, 128, /instead of a comparison/],
    ["decimal", Array(300).fill("1").join("+"), 0, /more than 400 parts/],
    ["json", "price", 0, /type can't be computed/],
  ];

  for (const [type, expression, at, message] of refused) {
    it(`as ${type}: ${JSON.stringify(expression.slice(0, 40))} is reported with its place and reason`, () => {
      const table = tableWith({ type, expression });
      const problem = checkExpression(table.fields.at(-1) as never, table);
      expect(problem).toMatchObject({ at, message: expect.stringMatching(message) });
    });
  }

  it("may not read itself through others, nor grow without bound", () => {
    const circle = { name: "y", label: "Y", type: "decimal", expression: "x + 1" } as const;
    const table = tableWith({ type: "decimal", expression: "y" }, circle);
    const model = { version: 0, tables: [table] };
    expect(checkModel(model).map(({ message }) => message)).toEqual([
      "Y would be computed from itself.",
      "x would be computed from itself.",
    ]);
    const doubled = Array.from({ length: 8 }, (_, index) => ({
      name: `d${index}`,
      label: `D${index}`,
      type: "decimal" as const,
      expression: index === 0 ? "price + price" : `d${index - 1} + d${index - 1}`,
    }));
    const wide = tableWith({ type: "decimal", expression: "d7" }, ...doubled);
    expect(checkExpression(wide.fields.at(-1) as never, wide)?.message).toMatch(/400 parts/);
  });

  it("requires nothing of users", () => {
    const table = tableWith({
      type: "decimal",
      expression: "1",
      required: true,
      default: 3,
      unique: true,
    });
    const paths = checkModel({ version: 0, tables: [table] }).map(({ path }) => path.at(-1));
    expect(paths.sort()).toEqual(["default", "required", "unique"]);
  });
});

it("follows renamed fields, and changes nothing else", () => {
  const text = 'if(price > 1 and [first name] = "price", price * 2, round(price))';
  const names: Record<string, string> = { price: "unit price", "first name": "name" };
  expect(renameInExpression(text, (name) => names[name] ?? name)).toBe(
    'if([unit price] > 1 and name = "price", [unit price] * 2, round([unit price]))',
  );
});
