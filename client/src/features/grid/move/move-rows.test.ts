import { expect, it, vi } from "vitest";
import { gridMessages } from "../../../messages/en/grid.ts";
import { fakeGrid, shownToasts } from "../testing/fake-grid.ts";
import { moveBehind } from "./move-rows.ts";

it("leaves rows where they are if the one that they were dropped behind has left meanwhile", async () => {
  const { grid } = await fakeGrid(5);
  Object.assign(grid.api, { isDestroyed: () => false });
  Object.assign(grid.actions, { movable: () => ({ view: { id: "view" }, reason: null }) });
  const send = vi.fn();
  vi.stubGlobal("fetch", send);
  await moveBehind(grid, ["i3"], "left");
  expect(send).not.toHaveBeenCalled();
  expect(shownToasts()).toEqual([gridMessages.moveNeedsLoaded()]);
});
