import type { Json } from "../../../filter/filter.ts";
import type { FieldType } from "../../field-types.ts";
import type { Field, Table, Values } from "../../model.ts";

/**
 * Results of expressions, written by hand: comparing two interpreters can't find errors that they share. Both
 * run this table.
 */

const field = (name: string, type: FieldType, more: Partial<Field> = {}): Field => ({
  name,
  label: name,
  type,
  ...more,
});

const filled: Field[] = [
  field("quantity", "integer"),
  field("price", "money", { scale: 2 }),
  field("rate", "decimal", { scale: 6 }),
  field("first name", "text"),
  field("title", "text"),
  field("notes", "longText"),
  field("state", "select", { options: [{ value: "New" }, { value: "Done" }] }),
  field("done", "boolean"),
  field("due", "date"),
  field("begun", "date"),
  field("opened", "timestamp"),
  field("closed", "timestamp"),
  field("tags", "multiSelect", { options: [{ value: "a" }, { value: "b" }] }),
];

/** A table with a computed field `x`, and the fields that it may read. */
export function tableWith(x: Partial<Field>, ...others: Field[]): Table {
  const fields = [...filled, ...others, field("x", "text", x)];
  return {
    name: "things",
    label: "Things",
    recordLabel: "thing",
    display: "title",
    fields,
    columns: [],
    sort: [],
  };
}

const values: Values = {
  quantity: 3,
  price: "19.90",
  rate: "0.125000",
  "first name": "Ada",
  title: "Lovelace",
  state: "New",
  done: true,
  due: "2026-03-01",
  begun: "2026-02-27",
  opened: "2026-11-21T10:00:00+00:00",
  closed: "2026-11-21T11:30:00.5+00:00",
  tags: ["a"],
};

type Case = [type: FieldType, expression: string, result: Json, change?: Values];

const cases: Case[] = [
  ["money", "quantity * price", "59.70"],
  ["money", "quantity * price", null, { quantity: null }],
  ["decimal", "-quantity + 10 - 2 * 3", "1.00"],
  ["decimal", "(1 + 2) * 3", "9.00"],
  ["decimal", "10 - 4 - 3", "3.00"],
  ["decimal", "price / quantity", "6.63"],
  ["decimal", "price / 0", null],
  ["decimal", "price / (quantity - 3)", null],
  ["decimal", "1 / 3 * 3", "1.00"],
  ["integer", "price", 20],
  ["integer", "0 - price", -20],
  ["integer", "0.5", 1],
  ["integer", "-0.5", -1],
  ["integer", "-0.4", 0],
  ["integer", "9007199254740991 + 0.4", 9_007_199_254_740_991],
  ["integer", "9007199254740991 + 0.5", null],
  ["money", "99999999999999999999 * 99999999999999999999", null],
  ["decimal", "round(price, 1)", "19.90"],
  ["decimal", "round(rate, 2)", "0.13"],
  ["decimal", "floor(-rate) + ceiling(rate) + abs(-2)", "2.00"],
  ["decimal", "min(price, quantity, rate)", "0.13"],
  ["decimal", "max(price, quantity)", "3.00", { price: null }],
  ["decimal", "first(rate, price)", "19.90", { rate: null }],
  ["text", 'title & ", " & [first name]', "Lovelace, Ada"],
  ["text", "title & [first name]", "Ada", { title: null }],
  ["text", "title & [first name]", null, { title: null, "first name": null }],
  ["text", '"No. " & price & " of " & quantity * 100', "No. 19.9 of 300"],
  ["text", '"due " & due', "due 2026-03-01"],
  ["text", '"due " & due', "due ", { due: "infinity" }],
  ["text", '"says ""yes"""', 'says "yes"'],
  ["text", "first(notes, title)", "Lovelace"],
  ["text", "notes", "😀".repeat(500), { notes: "😀".repeat(501) }],
  ["longText", "notes & notes", "😀".repeat(1_002), { notes: "😀".repeat(501) }],
  ["text", 'if(quantity > 2, "many", "few")', "many"],
  ["text", 'if(quantity > 2, "many", "few")', "few", { quantity: null }],
  ["text", 'if(quantity > 2, "many")', null, { quantity: 1 }],
  ["text", 'if(state in ("New", "Done") and not (title is empty or done = false), "y", "n")', "y"],
  ["text", 'if(title starts with "love" and title contains "LACE", "y", "n")', "y"],
  ["text", 'if(due between "2026-01-01" and "2026-12-31" or tags contains "b", "y", "n")', "y"],
  ["text", 'if(opened < closed and begun <= due and state != "Done", "y", "n")', "y"],
  ["text", 'if(tags contains "b", "y", "n")', "n"],
  ["text", 'if(id = "1", "one", "other")', "one"],
  ["text", 'if(title = "$me", "a text", "other")', "a text", { title: "$me" }],
  ["text", "id", "1"],
  ["boolean", "due < begun", false],
  ["boolean", "title is not empty", true],
  ["boolean", 'state not in ("New")', false],
  ["boolean", "quantity >= -1.5", true],
  ["integer", "days_between(begun, due)", 2],
  ["integer", "days_between(due, begun)", -2],
  ["integer", "days_between(due, begun)", null, { due: "infinity" }],
  ["integer", "days_between(due, begun)", null, { due: "0044-03-15 BC" }],
  ["decimal", "hours_between(opened, closed)", "1.50"],
  ["decimal", "minutes_between(opened, closed)", "90.01"],
  ["duration", "seconds_between(opened, closed)", 5_401],
  ["decimal", "days_between(opened, closed)", "0.06"],
  ["decimal", "days_between(opened, closed)", null, { closed: "infinity" }],
  ["date", "first(due, begun)", "2026-02-27", { due: null }],
  ["timestamp", "if(done = true, closed, opened)", "2026-11-21T11:30:00.5+00:00"],
];

export const expressionCases = cases.map(([type, expression, result, change = {}]) => ({
  type,
  expression,
  result,
  values: { ...values, ...change },
}));
