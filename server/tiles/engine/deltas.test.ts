import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import { proofSize } from "../../../e2e/provision/proof-size.ts";
import { type Tile, tileSchema } from "../../../shared/model/wallboard/tile.ts";
import { batchesArbitrary, scopeArbitrary, tilesArbitrary } from "../testing/tile-arbitraries.ts";
import { TileEnvironment } from "../testing/tile-environment.ts";

/**
 * Random wallboards live through random changes; after every batch they show what a server shows that has just
 * read everything: exact sums, no group without records, windows advanced by the clock.
 */
const runs = proofSize(25, 600);
const fields = ["title", "level", "amount", "price", "done", "due", "opened", "tags"];

/**
 * Between the two readings a record may cross a clock bound: then both read once more, for longer than
 * records have times ahead of them. A wrongly updated value stays wrong.
 */
const COMPARE_FOR_MS = 4_000;
const PAUSE_MS = 40;

describe.each(databases.slice(0, 1))("T2 values updated from changes on $name", (kind) => {
  let world: TileEnvironment;
  beforeAll(async () => {
    world = await TileEnvironment.open(kind);
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it(
    `equal those of the database after every batch, in ${runs} lives of random wallboards`,
    async () => {
      const life = fc.asyncProperty(
        tilesArbitrary,
        scopeArbitrary,
        batchesArbitrary,
        async (tiles, filter, batches) => {
          await world.commit([{ text: "delete from things", values: [] }]);
          const plan = world.plan(tiles, { filter, fields });
          world.watch(plan);
          try {
            for (const batch of batches) {
              await world.commit(batch);
              await requireSame(plan);
            }
          } finally {
            world.forget(plan);
          }
        },
      );
      await fc.assert(life, { numRuns: runs, endOnFailure: true });
      expect(world.metrics.failures).toBe(0);
      expect(world.compared.verified).toBeGreaterThan(0);
      expect(world.compared.mismatches).toBe(0);
    },
    60_000 + runs * 4_000,
  );

  it("cost no database query while they are updated", async () => {
    await world.commit([{ text: "delete from things", values: [] }]);
    const base = { table: "things", layout: { x: 0, y: 0, w: 1, h: 1 } };
    const tiles: Tile[] = [
      { ...base, id: "n", kind: "number", measure: { op: "sum", field: "price" } },
      { ...base, id: "g", kind: "breakdown", group: "level", measure: { op: "count" } },
      { ...base, id: "a", kind: "lights", group: "done", measure: { op: "avg", field: "amount" } },
      { ...base, id: "m", kind: "number", measure: { op: "percentile", field: "price" } },
      {
        ...base,
        id: "d",
        kind: "breakdown",
        group: "level",
        measure: { op: "distinct", field: "title" },
      },
      { ...base, id: "q", kind: "queue", order: "price", fields: ["title"], limit: 2 },
      { ...base, id: "c", kind: "number", filter: { field: "opened", op: "gt", value: "$now" } },
    ].map((tile) => tileSchema.parse(tile));
    const plan = world.plan(tiles, { filter: null, fields });
    world.watch(plan);
    await world.shown(plan);
    const before = world.metrics.queries;
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    for (let count = 1; count <= 50; count += 1) {
      const values = [String(count), "0.10", count % 2 ? "low" : "high", inAnHour];
      const text = "insert into things (id, price, level, opened) values ($1, $2, $3, $4)";
      await world.commit([{ text, values }]);
    }
    await world.shown(plan);
    // the last ones of a queue that change and stay at their place
    for (let count = 1; count <= 50; count += 1) {
      const text = "update things set title = 'changed' where id = $1";
      await world.commit([{ text, values: [String(count)] }]);
    }
    expect(await world.shown(plan)).toMatchObject({
      n: { value: "5.00" },
      g: { value: 50, rows: [{ value: 25 }, { value: 25 }] },
      m: { value: "0.10" },
      d: { rows: [{ value: 1 }, { value: 1 }] },
      q: { rows: [{ values: { title: "changed" } }, { values: { title: "changed" } }] },
      c: { value: 50 },
    });
    expect(world.metrics.queries).toBe(before);
    world.forget(plan);
  });

  async function requireSame(plan: ReturnType<TileEnvironment["plan"]>): Promise<void> {
    for (const began = performance.now(); ; ) {
      // Of the time before the readings: on a busy machine a single pair of them takes longer.
      const isLast = performance.now() - began > COMPARE_FOR_MS;
      const [shown, read] = [await world.shown(plan), await world.read(plan)];
      if (isLast || JSON.stringify(shown) === JSON.stringify(read)) {
        expect(shown).toEqual(read);
        return;
      }
      await sleep(PAUSE_MS);
    }
  }
});
