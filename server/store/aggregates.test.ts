import { sql } from "kysely";
import { expect, it } from "vitest";
import { type Aggregate, aggregate } from "./aggregates.ts";

it.each(["sum(1), pg_read_file", "count", "", "__proto__", "constructor", "toString"])(
  "an aggregate function called %j is refused",
  (name) => {
    expect(() => aggregate(name as Aggregate, sql`1`)).toThrow("no such aggregate");
  },
);
