import { expect, it } from "vitest";
import { edgeOfData } from "./move-keys.ts";

const cells = "XXX..X.";
const isFilled = (index: number) => cells[index] === "X";
const edge = (from: number, step: number) => edgeOfData(from, step, cells.length, isFilled);

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
