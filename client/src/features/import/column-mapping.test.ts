import { describe, expect, it } from "vitest";
import type { Field } from "../../../../shared/model/model.ts";
import { mapOf, withNewFields } from "./column-mapping.ts";

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

describe("a remembered mapping", () => {
  const header = ["Title", "Colour", "Notes"];
  const remembered = { fields: ["title", "", ""], key: "title", offered: ["title", "notes"] };
  const fieldsOf = (...names: string[]) =>
    names.map((name) => ({ name, label: name, type: "text" })) as Field[];

  it("fills a field that was added since for a column that was left out, and leaves out what could have been chosen", () => {
    const fields = fieldsOf("title", "notes", "colour");
    const mapping = { fields: ["title", "colour", ""], key: "title" };
    expect(withNewFields(remembered, fields, header)).toEqual(mapping);
  });

  it("stays as it is if no field was added, or nobody knows which", () => {
    const { offered: _, ...mapping } = remembered;
    expect(withNewFields(remembered, fieldsOf("title", "notes"), header)).toEqual(mapping);
    const unknown = { ...remembered, offered: null };
    expect(withNewFields(unknown, fieldsOf("title", "notes", "colour"), header)).toEqual(mapping);
  });
});
