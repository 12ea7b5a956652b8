import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TileKind, tileKinds } from "../../../shared/model/wallboard/tile.ts";
import { fitLayout } from "./fit-layout.ts";

const tile = (
  id: string,
  x: number,
  y: number,
  w: number,
  h: number,
  kind: TileKind = "breakdown",
) => ({ id, kind, layout: { x, y, w, h } });
const grid = { columns: 12, rows: 8 };

describe("a wallboard on a screen of the other orientation", () => {
  it("is unchanged on a screen of its own orientation", () => {
    const tiles = [tile("a", 0, 0, 6, 8), tile("b", 6, 0, 6, 8)];
    expect(fitLayout(tiles, grid, "landscape")).toEqual({ tiles, grid });
  });

  it("is packed anew: in reading order, half or all of the width by what the words need, without holes", () => {
    const tiles = [
      tile("open", 0, 0, 3, 2, "number"),
      tile("late", 3, 0, 3, 2, "number"),
      tile("free", 6, 0, 3, 2, "number"),
      tile("done", 9, 0, 3, 2, "number"),
      tile("bars", 0, 2, 4, 3, "breakdown"),
      tile("days", 4, 2, 5, 3, "trend"),
      tile("clock", 9, 2, 3, 3, "clock"),
      tile("first", 0, 5, 6, 3, "queue"),
      tile("groups", 6, 5, 3, 3, "lights"),
    ];
    const fittedLayout = fitLayout(tiles, grid, "portrait");
    expect(fittedLayout.grid).toEqual({ columns: 6, rows: 15 });
    expect(fittedLayout.tiles.map(({ id, layout }) => [id, ...Object.values(layout)])).toEqual([
      ["open", 0, 0, 3, 2],
      ["late", 3, 0, 3, 2],
      ["free", 0, 2, 3, 2],
      ["done", 3, 2, 3, 2],
      ["bars", 0, 4, 3, 3],
      ["days", 3, 4, 3, 3],
      ["clock", 0, 7, 6, 2],
      ["first", 0, 9, 6, 3],
      ["groups", 0, 12, 6, 3],
    ]);
  });

  it("never lays one tile over another, whatever the wallboard", () => {
    const one = fc.record({
      kind: fc.constantFrom(...tileKinds),
      x: fc.integer({ min: 0, max: 8 }),
      y: fc.integer({ min: 0, max: 8 }),
      w: fc.integer({ min: 1, max: 8 }),
      h: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (layouts) => {
        const tiles = layouts.map(({ kind, ...layout }, index) => ({
          id: String(index),
          kind,
          layout,
        }));
        const fittedLayout = fitLayout(tiles, { columns: 16, rows: 13 }, "portrait");
        const cells = fittedLayout.tiles.flatMap(({ layout: { x, y, w, h } }) =>
          Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
        );
        expect(new Set(cells).size).toBe(cells.length);
      }),
    );
  });
});
