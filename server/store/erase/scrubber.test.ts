import { expect, it } from "vitest";
import { explain } from "../../../shared/error-texts/explain.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { Scrubber } from "./scrubber.ts";

it("replaces a value as a whole, and within texts only where it is not part of a word", () => {
  const scrubber = new Scrubber(["Ann", 'W. "B" (x) a-b/c $1', "no", 12_345]);
  expect(scrubber.text("Annual Ann, Joann: Ann!")).toBe("Annual [erased], Joann: [erased]!");
  expect(scrubber.text('Is W. "B" (x) a-b/c $1 in?')).toBe("Is [erased] in?");
  expect(scrubber.text("no")).toBe("[erased]");
  expect(scrubber.text("There is no one.")).toBe("There is no one.");
  expect([scrubber.hasShort, new Scrubber(["Ann"]).hasShort]).toEqual([true, false]);
  const row = { line: 12_345, mine: { Ann: ["Ann", 12_345, 7, null] } };
  expect(scrubber.json(row)).toEqual({
    line: 12_345,
    mine: { Ann: ["[erased]", null, 7, null] },
  });
});

it("ignores the case of values in texts of users, and still finds whole words only", () => {
  const scrubber = new Scrubber(["Ann", "Éva Σ.", "bo", "a-B (c)"]).ignoringCase();
  expect(scrubber.text("ANN, ann: Annual, JoANN")).toBe("[erased], [erased]: Annual, JoANN");
  expect(scrubber.text("Is ÉVA ς. in? éva σ.")).toBe("Is [erased] in? [erased]");
  expect(scrubber.text("A-b (C) or a-b c")).toBe("[erased] or a-b c");
  expect([scrubber.text("BO"), scrubber.text("BO is in")]).toEqual(["[erased]", "BO is in"]);
  expect(new Scrubber(["Ann"]).text("ANN")).toBe("ANN");
});

it("leaves the id of the table that an event was about", () => {
  const detail = { table: "staff", tableId: "staff", search: "staff" };
  expect(new Scrubber(["staff"]).json(detail)).toEqual({ ...detail, search: "[erased]" });
});

it("leaves the results of ops readable, whatever numbers they have", () => {
  const results = [{ ok: true, record: "r-123", version: "epoch.123", seq: 123 }];
  expect(new Scrubber([123]).json(results)).toEqual(results);
});

it("replaces values and typed text in an answer, and no word of the protocol", () => {
  const conflict = {
    code: "conflict",
    message: "Someone else changed this in the meantime.",
    table: "incidents",
    record: "user",
    fields: {
      code: { base: { code: "conflict" }, mine: ["user"], theirs: "changed", by: by("user") },
      kind: { rule: "unique", message: "user is in use." },
    },
  };
  function by(name: string) {
    return { kind: "user", id: "u1", name };
  }
  const words = ["conflict", "user", "changed", "unique", "incidents", "code"];
  expect(new Scrubber(words).json([{ ok: false, error: conflict }])).toEqual([
    {
      ok: false,
      error: {
        ...conflict,
        fields: {
          code: {
            base: { code: "[erased]" },
            mine: ["[erased]"],
            theirs: "[erased]",
            by: by("[erased]"),
          },
          kind: { rule: "unique", message: "[erased] is in use." },
        },
      },
    },
  ]);
});

it("replaces what a sentence names of a record, and leaves its key", () => {
  const values = (state: string) => ({ fields: ["Cause"], record: "problem", state });
  const refusal = (state: string) =>
    new Refusal("field_locked", { state }, explain("record.locked", values(state))).toBody();
  expect(new Scrubber(["Closed", "record"]).json(refusal("Closed") as never)).toEqual(
    refusal("[erased]"),
  );
});
