import { expect, it, vi } from "vitest";
import { EditorHost, type OpenEditor } from "../edit/editor-host.ts";
import { fakeGrid } from "../testing/fake-grid.ts";
import { reportPresence } from "./report-presence.ts";

it("says where the cursor is and whether it edits, of a draft only the table, and at the end that it has left", async () => {
  const { grid, clock } = await fakeGrid(3);
  const editors = new EditorHost();
  let onFocus = () => {};
  const addEventListener = (_: string, listener: () => void) => {
    onFocus = listener;
  };
  Object.assign(grid, { editors });
  Object.assign(grid.api, { addEventListener });
  const set = vi.spyOn(grid.core.presence, "set");
  const leave = vi.spyOn(grid.core.presence, "leave");
  const stop = reportPresence(grid);
  const cell = { record: "i0", field: "title" };
  expect(set).toHaveBeenLastCalledWith("incidents", { ...cell, mode: "viewing" });
  editors.open({} as OpenEditor);
  await Promise.resolve();
  expect(set).toHaveBeenLastCalledWith("incidents", { ...cell, mode: "editing" });
  editors.close(editors.current() as OpenEditor);
  grid.core.edits.draft("incidents", {});
  await clock.advance(100);
  const above = { rowIndex: 0, rowPinned: "top", column: { getColId: () => "title" } };
  Object.assign(grid.api, { getFocusedCell: () => above });
  onFocus();
  await Promise.resolve();
  expect(set).toHaveBeenLastCalledWith("incidents", { mode: "viewing" });
  stop();
  expect(leave).toHaveBeenCalledWith("incidents");
});
