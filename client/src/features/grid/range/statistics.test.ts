import { expect, it } from "vitest";
import type { Json } from "../../../../../shared/filter/filter.ts";
import type { Field } from "../../../../../shared/model/model.ts";
import type { RecordView } from "../../../state/record-view.ts";
import { statisticsOf } from "./statistics.ts";

const cost: Field = { name: "cost", label: "Cost", type: "money", scale: 2, currency: "EUR" };
const fee: Field = { name: "fee", label: "Fee", type: "money", scale: 2, currency: "USD" };
const title: Field = { name: "title", label: "Title", type: "text" };

const cells = (field: Field, values: Json[]) =>
  values.map((value) => ({
    record: { values: { [field.name]: value } } as unknown as RecordView,
    field,
  }));

it("adds decimals without rounding", () => {
  const { count, numbers } = statisticsOf([
    ...cells(cost, ["0.10", "0.20", "90071992547409931.50", null]),
    ...cells(title, ["A", null]),
  ]);
  expect(count).toBe(4);
  expect(numbers).toMatchObject({
    sum: "90071992547409931.8",
    average: "30023997515803310.6",
    minimum: "0.1",
    maximum: "90071992547409931.5",
  });
});

it("does not add values without a common unit", () => {
  expect(statisticsOf([...cells(cost, ["1.00"]), ...cells(fee, ["1.00"])])).toEqual({
    count: 2,
    numbers: null,
  });
});

it("leaves out no number that only another program could store", () => {
  const of = (...values: Json[]) => statisticsOf(cells(cost, values));
  const all = { sum: "NaN", average: "NaN", minimum: "1", maximum: "NaN" };
  expect(of("1.00", "NaN", null)).toMatchObject({ count: 2, numbers: all });
  expect(of("NaN").numbers).toMatchObject({ minimum: "NaN", maximum: "NaN" });
  const below = { sum: "-Infinity", average: "-Infinity", minimum: "-Infinity", maximum: "1" };
  expect(of("-Infinity", "1.00").numbers).toMatchObject(below);
  expect(of("Infinity", "-Infinity").numbers).toMatchObject({ sum: "NaN", maximum: "Infinity" });
});
