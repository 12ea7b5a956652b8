import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { readPosition, readSpan } from "../store/feed-log.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";
import { notesHidden } from "./testing/scoped-desk.ts";

const ann = testIdentity("ann");
const bob = testIdentity("bob");
const table = "incidents";
const codeOf = (result: OpResult | undefined) =>
  result === undefined || result.ok ? "ok" : result.error.code;

describe.each(databases)("a trigger of another program on $name", (kind) => {
  let environment: CommandEnvironment;
  let serial = 0;
  let id = "";
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
    await environment.database.pool.query(`
      create function stock_rule() returns trigger language plpgsql as $$
      begin
        if new.title = 'refused' then raise exception 'stock is counted today'; end if;
        if new.title = 'broken' then perform 1 / 0; end if;
        if new.title = 'left out' then return null; end if;
        new.title := upper(new.title);
        return new;
      end $$;
      create trigger stock_check before insert or update on incidents
        for each row execute function stock_rule()`);
  });
  afterAll(() => environment[Symbol.asyncDispose]());
  beforeEach(() => {
    serial += 1;
    id = `t${serial}`;
  });

  const create = (record: string, title: string) =>
    ({ op: "create", table, record, values: { title } }) as const;
  const update = (record: string, title: string, base: string) =>
    ({ op: "update", table, record, set: { title }, base: { title: base } }) as const;
  const titleOf = async (record: string) =>
    (await environment.commands.readRecord(ann, table, record)).values.title;

  it("refuses an op with the trigger's name, and the other ops of its mutation are applied", async () => {
    const titles = ["one", "refused", "broken", "left out", "five"];
    const results = await environment.run(
      ann,
      ...titles.map((title, n) => create(`${id}-${n}`, title)),
    );
    expect(results.map(codeOf)).toEqual([
      ...["ok", "validation_failed", "validation_failed", "validation_failed", "ok"],
    ]);
    const [, refused, broken, leftOut] = results;
    expect(refused).toMatchObject({
      error: { message: expect.stringMatching(/stock_check .*: stock is counted today$/) },
    });
    expect(broken).toMatchObject({
      error: { message: expect.stringMatching(/stock_check [^:]*$/) },
    });
    expect(leftOut).toMatchObject({ error: { message: expect.stringContaining("left it out") } });
    expect(await titleOf(`${id}-4`)).toBe("FIVE");
    expect(environment.errors).toEqual([]);
  });

  it("refuses an edit that it leaves out, and not that of another user in the same commit", async () => {
    const [own, other] = [`${id}-a`, `${id}-b`];
    await environment.run(ann, create(own, "first"), create(other, "second"));
    const results = await Promise.all([
      environment.run(ann, update(own, "left out", "FIRST")),
      environment.run(bob, update(other, "third", "SECOND")),
    ]);
    expect(results.flat().map(codeOf)).toEqual(["validation_failed", "ok"]);
    expect([await titleOf(own), await titleOf(other)]).toEqual(["FIRST", "THIRD"]);
  });

  it("logs an edit before the deletion that a trigger makes of it, and the record is gone for everybody", async () => {
    await environment.run(ann, create(id, "one"));
    await environment.database.pool.query(`
      create function clear_away() returns trigger language plpgsql as $$
      begin delete from incidents where id = new.id; return null; end $$;
      create trigger clear_away after update on incidents for each row
        when (new.title = 'GOES') execute function clear_away()`);
    expect((await environment.run(ann, update(id, "goes", "ONE"))).map(codeOf)).toEqual(["ok"]);
    const head = (await readPosition(environment.database.kysely, table)).seq;
    const span = await readSpan(environment.database, table, head - 2, 2);
    expect(span?.changes.map(({ kind, record }) => [kind, record])).toEqual([
      ["update", id],
      ["delete", id],
    ]);
    await expect(titleOf(id)).rejects.toMatchObject({ code: "record_deleted" });
    const [later] = await environment.run(bob, update(id, "two", "ONE"));
    expect(codeOf(later)).toBe("record_deleted");
  });

  it("names it without its reason to a user who may not read all of the table", async () => {
    const [result] = await environment.run(notesHidden, create(id, "refused"));
    expect(result).toMatchObject({
      error: { code: "validation_failed", message: expect.stringMatching(/stock_check/) },
    });
    expect(JSON.stringify(result)).not.toContain("counted");
  });
});
