import { expect, it } from "vitest";
import { withVersion } from "./model-file.ts";

it("renews the version of the model, not one within a default", () => {
  const model = (version: number) => `{
  "tables": [{ "name": "places", "fields": [{ "name": "layout", "default": { "version": 7 } }] }],
  "version": ${version}
}`;
  expect(withVersion(model(3), 4)).toBe(model(4));
  expect(withVersion('{"tables": []}', 4)).toBe('{"tables": []}');
});
