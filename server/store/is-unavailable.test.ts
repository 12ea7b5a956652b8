import pg from "pg";
import { expect, it } from "vitest";
import { isUnavailable } from "./is-unavailable.ts";

it("takes a connection that was given up, and on which a transaction is rolled back, as unavailable", async () => {
  const client = new pg.Client();
  await client.end();
  const failure = await client.query("rollback").catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
});
