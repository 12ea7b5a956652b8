import { afterEach, expect, it, vi } from "vitest";
import type { Tile } from "../../../../../shared/model/wallboard/tile.ts";
import type { WallboardInfo } from "../../../../../shared/protocol/wallboards.ts";
import { duplicateTile } from "./tile-edits.ts";

afterEach(() => vi.unstubAllGlobals());

it("duplicates a tile on plain HTTP, where browsers have no crypto.randomUUID", () => {
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  const tile: Tile = { id: "a", kind: "clock", hours: "24", layout: { x: 0, y: 0, w: 2, h: 2 } };
  const wallboard: WallboardInfo = {
    id: "b",
    version: 1,
    name: "Wall",
    tiles: [tile],
    hidden: [],
    grid: { columns: 12, rows: 8 },
    zone: "UTC",
    theme: "dark",
    published: null,
    updated: { at: "", by: null },
  };
  expect(duplicateTile(wallboard, tile)).toMatchObject({
    id: expect.stringMatching(/^t[0-9a-f]{8}$/),
    layout: { x: 2, y: 0 },
  });
});
