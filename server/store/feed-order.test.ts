import { describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { proofSize } from "../../e2e/provision/proof-size.ts";
import { readHistory } from "./change-history.ts";
import { readSpan } from "./feed-log.ts";
import type { LogChange } from "./log-change.ts";
import { createStoreEnvironment, type StoreEnvironment } from "./testing/store-environment.ts";

const WRITERS = 8;
const ROWS_PER_TRANSACTION = 10;
const RECORDS = 40;
const ROWS = proofSize(4_000, 100_000);

/**
 * Each writer adds one to a counter on ten records per transaction (`reassignments`), under row locks. So the
 * value itself shows the true order of a record's changes, and the log must have the same.
 */
async function write(environment: StoreEnvironment, writer: number): Promise<void> {
  const client = await environment.database.connect();
  await client.query("select set_config('watchfloor.actor', $1, false)", [`user:writer-${writer}`]);
  for (let left = ROWS / WRITERS; left > 0; left -= ROWS_PER_TRANSACTION) {
    await client.query("begin");
    const records = Array.from(
      { length: ROWS_PER_TRANSACTION },
      (_, row) => (left * 7 + row * 3 + writer * 5) % RECORDS,
    );
    // In id order, so that the writers can't deadlock.
    for (const record of records.sort((a, b) => a - b)) {
      await client.query({
        name: "add",
        text: `update incidents set reassignments = reassignments + 1, location = $2 where id = $1`,
        values: [String(record).padStart(3, "0"), `writer-${writer}`],
      });
    }
    await client.query("commit");
  }
  await client.end();
}

/** Follows the feed while it grows, as the relay does. */
async function follow(
  environment: StoreEnvironment,
  from: number,
  until: number,
): Promise<LogChange[]> {
  const seen: LogChange[] = [];
  let at = from;
  while (at < until) {
    const span = await readSpan(environment.database, "incidents", at, 500);
    seen.push(...(span?.changes ?? []));
    at = span?.to ?? at;
  }
  return seen;
}

describe.each(databases)("the order of the feed on $name", (kind) => {
  it(`loses no number and inverts none: ${WRITERS} writers, ${ROWS} rows, a live reader`, {
    timeout: 900_000,
  }, async () => {
    await using environment = await createStoreEnvironment(kind);
    await environment.database.pool.query(
      `insert into incidents (id, reassignments) select lpad(g::text, 3, '0'), 0
       from generate_series(0, ${RECORDS - 1}) g`,
    );
    const reading = follow(environment, RECORDS, RECORDS + ROWS);
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(environment, writer)));
    const seen = await reading;

    expect(seen.map(({ seq }) => seq)).toEqual(
      Array.from({ length: ROWS }, (_, index) => RECORDS + 1 + index),
    );
    const counts = new Map<string, number>();
    for (const { record, before, after, by } of seen) {
      const expected = (counts.get(record) ?? 0) + 1;
      expect(after?.reassignments).toBe(expected);
      expect(before?.reassignments).toBe(expected - 1);
      expect(by.id).toBe(after?.location);
      counts.set(record, expected);
    }
  });

  it("numbers a transaction of many rows in pieces, with the same order across tables", async () => {
    await using environment = await createStoreEnvironment(kind);
    const ids = (part: string) =>
      `select '${part}' || lpad(g::text, 5, '0') from generate_series(1, 2500) g`;
    const client = await environment.database.connect();
    await client.query("begin");
    await client.query(`insert into incidents (id) ${ids("a")}`);
    await client.query("insert into groups (id, name) values ('g', 'g')");
    await client.query(`insert into incidents (id) ${ids("b")} order by g desc`);
    await client.query("commit");
    await client.end();

    const seen = await follow(environment, 0, 5_000);
    expect(seen.map(({ seq }) => seq)).toEqual(Array.from({ length: 5_000 }, (_, i) => i + 1));
    expect([seen[0], seen[2_499], seen[2_500], seen[4_999]].map((one) => one?.record)).toEqual([
      "a00001",
      "a02500",
      "b02500",
      "b00001",
    ]);
    const [entry] = await readHistory(environment.database.pool, "incidents", "b00001", {
      limit: 1,
    });
    expect(entry?.change.seq).toBe(5_000);
    const pieces = await environment.database.pool.query(
      "select max(n) as largest from watchfloor.numbering",
    );
    expect(pieces.rows).toEqual([{ largest: 1_000 }]);
  });
});
