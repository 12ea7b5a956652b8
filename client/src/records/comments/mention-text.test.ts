import { expect, it } from "vitest";
import { mentionBefore, toStored, toTyped } from "./mention-text.ts";

const ann = { id: "u1", name: "Ann" };
const annLee = { id: "u2", name: "Ann Lee" };
const odd = { id: "u3", name: "O'Neil (NOC) $&" };

it("shows mentions by name and stores them by id", () => {
  const users = [ann, annLee, odd];
  const stored = "<@u2> ask <@u1>, (<@u3>) or <@gone>";
  const typed = "@Ann Lee ask @Ann, (@O'Neil (NOC) $&) or <@gone>";
  expect(toTyped(stored, users)).toBe(typed);
  expect(toStored(typed, users)).toBe(stored);
});

it("leaves longer words, unknown names and addresses alone", () => {
  const text = "@Annabel @Bob ann@Ann.example";
  expect(toStored(text, [ann])).toBe(text);
  expect(toStored("@Ann", [])).toBe("@Ann");
});

it("finds the name that is being typed", () => {
  expect(mentionBefore("hello @An", 9)).toBe("An");
  expect(mentionBefore("@", 1)).toBe("");
  expect(mentionBefore("(@Ann L", 7)).toBe("Ann L");
  expect(mentionBefore("hello@example", 13)).toBeNull();
  expect(mentionBefore("@Ann and then", 13)).toBeNull();
  expect(mentionBefore("@Ann", 0)).toBeNull();
});
