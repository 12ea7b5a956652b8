import { describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { readFeedStates, readSpan } from "./feed-log.ts";
import { sweepLog } from "./sweep-log.ts";
import { buildDesk } from "./testing/build-desk.ts";

describe.each(databases)("sweeping the log on $name", (kind) => {
  it("forgets what is older, keeps what is younger, and says how far back it reaches", async () => {
    await using desk = await buildDesk(kind);
    const run = (text: string) => desk.database.pool.query(text);
    await run("insert into incidents (id) select 'old' || g from generate_series(1, 20) g");
    await run("update watchfloor.numbering set at = now() - interval '2 hours'");
    await run("insert into incidents (id) values ('young')");
    await sweepLog(desk.database, 3_600_000);

    const states = await readFeedStates(desk.database);
    expect(states.find((state) => state.table === "incidents")).toMatchObject({
      floor: 20,
      head: 21,
    });
    const span = await readSpan(desk.database, "incidents", 20, 100);
    expect(span?.changes.map(({ record, seq }) => [record, seq])).toEqual([["young", 21]]);
    const { rows } = await desk.database.pool.query(
      "select count(*) as left from watchfloor.change",
    );
    expect(rows[0].left).toBe(1);
  });

  it("forgets what is left of a table that was removed, however young", async () => {
    await using desk = await buildDesk(kind);
    const run = (text: string) => desk.database.pool.query(text);
    await run("insert into groups (id, name) select g, g from generate_series(1, 20) g");
    await run("insert into incidents (id) values ('stays')");
    await run("delete from watchfloor.feed where table_name = 'groups'");
    await sweepLog(desk.database, 3_600_000);
    for (const table of ["change", "numbering"]) {
      const { rows } = await run(`select count(*) as left from watchfloor.${table}`);
      expect(rows[0].left).toBe(1);
    }
  });
});
