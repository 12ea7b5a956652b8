import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { createModelEnvironment, fieldOf, tableOf } from "./testing/model-environment.ts";

it.each(databases)(
  "automatic numbers on $name count from another start, and none is given twice",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    const { pool } = environment.database;
    const countFrom = (start: number) =>
      environment.change(({ tables }) => {
        const field = fieldOf("number", { automatic: { prefix: "J", digits: 3, start } });
        tables[0] = { ...tables[0], ...tableOf("jobs", [field]) };
      });
    const next = async () =>
      (await pool.query("insert into jobs default values returning number")).rows[0].number;
    await countFrom(5);
    await countFrom(7);
    expect([await next(), await next()]).toEqual(["J007", "J008"]);
    await countFrom(100);
    expect([await next(), await next()]).toEqual(["J100", "J101"]);
    await countFrom(3);
    expect(await next()).toBe("J102");
  },
);
