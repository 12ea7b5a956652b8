import { expect, it } from "vitest";
import type { ActivityEntry } from "../../shared/protocol/records.ts";
import { previewChange } from "./preview-op.ts";

it("names the erased fields of a logged change, so that their empty cells are not mistaken for empty values", () => {
  const change = {
    ...{ table: "incidents", record: "r", kind: "update", erased: ["location"] },
    fields: { location: { before: null, after: null } },
  } as unknown as ActivityEntry;
  expect(previewChange(3, change)).toMatchObject({
    ...{ index: 3, status: "update", erased: ["location"] },
    ...{ before: { location: null }, after: { location: null } },
  });
});
