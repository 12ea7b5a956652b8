import { describe, expect, it } from "vitest";
import { readableFromMetres, sidesMm, unreadableTiles, type ViewedScreen } from "./legible-text.ts";

const wall: ViewedScreen = { width: 1920, height: 1080, diagonalInches: 55, distanceMetres: 5 };
const grid = { columns: 12, rows: 8 };
const large = { x: 0, y: 0, w: 6, h: 4 };
const small = { x: 0, y: 0, w: 1, h: 1 };

describe("text that can be read from afar", () => {
  it("is 4.7 % of the height of a 55-inch screen at five metres, capitals of 23.3 mm", () => {
    const { height } = sidesMm(wall);
    expect(height).toBeCloseTo(685, 0);
    const labelMm = height * 0.047;
    expect(labelMm * 0.72).toBeCloseTo(23.2, 1);
    expect((Math.atan(23.27 / 5_000) * 180 * 60) / Math.PI).toBeCloseTo(16, 1);
    expect(readableFromMetres({ layout: large }, grid, wall)).toBeCloseTo(5, 1);
  });

  it("depends on the size and the distance of the screen, not on its resolution", () => {
    const of = (change: Partial<ViewedScreen>) =>
      readableFromMetres({ layout: large }, grid, { ...wall, ...change });
    expect(of({ width: 3840, height: 2160 })).toBeCloseTo(of({}));
    expect(of({ diagonalInches: 110 })).toBeCloseTo(2 * of({}), 2);
    expect(of({ distanceMetres: 10 })).toBeCloseTo(of({}), 2);
  });

  it("names the tiles that are too small, and from how near they are read", () => {
    const tiles = [
      { id: "large", layout: large },
      { id: "small", layout: small },
    ];
    const found = unreadableTiles(tiles, grid, wall);
    expect(found.map(({ id }) => id)).toEqual(["small"]);
    expect(found[0]?.metres).toBeLessThan(3);
    const crowded = { id: "large", layout: large, share: 0.5 };
    expect(unreadableTiles([crowded], grid, wall)[0]?.metres).toBeCloseTo(2.5, 1);
    const near = { ...wall, distanceMetres: found[0]?.metres ?? 0 };
    expect(unreadableTiles(tiles, grid, near)).toEqual([]);
  });
});
