import { expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Field, Table, Values } from "../../shared/model/model.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { skipTakenNumbers } from "../store/taken-numbers.ts";
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

it.each(databases)(
  "automatic numbers on $name continue behind those that records were given, as by an import",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    const { commands, database } = environment;
    const owner = testIdentity("owner", "owner");
    await environment.change(({ tables }) => {
      const automatic = { prefix: "J", digits: 5, start: 5 };
      tables.push(tableOf("jobs", [fieldOf("number", { unique: true, automatic })]));
    });
    const create = async (numbers: (number | null)[], more = {}) => {
      const ops = numbers.map((number) => ({
        ...{ op: "create" as const, table: "jobs" },
        values: (number === null
          ? {}
          : { number: `J${String(number).padStart(5, "0")}` }) as Values,
      }));
      return (await commands.mutate(owner, { ops, ...more })).results.map(({ ok }) => ok);
    };
    const numbers = async () => {
      const { rows } = await database.pool.query("select number from jobs order by number");
      return rows.map(({ number }) => number);
    };
    const range = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, at) => from + at);
    // With a gap, and one that is far ahead.
    const given = [...range(3, 400), ...range(402, 700), 90_000];
    expect(await create(given)).toEqual(given.map(() => true));
    expect(await create([null])).toEqual([true]);
    expect(await numbers()).toContain("J00701");
    for (const atomic of [true, false]) {
      await create(atomic ? range(702, 710) : range(714, 730));
      expect(await create([null, null, null], { atomic })).toEqual([true, true, true]);
    }
    expect((await numbers()).slice(-5)).toEqual(["J00730", "J00731", "J00732", "J00733", "J90000"]);
    // A number that is taken is refused where it was asked for.
    expect(await create([700, null])).toEqual([false, true]);
    expect((await numbers()).at(-2)).toBe("J00734");
    // Numbers of other ops of the same mutation, with one far ahead.
    expect(await create([735, 736, null])).toEqual([true, true, true]);
    expect((await numbers()).slice(-3)).toEqual(["J00736", "J00737", "J90000"]);
    // One that was given by hand and whose record is gone is not given again, and no program that inserts a record meets it.
    expect(await create([740])).toEqual([true]);
    await database.pool.query("delete from jobs where number = 'J00740'");
    const inserted = "insert into jobs (id) values (gen_random_uuid()) returning number";
    expect((await database.pool.query(inserted)).rows).toEqual([{ number: "J00741" }]);
    expect(await create([742])).toEqual([true]);
    expect((await database.pool.query(inserted)).rows).toEqual([{ number: "J00743" }]);
    // So many numbers of another program that they are skipped in parts.
    await database.pool.query(
      "insert into jobs (id, number) select 'n' || n, 'J00' || n from generate_series(744, 760) n",
    );
    const table = environment.model().tables.find(({ name }) => name === "jobs") as Table;
    const skip = () => skipTakenNumbers(database.pool, table, table.fields[0] as Field, 10n);
    for (const counted of [753, 760, 760]) {
      await skip();
      const text =
        "select last_value as last from pg_sequences where sequencename like 'jobs_number%'";
      expect((await database.pool.query(text)).rows).toEqual([{ last: counted }]);
    }
  },
);
