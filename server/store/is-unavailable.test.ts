import pg from "pg";
import { expect, it } from "vitest";
import { isUnavailable, isUnreachable } from "./is-unavailable.ts";

it("takes a connection that was given up, and on which a transaction is rolled back, as unavailable", async () => {
  const client = new pg.Client();
  await client.end();
  const failure = await client.query("rollback").catch((error: unknown) => error);
  expect(isUnavailable(failure)).toBe(true);
});

it("takes no message that merely quotes such a sentence as unavailable", () => {
  const quoting = new Error('invalid input syntax for type date: "timeout expired"');
  expect(isUnavailable(quoting)).toBe(false);
});

it("takes a transaction that paused too long as unavailable, and Postgres as reachable", () => {
  const ended = Object.assign(new Error("terminating connection"), { code: "25P03" });
  expect([isUnavailable(ended), isUnreachable(ended)]).toEqual([true, false]);
});
