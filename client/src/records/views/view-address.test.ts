import { expect, test } from "vitest";
import { readView, searchOfView, withView, writeView } from "./view-address.ts";

const byNumber = { filter: null, sort: ["-number"], group: null, grouping: null };

test("a view survives the way through an address", () => {
  const view = {
    filter: { and: [{ field: "state", op: "in" as const, value: ["New", "Active"] }] },
    sort: ["priority", "-opened_at"],
    search: "mail & print",
    group: "priority",
    grouping: { field: "opened_at", by: "month" as const },
  };
  const params = writeView(new URLSearchParams("other=1"), view, byNumber);
  expect(params.get("other")).toBe("1");
  expect(readView(new URLSearchParams(params.toString()), byNumber)).toEqual(view);
});

test("days begin where the address says; a zone that nobody knows is none", () => {
  const zoneOf = (text: string) => readView(new URLSearchParams(text), byNumber).zone;
  expect(zoneOf("zone=Europe%2FLisbon")).toBe("Europe/Lisbon");
  expect(zoneOf("zone=Nowhere")).toBeUndefined();
});

test("the default view needs no parameters, and an emptied sort order differs from the default one", () => {
  const plain = { ...byNumber, search: "" };
  expect(writeView(new URLSearchParams("q=x&filter=y&group=z"), plain, byNumber).toString()).toBe(
    "",
  );
  const unsorted = writeView(new URLSearchParams(), { ...plain, sort: [] }, byNumber);
  expect(readView(unsorted, byNumber).sort).toEqual([]);
});

test("a filter that can't be read is none", () => {
  expect(readView(new URLSearchParams("filter={"), byNumber).filter).toBeNull();
  expect(readView(new URLSearchParams('filter={"field":1}'), byNumber).filter).toBeNull();
});

test("for a saved view the address holds only what differs from it, including a removed filter", () => {
  const saved = {
    filter: { field: "state", op: "eq" as const, value: "New" },
    sort: ["title"],
    group: "impact",
    grouping: { field: "impact" },
  };
  const shown = { ...saved, search: "" };
  expect(writeView(new URLSearchParams("view=1"), shown, saved).toString()).toBe("view=1");
  const all = writeView(new URLSearchParams("view=1"), { ...shown, filter: null }, saved);
  expect(readView(all, saved)).toEqual({ ...shown, filter: null });
  const byState = writeView(new URLSearchParams("view=1"), { ...shown, group: null }, saved);
  expect(readView(byState, saved)).toEqual({ ...shown, group: null });
  expect(readView(new URLSearchParams("view=1"), saved)).toEqual(shown);
});

test("drops unsaved changes when another view is chosen, and nothing else", () => {
  const params = new URLSearchParams("view=1&q=x&sort=a&filter=y&group=z&zone=UTC&record=7");
  expect(withView(params, "2").toString()).toBe("record=7&view=2");
  expect(withView(params, null).toString()).toBe("record=7");
});

test("a link to another screen holds the view and its changes, but not the open record", () => {
  expect(searchOfView(new URLSearchParams("record=7&group=&view=1"))).toBe("?view=1&group=");
  expect(searchOfView(new URLSearchParams("record=7"))).toBe("");
});
