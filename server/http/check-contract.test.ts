import { expect, it } from "vitest";
import { Refusal } from "../../shared/protocol/errors.ts";
import { checkAnswer, checkError } from "./check-contract.ts";

const user = { id: "a", name: "Ada", colour: "red", status: "active" };

it("accepts an answer that fits, and a refusal that the contract names", () => {
  checkAnswer("GET /users/{id}", user);
  checkAnswer("DELETE /users/{id}", undefined);
  checkError("PUT /model", new Refusal("model_conflict"));
  checkError("PUT /model", new Error("not a refusal"));
});

it.each([
  [
    "of another form",
    "GET /users/{id}",
    { ...user, status: "gone" },
    /otherwise than its contract/,
  ],
  [
    "with more than is declared",
    "GET /users/{id}",
    { ...user, hash: "x" },
    /more than its contract/,
  ],
  ["that is missing", "GET /users/{id}", undefined, /otherwise than its contract/],
  ["where none is declared", "DELETE /users/{id}", user, /otherwise than its contract/],
] as const)("refuses an answer %s", (_what, name, body, sentence) => {
  expect(() => checkAnswer(name, body)).toThrow(sentence);
});

it("refuses an error that the contract does not name", () => {
  expect(() => checkError("GET /users", new Refusal("conflict"))).toThrow(/does not name/);
});
