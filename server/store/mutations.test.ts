import { describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { stateStatement } from "./mutations.ts";
import { createStoreEnvironment } from "./testing/store-environment.ts";

describe.each(databases)("stored mutations on $name", (kind) => {
  it("looks repeats up by key with a plan that was made while the table was small", async () => {
    await using environment = await createStoreEnvironment(kind);
    const writer = await environment.database.connect({ byKey: true });
    const store = (from: number, to: number) =>
      writer.query(
        `insert into watchfloor.mutation (author, id, hash, results)
           select 'user:ann', n::text, '', '[]' from generate_series($1::int, $2) n`,
        [from, to],
      );
    await store(1, 1);
    await writer.query("analyze watchfloor.mutation");
    const keys = ["a", "b", "7"].map((id) => ({ author: "user:ann", id }));
    const { text } = stateStatement(keys, ["incidents"]);
    await writer.query(`prepare state(text[], text[], text[]) as ${text}`);
    const run = "execute state('{user:ann,user:ann,user:ann}', '{a,b,7}', '{incidents}')";
    await writer.query(run);
    await store(2, 300);
    const { rows } = await writer.query<{ "QUERY PLAN": string }>(
      `explain (analyze, costs off, timing off, summary off) ${run}`,
    );
    const read = rows
      .map((row) => row["QUERY PLAN"])
      .filter((line) => line.includes("mutation_pkey"));
    expect(read).toHaveLength(1);
    // Once for each key.
    expect(read[0]).toMatch(/loops=3/);
    expect((await writer.query(run)).rows[0].isRepeat).toBe(true);
    await writer.end();
  });
});
