import { expect, it } from "vitest";
import type { Table } from "../../../../shared/model/model.ts";
import type { ViewInfo } from "../../../../shared/protocol/views.ts";
import { nextVersion } from "./use-current-view.ts";

const table = { name: "beds" } as Table;

function view(more: Partial<ViewInfo>, at = "first"): ViewInfo {
  return {
    ...{ id: "v", table: "beds", name: "All", shared: true, owner: null },
    ...{ filter: null, sort: ["number"], columns: [], group: null },
    updated: { at, by: { id: "ana", name: "Ana" } },
    ...more,
  };
}

const shown = view({});
const before = { shown, stored: shown, table };
const after = (stored: ViewInfo | null, isAtWork: boolean, of = table) =>
  nextVersion(before, { stored, table: of }, () => isAtWork);

it("V6 keeps a view as it was while the user is at work in its rows, whatever of it was saved", () => {
  for (const changed of [
    { sort: ["-number"] },
    { filter: { field: "ward", op: "isEmpty" } as const },
    { columns: [{ field: "ward", hidden: true }] },
    { grouping: { field: "ward" } },
    { appearance: { height: "tall" } as const },
    { orderVersion: 2 },
  ]) {
    const stored = view(changed, "second");
    expect(after(stored, true)).toEqual({ shown, stored, table });
    expect(after(stored, false).shown).toBe(stored);
  }
});

it("shows at once what moves nothing, or what the model has changed, or another view", () => {
  for (const stored of [
    view({ name: "Another name" }, "second"),
    view({ sort: ["-number"] }, "first"),
    view({ id: "other", sort: ["-number"] }, "second"),
    null,
  ])
    expect(after(stored, true).shown).toBe(stored);
});

it("keeps what waits as it was while another model is published, under the names of that", () => {
  const field = (id: string, name: string) =>
    ({ ...table, fields: [{ id, name, label: "Number", type: "integer" }] }) as Table;
  const [first, renamed, without] = [
    field("1", "number"),
    field("1", "count"),
    field("2", "number"),
  ];
  const stored = view({ sort: ["-number"] }, "second");
  const next = (to: Table) =>
    nextVersion({ shown, stored: shown, table: first }, { stored, table: to }, () => true);
  expect(next(renamed).shown).toEqual({ ...shown, sort: ["count"] });
  expect(next(without).shown).toEqual({ ...shown, sort: [] });
  expect(next({ ...first }).shown).toEqual(shown);
});
