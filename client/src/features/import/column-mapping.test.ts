import { describe, expect, it } from "vitest";
import type { Field } from "../../../../shared/model/model.ts";
import { mapOf } from "./column-mapping.ts";

describe("the mapping that is sent with a file", () => {
  const fields = [
    { name: "title", label: "Title", type: "text" },
    { name: "opened_at", label: "Opened", type: "timestamp" },
  ] as Field[];

  it("names columns that have a field, and excluded columns that the server would recognise", () => {
    const header = ["Headline", "opened", "Id", "colour"];
    const mapping = { fields: ["title", "", "", ""], key: null };
    expect(mapOf(fields, header, mapping)).toEqual({ Headline: "title", opened: "", Id: "" });
  });

  it("stays short for a file of hundreds of columns", () => {
    const others = Array.from({ length: 300 }, (_, index) => `Дополнительный столбец ${index}`);
    const mapping = { fields: ["title", ...others.map(() => "")], key: null };
    expect(mapOf(fields, ["Title", ...others], mapping)).toEqual({ Title: "title" });
  });
});
