import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../../e2e/harness/until.ts";
import { databases } from "../../../e2e/provision/databases.ts";
import { findTable, type Table } from "../../../shared/model/model.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../../model/testing/model-environment.ts";
import { holdModel } from "../models.ts";
import { recordsUnlikeLog } from "../testing/log-agreement.ts";
import { eraseValues } from "./erase-values.ts";

describe.each(databases)("erasing values of a record on $name", (kind) => {
  let environment: ModelEnvironment;

  beforeAll(async () => {
    environment = await createModelEnvironment(kind);
    await environment.change(({ tables }) => {
      tables.push(
        tableOf("people", [
          fieldOf("first"),
          fieldOf("last"),
          fieldOf("full_name", { expression: 'first & " " & last' }),
          fieldOf("made_by", { type: "person", recorded: "createdBy" }),
        ]),
      );
    });
  });
  afterAll(() => environment[Symbol.asyncDispose]());

  const run = async (text: string, values: unknown[] = []) =>
    (await environment.database.pool.query(text, values)).rows;
  const erase = (record: string, fields: string[], table = "people") =>
    environment.database.kysely.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = 0`.execute(tx);
      return (await eraseValues(tx, await holdModel(tx), { table, record, fields })).counts;
    });
  const comment = (text: string) =>
    run(
      `insert into watchfloor.comment (id, table_id, record, author, text)
       values (gen_random_uuid(), 'people', 'other', 'user:nobody', $1)`,
      [text],
    );
  const waitsForLock = () =>
    until("the erasure waits", 60_000, async () => {
      const waiting = `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`;
      return (await run(waiting)).length > 0;
    });
  /** How many changes of a record hold a text. */
  const logged = async (record: string, text: string) =>
    (
      await run(
        `select from watchfloor.change
         where record = $1 and position($2 in concat(before, after)) > 0`,
        [record, text],
      )
    ).length;
  const unlikeLog = (record: string) =>
    recordsUnlikeLog(environment.database, findTable(environment.model(), "people") as Table, [
      record,
    ]);

  it("leaves the last image of a computed field as the record holds it", async () => {
    await run("insert into people (id, first, last) values ('ann', 'Ann', 'Lopez')");
    await run("update people set last = 'Moreno' where id = 'ann'");
    await erase("ann", ["first", "last", "full_name"]);
    expect(await logged("ann", "Ann")).toBe(0);
    expect(await logged("ann", "Moreno")).toBe(0);
    expect(await run("select full_name from people where id = 'ann'")).toEqual([
      { full_name: " " },
    ]);
    expect(await unlikeLog("ann")).toEqual([]);
  });

  it("refuses a computed field without all fields that it is computed from", async () => {
    await run("insert into people (id, first, last) values ('bea', 'Bea', 'Lopez')");
    for (const fields of [["full_name"], ["first", "full_name"]]) {
      await expect(erase("bea", fields)).rejects.toThrow("full_name is computed from first, last.");
    }
    expect(await logged("bea", "Bea")).toBe(1);
  });

  it("erases the history of what is computed from a field, by the present model or a former one", async () => {
    await environment.change(({ tables }) => {
      tables[0]?.fields.push(
        fieldOf("kind", { expression: 'if(first = "Lea", "is Lea", "is not")' }),
      );
      tables[0]?.fields.push(fieldOf("greeting", { expression: '"Dear " & first' }));
      tables[0]?.fields.push(fieldOf("badge", { expression: '"B-" & first' }));
    });
    await run("insert into people (id, first, last) values ('lea', 'Lea', 'Lopez')");
    await run("update people set last = 'Moreno' where id = 'lea'");
    await environment.change(({ tables: [people] }) => {
      if (!people) return;
      people.fields = people.fields.filter(({ name }) => name !== "badge");
      for (const field of people.fields) {
        if (field.name === "greeting") field.expression = '"Dear " & last';
      }
    });
    await erase("lea", ["first"]);
    expect(await logged("lea", "Lea")).toBe(0);
    expect(await logged("lea", "Moreno")).toBeGreaterThan(0);
    expect(await run("select full_name, kind, greeting from people where id = 'lea'")).toEqual([
      { full_name: " Moreno", kind: "is not", greeting: "Dear Moreno" },
    ]);
    expect(await unlikeLog("lea")).toEqual([]);
  });

  it("refuses a recorded field, whose value a trigger would bring back", async () => {
    await run("insert into people (id, first, made_by) values ('cem', 'Cem', 'somebody')");
    await expect(erase("cem", ["first", "made_by"])).rejects.toThrow("made_by is recorded");
    expect(await logged("cem", "Cem")).toBe(1);
  });

  it("finds a value in copies that is older than the log", async () => {
    await run("insert into people (id, first) values ('eve', 'Evangeline')");
    await run("delete from watchfloor.change where record = 'eve'");
    await comment("Ask Evangeline.");
    await erase("eve", ["first"]);
    expect(await run("select from watchfloor.comment where text like '%Evangeline%'")).toEqual([]);
  });

  it("finds a short value where it is a whole text, and not within a longer one", async () => {
    await run("insert into people (id, first) values ('bo', 'Bo')");
    await comment("Bo");
    await comment("Ask Bo. Both.");
    expect(await erase("bo", ["first"])).toMatchObject({ comments: 1 });
    const newest = "select text from watchfloor.comment order by created_at desc limit 2";
    expect(await run(newest)).toEqual([{ text: "Ask Bo. Both." }, { text: "[erased]" }]);
  });

  it("finds a value in comments whatever its case, and leaves longer words", async () => {
    await run("insert into people (id, first) values ('ana', 'Ána \"A\"')");
    for (const text of ['Meet ÁNA "a".', 'Meet ánA "A"b.', "Meet ANA."]) await comment(text);
    await erase("ana", ["first"]);
    const meeting =
      "select text from watchfloor.comment where text like 'Meet %' order by text collate \"C\"";
    expect((await run(meeting)).map(({ text }) => text)).toEqual([
      ...["Meet ANA.", "Meet [erased].", 'Meet ánA "A"b.'],
    ]);
  });

  it("finds a value in rejected rows of files, with spaces around it or within a text", async () => {
    await run("insert into people (id, first) values ('flo', 'Florentina')");
    await run(`insert into watchfloor.change_set (id, title, author, origin)
      values ('file', 'People', 'user:nobody', 'import')`);
    await run(`insert into watchfloor.change_set_reject (change_set, line, cells, errors)
      values ('file', 2, '[" Florentina ", "5"]', '[]'), ('file', 3, '["Call Florentina.", "6"]', '[]'),
        ('file', 4, '["7"]', '[{"message": "Florentina exists."}]')`);
    expect(await erase("flo", ["first"])).toMatchObject({ "rejected rows": 3 });
    expect(
      await run("select cells, errors from watchfloor.change_set_reject order by line"),
    ).toEqual([
      { cells: [" [erased] ", "5"], errors: [] },
      { cells: ["Call [erased].", "6"], errors: [] },
      { cells: ["7"], errors: [{ message: "[erased] exists." }] },
    ]);
  });

  it("deletes cells that ops of files hold until they are applied", async () => {
    await run("insert into people (id, first) values ('gwen', 'Gwendoline')");
    await run(`insert into watchfloor.change_set (id, title, author, origin)
      values ('cells', 'People', 'user:nobody', 'import')`);
    await run(`insert into watchfloor.change_set_op (change_set, n, table_id, record, kind, op)
      values ('cells', 0, 'other', 'a', 'create', '{"values": {}, "cells": ["Call Gwendoline.", "5"]}'),
        ('cells', 1, 'other', 'b', 'create', '{"values": {}, "cells": ["x"]}')`);
    expect(await erase("gwen", ["first"])).toMatchObject({ "imported rows": 1 });
    const ops = "select op from watchfloor.change_set_op where change_set = 'cells' order by n";
    expect(await run(ops)).toEqual([{ op: { values: {} } }, { op: { values: {}, cells: ["x"] } }]);
  });

  it("erases a value that was being written when it began", async () => {
    await run("insert into people (id, last) values ('fay', 'Former')");
    await comment("Call Latterly.");
    const program = await environment.database.connect();
    await program.query("begin");
    await program.query("update people set last = 'Latterly' where id = 'fay'");
    const erasing = erase("fay", ["last"]);
    await waitsForLock();
    await program.query("commit");
    await program.end();
    await erasing;
    expect(await logged("fay", "Latterly")).toBe(0);
    expect(await run("select from watchfloor.comment where text like '%Latterly%'")).toEqual([]);
  });

  it("delays no change of another record while it searches the copies", async () => {
    await run("insert into people (id, last) values ('gus', 'Gustavson')");
    const program = await environment.database.connect();
    await program.query("begin; lock table watchfloor.security_event in access exclusive mode");
    const erasing = erase("gus", ["last"]);
    await waitsForLock();
    await run("insert into people (id, last) values ('hal', 'Halloran')");
    await program.query("rollback");
    await program.end();
    await erasing;
    expect(await logged("gus", "Gustavson")).toBe(0);
    expect(await unlikeLog("gus")).toEqual([]);
  });

  it("erases values of fields and tables that were removed from the model", async () => {
    await environment.change(({ tables }) => {
      tables[0]?.fields.push(fieldOf("phone"));
      tables.push(tableOf("guests", [fieldOf("name")]));
    });
    await run("insert into people (id, phone) values ('ida', '555-0199')");
    await run("insert into guests (id, name) values ('ida', 'Ida Noor')");
    await environment.change((model) => {
      model.tables = model.tables.filter(({ name }) => name === "people");
      const [people] = model.tables;
      if (people) people.fields = people.fields.filter(({ name }) => name !== "phone");
    });
    // Another field under the name of the removed one, and another table.
    await environment.change(({ tables }) => {
      tables[0]?.fields.push(fieldOf("phone"));
      tables.push(tableOf("guests", [fieldOf("remark")]));
    });
    await run("update people set phone_2 = '555-0123' where id = 'ida'");
    await comment("555-0199 belongs to Ida Noor.");
    await erase("ida", ["phone"]);
    await erase("ida", ["name"], "guests");
    for (const text of ["555-0199", "555-0123", "Ida Noor"])
      expect(await logged("ida", text)).toBe(0);
    expect(await run("select text from watchfloor.comment where text like '%belongs%'")).toEqual([
      { text: "[erased] belongs to [erased]." },
    ]);
    await expect(erase("ida", ["colour"], "guests")).rejects.toThrow("guests has no field colour.");
    await expect(erase("ida", ["name"], "visitors")).rejects.toThrow("There is no table visitors.");
    await expect(erase("nobody", ["name"], "guests")).rejects.toThrow("never had a record nobody");
  });
});
