import { describe, expect, it } from "vitest";
import { explain } from "../error-texts/explain.ts";
import { Refusal } from "./errors.ts";

const locked = () => {
  const values = { fields: ["Cause"], record: "problem", state: "Closed" };
  return new Refusal("field_locked", { table: "problems" }, explain("record.locked", values));
};

describe("Refusal", () => {
  it("sends the English sentence, its key and its values beside its other details", () => {
    expect(locked().toBody()).toEqual({
      code: "field_locked",
      table: "problems",
      message: "Cause can't be changed while this problem is Closed.",
      messageKey: "record.locked",
      messageValues: { fields: ["Cause"], record: "problem", state: "Closed" },
    });
  });

  it("is the same after it was sent", () => {
    expect(Refusal.fromBody(locked().toBody()).toBody()).toEqual(locked().toBody());
  });

  it("passes its explanation on to another refusal", () => {
    const other = new Refusal("field_locked", {}, locked().explanation);
    const { table: _, ...body } = locked().toBody();
    expect(other.toBody()).toEqual(body);
  });

  it("has no key and no values without an explanation, also of another refusal's details", () => {
    expect(new Refusal("field_locked", locked().detail).toBody()).toEqual({
      code: "field_locked",
      table: "problems",
      message: "This field is read-only in the current state.",
    });
  });
});
