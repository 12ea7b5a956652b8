import { expect, it, onTestFinished, vi } from "vitest";
import type { Move } from "../../../../../shared/protocol/views.ts";
import { gridMessages } from "../../../messages/en/grid.ts";
import { store } from "../../../state/store.ts";
import { movedViewAtom } from "../../../state/views-state.ts";
import { fakeGrid, shownToasts } from "../testing/fake-grid.ts";
import { moveBehind } from "./move-rows.ts";

/** A grid over a view whose rows can be moved by hand, and the moves that the server was asked for. */
async function movableGrid() {
  const fake = await fakeGrid(5);
  const { grid, clock } = fake;
  Object.assign(grid.api, { isDestroyed: () => false });
  Object.assign(grid.actions, { movable: () => ({ view: { id: "view" }, reason: null }) });
  const orderOf = { view: "view", version: 1 };
  grid.rowList.setView({ filter: null, sort: ["rank"], search: "", orderOf });
  await clock.advance(100);
  const sent: Move[] = [];
  const line = { isAway: false };
  vi.stubGlobal("fetch", async (_path: string, { body }: RequestInit) => {
    if (line.isAway) throw new TypeError("away");
    sent.push(...(JSON.parse(String(body)) as { moves: Move[] }).moves);
    return Response.json({ id: "view", table: "incidents", orderVersion: 1 });
  });
  onTestFinished(() => store.set(movedViewAtom, null));
  return { ...fake, sent, line };
}

it("leaves rows where they are if the one that they were dropped behind has left meanwhile", async () => {
  const { grid, sent } = await movableGrid();
  await moveBehind(grid, ["i3"], "left");
  expect(sent).toEqual([]);
  expect(shownToasts()).toEqual([gridMessages.moveNeedsLoaded()]);
});

it("moves rows in their order, and nothing where they are dropped where they are", async () => {
  const { grid, run, sent } = await movableGrid();
  await run(moveBehind(grid, ["i2", "i1"], "i2"));
  expect([sent, grid.core.undo.undo()]).toEqual([[], null]);
  await run(moveBehind(grid, ["i4", "i2"], "i0"));
  expect(sent).toEqual([{ records: ["i2", "i4"], after: "i0" }]);
});

it("goes on with the next move after one that failed", async () => {
  const { grid, line, run, sent } = await movableGrid();
  line.isAway = true;
  await run(moveBehind(grid, ["i3"], "i0"));
  line.isAway = false;
  await run(moveBehind(grid, ["i3"], "i1"));
  expect(sent).toEqual([{ records: ["i3"], after: "i1" }]);
});
