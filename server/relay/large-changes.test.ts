import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { createStoreEnvironment } from "../store/testing/store-environment.ts";
import { openFeedLog } from "./feed-log.ts";

const CHANGES = 60;
const CHANGE_BYTES = 1_000_000;
/** What a bus sends at once. */
const SPAN_BYTES = 4_000_000;

it("P6 reads large changes in parts of bounded size, and all of them", async () => {
  const [kind] = databases;
  if (!kind) return expect.unreachable();
  await using environment = await createStoreEnvironment(kind);
  await environment.database.pool.query(`insert into incidents (id, notes)
    select 'r' || i, repeat('n', ${CHANGE_BYTES}) from generate_series(1, ${CHANGES}) i`);
  const log = openFeedLog(environment.database);
  const found: number[] = [];
  const sizes: number[] = [];
  for (let after = 0; after < CHANGES; ) {
    const span = await log.readSpan("incidents", after, 500);
    if (!span?.changes.length) return expect.unreachable();
    expect(span.head).toBe(CHANGES);
    found.push(...span.changes.map(({ seq }) => seq));
    sizes.push(JSON.stringify(span.changes).length);
    after = span.to;
  }
  expect(found).toEqual(Array.from({ length: CHANGES }, (_, index) => index + 1));
  expect(Math.max(...sizes)).toBeLessThan(SPAN_BYTES);
});
