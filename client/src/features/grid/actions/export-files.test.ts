import { expect, test } from "vitest";
import { filesOf } from "./export-files.ts";

test("a view is exported by its own time zone, as its rows are found", () => {
  const view = { filter: null, sort: [], search: "", group: null, grouping: null };
  const zones = filesOf("incidents", { ...view, zone: "Pacific/Auckland" }, []).map(({ path }) =>
    new URL(path, "http://host").searchParams.get("zone"),
  );
  expect(zones).toEqual(["Pacific/Auckland", "Pacific/Auckland", "Pacific/Auckland"]);
});

test("one of the files is for reading, by names and local times, and one can be imported again", () => {
  const view = { filter: null, sort: [], search: "", group: null, grouping: null };
  const csv = filesOf("incidents", view, []).filter(({ path }) => path.includes(".csv"));
  const readable = csv.map(({ path }) => new URL(path, "http://host").searchParams.get("readable"));
  expect(readable).toEqual([null, "true"]);
});
