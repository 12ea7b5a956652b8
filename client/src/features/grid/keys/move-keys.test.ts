import { expect, it } from "vitest";
import { edgeOfData, endOfUnread } from "./move-keys.ts";

const cells = "XXX..X.";
const isFilled = (index: number) => cells[index] === "X";
const edge = (from: number, step: number) => edgeOfData(from, step, cells.length, isFilled);

it("passes rows that are not read without asking each of a million", () => {
  let asked = 0;
  const known = new Map([
    [0, true],
    [1, true],
    [900_000, true],
    [900_001, false],
  ]);
  const isFilledOrUnread = (row: number) => {
    asked += 1;
    return known.get(row) ?? true;
  };
  const held = [...known.keys()];
  const run = (from: number, step: 1 | -1, count = 1_000_000) =>
    edgeOfData(from, step, count, isFilledOrUnread, (row) => endOfUnread(held, row, step, count));
  expect(run(0, 1)).toBe(900_000);
  expect(run(900_000, -1)).toBe(0);
  expect(run(0, 1, 900_000)).toBe(899_999);
  expect(asked).toBeLessThan(50);
});

it("goes to the end of a run of filled cells", () => {
  expect(edge(0, 1)).toBe(2);
  expect(edge(2, -1)).toBe(0);
});

it("goes over empty cells to the next filled one, or to the end", () => {
  expect(edge(2, 1)).toBe(5);
  expect(edge(5, -1)).toBe(2);
  expect(edge(5, 1)).toBe(6);
  expect(edge(6, 1)).toBe(6);
});
