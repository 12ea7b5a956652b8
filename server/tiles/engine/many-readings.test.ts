import { expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { tileSchema } from "../../../shared/model/wallboard/tile.ts";
import { TileEnvironment } from "../testing/tile-environment.ts";
import { VALUES_MAX } from "./value-counts.ts";

const GUARD_MS = 60_000;
const QUERIED = 16;
const READING_S = 0.03;
const REST_MS = 2_000;

it.each(databases.slice(0, 1))(
  "T2 a tile on $name that is updated from changes does not wait for all that must be read again, which is read in turn",
  async (kind) => {
    await using world = await TileEnvironment.open(kind);
    const insert = (id: string) => ({
      text: "insert into things (id, level, amount) values ($1, 'low', -1)",
      values: [id],
    });
    await world.commit([
      ...["slow", "a"].map(insert),
      // Too many values to update a percentile from changes.
      {
        text: "insert into things (id, amount) select 'v' || n, n from generate_series(1, $1::int) n",
        values: [VALUES_MAX + 1],
      },
      { text: "alter table things rename to things_stored", values: [] },
      {
        text: `create view things as select * from things_stored
          where id <> 'slow' or pg_sleep(${READING_S}) is not null`,
        values: [],
      },
    ]);
    const layout = { x: 0, y: 0, w: 1, h: 1 };
    const base = { kind: "number", table: "things", layout } as const;
    const seen = { filter: null, fields: ["level", "amount"] };
    const queried = Array.from({ length: QUERIED }, (_, n) =>
      world.plan(
        [
          tileSchema.parse({
            ...{ ...base, id: "q", filter: { field: "amount", op: "lt", value: 1_000_000 + n } },
            measure: { op: "distinct", field: "amount" },
          }),
        ],
        seen,
      ),
    );
    const counted = world.plan(
      [tileSchema.parse({ ...base, id: "c", filter: { field: "level", op: "eq", value: "low" } })],
      seen,
    );
    for (const plan of [...queried, counted]) world.watch(plan);
    const value = (plan: typeof counted) =>
      Object.values(world.frames.get(plan.key)?.tiles ?? {})[0]?.value;
    const all = () => queried.every((plan) => value(plan) === VALUES_MAX + 2);
    await until("all are read", GUARD_MS, () => all() && value(counted) === 2);
    // What was read rests in proportion to its cost.
    const rested = Date.now() + REST_MS;
    await until("they may be read again", GUARD_MS, () => Date.now() > rested);
    const before = world.metrics.queries;
    const text = "insert into things_stored (id, level, amount) values ('b', 'low', -2)";
    await world.commit([{ text, values: [] }]);
    await world.poll();
    await until("the count is sent", GUARD_MS, () => value(counted) === 3);
    expect(world.metrics.queries - before).toBeLessThan(QUERIED);
    await until("all are read again", GUARD_MS, () =>
      queried.every((plan) => value(plan) === VALUES_MAX + 3),
    );
  },
);
