import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { tileSchema } from "../../../shared/model/wallboard/tile.ts";
import { TileEnvironment } from "../testing/tile-environment.ts";
import { VALUES_MAX } from "./value-counts.ts";

const GUARD_MS = 60_000;
/** Longer than a round may take, and than the pauses between the changes. */
const READING_S = 0.4;
const CHANGES_EVERY_MS = 20;

it.each(databases.slice(0, 1))(
  "T10 a tile on $name that hides values shows those of one position, though its table changes during each reading",
  async (kind) => {
    await using world = await TileEnvironment.open(kind);
    const insert = (id: string, level: string) => ({
      text: "insert into things (id, level, amount) values ($1, $2, 1)",
      values: [id, level],
    });
    await world.commit([
      ...["slow", "a", "b"].map((id) => insert(id, "low")),
      // Too many values to update the tile from changes.
      {
        text: "insert into things (id, level, amount) select 'v' || n, 'low', -n from generate_series(1, $1::int) n",
        values: [VALUES_MAX + 1],
      },
      { text: "alter table things rename to things_stored", values: [] },
      {
        text: `create view things as select * from things_stored
          where id <> 'slow' or pg_sleep(${READING_S}) is not null`,
        values: [],
      },
    ]);
    const plan = world.plan(
      [
        tileSchema.parse({
          ...{ id: "t", kind: "breakdown", table: "things", group: "level", suppressBelow: 3 },
          measure: { op: "percentile", field: "amount", percentile: 100 },
          layout: { x: 0, y: 0, w: 1, h: 1 },
        }),
      ],
      { filter: null, fields: ["level", "amount"] },
    );
    world.watch(plan);
    let isRestless = true;
    const changing = (async () => {
      for (let n = 0; isRestless; n += 1) {
        const text = "update things_stored set amount = $1 where id = 'a'";
        await world.commit([{ text, values: [n] }]);
        await world.poll();
        await sleep(CHANGES_EVERY_MS);
      }
    })();
    const shown = () => world.frames.get(plan.key)?.tiles.t;
    const largest = () => Number(shown()?.rows?.[0]?.value);
    await until("it has values", GUARD_MS, () => shown()?.state === "ok");
    expect(shown()?.rows).toMatchObject([{ key: "low" }]);
    const first = largest();
    await until("it has later ones", GUARD_MS, () => largest() > first);
    isRestless = false;
    await changing;
  },
);
