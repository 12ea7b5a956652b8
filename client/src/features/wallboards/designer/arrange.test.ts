import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, type Boxes, firstFree, fitInto, overlap, placeTile } from "./arrange.ts";

const grid = { columns: 12, rows: 8 };

describe("tiles on the canvas", () => {
  it("give way downwards where one is put on them, and push what is below", () => {
    const boxes = {
      a: { x: 0, y: 0, w: 4, h: 2 },
      b: { x: 4, y: 0, w: 4, h: 2 },
      c: { x: 4, y: 2, w: 4, h: 2 },
      d: { x: 8, y: 0, w: 4, h: 2 },
    };
    expect(placeTile(boxes, "a", { x: 4, y: 0, w: 4, h: 2 }, grid)).toEqual({
      a: { x: 4, y: 0, w: 4, h: 2 },
      b: { x: 4, y: 2, w: 4, h: 2 },
      c: { x: 4, y: 4, w: 4, h: 2 },
    });
  });

  it("are rejected if the wallboard has no space", () => {
    const boxes = { a: { x: 0, y: 0, w: 12, h: 4 }, b: { x: 0, y: 4, w: 12, h: 4 } };
    expect(placeTile(boxes, "a", { x: 0, y: 0, w: 12, h: 5 }, grid)).toBeNull();
    expect(firstFree(boxes, { w: 1, h: 1 }, grid)).toBeNull();
  });

  it("stay inside the wallboard, at least one cell large", () => {
    expect(fitInto(grid, { x: 12, y: -2, w: 0, h: 99 })).toEqual({ x: 11, y: 0, w: 1, h: 8 });
  });

  it("find the first free place, row by row", () => {
    const boxes = { a: { x: 0, y: 0, w: 6, h: 2 } };
    expect(firstFree(boxes, { w: 8, h: 2 }, grid)).toEqual({ x: 0, y: 2, w: 8, h: 2 });
    expect(firstFree(boxes, { w: 6, h: 2 }, grid)).toEqual({ x: 6, y: 0, w: 6, h: 2 });
  });

  it("that did not overlap don't overlap after any put, and none leaves the wallboard", () => {
    const box = fc.record({
      x: fc.nat(11),
      y: fc.nat(7),
      w: fc.integer({ min: 1, max: 6 }),
      h: fc.integer({ min: 1, max: 4 }),
    });
    const wallboard = fc.array(box, { minLength: 1, maxLength: 8 }).map(withoutOverlap);
    fc.assert(
      fc.property(wallboard, box, fc.nat(7), (boxes, target, pick) => {
        const ids = Object.keys(boxes);
        const id = ids[pick % ids.length] as string;
        const moved = placeTile(boxes, id, fitInto(grid, target), grid);
        if (!moved) return;
        const after = { ...boxes, ...moved };
        expect(overlapping(after)).toEqual([]);
        for (const { y, h } of Object.values(after)) expect(y + h).toBeLessThanOrEqual(grid.rows);
      }),
    );
  });
});

function withoutOverlap(boxes: readonly Box[]): Boxes {
  const placed: Record<string, Box> = {};
  for (const [index, { w, h }] of boxes.entries()) {
    const free = firstFree(placed, { w, h }, grid);
    if (free) placed[`t${index}`] = free;
  }
  return placed;
}

/** Tiles that overlap another one, for example because two users placed them at the same time. */
function overlapping(boxes: Boxes): string[] {
  const all = Object.entries(boxes);
  return all
    .filter(([id, box]) => all.some(([other, theirs]) => id !== other && overlap(box, theirs)))
    .map(([id]) => id);
}
