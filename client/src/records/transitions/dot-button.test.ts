import { expect, test } from "vitest";
import { isSecondClick } from "./dot-button.tsx";

/** A click or tap. Each on a button of its own is the first one for the browser. */
const click = (timeStamp: number, clientX = 100, clientY = 100, detail = 1) =>
  isSecondClick({ detail, timeStamp, clientX, clientY });

test("the second tap of a double tap runs no transition, whatever button is there by then", () => {
  expect(click(1_000)).toBe(false);
  expect(click(1_180, 108, 95)).toBe(true);
  // A third one still belongs to them.
  expect(click(1_350)).toBe(true);
  expect(click(2_500), "later").toBe(false);
  expect(click(2_600, 160), "elsewhere").toBe(false);
});

test("a key runs each transition that it is pressed on", () => {
  expect(click(10_000)).toBe(false);
  expect(click(10_050, 100, 100, 0)).toBe(false);
  expect(click(10_100, 100, 100, 0)).toBe(false);
});
