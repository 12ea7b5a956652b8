import { expect, test } from "vitest";
import type { ViewSettings } from "../../../../shared/model/view/view.ts";
import { basesOf, changesOf, describePart } from "./view-edits.ts";

const view: ViewSettings = {
  filter: { field: "state", op: "eq", value: "New" },
  sort: ["title"],
  columns: [],
  group: null,
};

test("changesOf returns settings that differ, and ignores those not shown", () => {
  const { filter, sort } = view;
  expect(changesOf({ filter, sort }, view)).toEqual({});
  expect(changesOf({ filter: null, sort: ["-title"] }, view)).toEqual({
    filter: null,
    sort: ["-title"],
  });
});

test("basesOf keeps the base of a change when others save in the meantime", () => {
  const changes = { sort: ["number"] };
  const bases = basesOf(changes, view, {});
  expect(bases).toEqual({ sort: ["title"] });
  const saved = { ...view, sort: ["state"], filter: null };
  const more = { ...changes, filter: view.filter };
  expect(basesOf(more, saved, bases)).toEqual({ sort: ["title"], filter: null });
  expect(basesOf({}, saved, bases)).toEqual({});
});

test("describePart describes every part", () => {
  const say = (part: keyof ViewSettings, settings: Partial<ViewSettings>) =>
    describePart(
      part,
      settings,
      (field) => field.toUpperCase(),
      () => undefined,
    );
  expect(say("filter", view)).toBe("STATE is New");
  expect(say("filter", { filter: null })).toBe("all records");
  expect(say("sort", { sort: ["a", "-b"] })).toBe("A, B (descending)");
  expect(say("sort", { sort: [] })).toBe("no sort order");
  const columns = [{ field: "a" }, { field: "b", hidden: true }];
  expect(say("columns", { columns })).toBe("A");
  expect(say("columns", view)).toBe("default columns");
  expect(say("group", view)).toBe("default grouping");
  expect(say("group", { group: "a" })).toBe("A");
});
