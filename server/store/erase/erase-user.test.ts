import { expect, it } from "vitest";
import { databases } from "../../../e2e/provision/databases.ts";
import { createModelEnvironment, fieldOf, tableOf } from "../../model/testing/model-environment.ts";
import { eraseUser } from "./erase-user.ts";

it.each(databases)(
  "servers on $name read the changes of an erased user's tokens anew",
  async (kind) => {
    await using environment = await createModelEnvironment(kind);
    await environment.change(({ tables }) => {
      tables.push(
        ...["by_token", "by_user", "by_others"].map((name) => tableOf(name, [fieldOf("x")])),
      );
    });
    const { pool, kysely } = environment.database;
    await pool.query(`insert into watchfloor."user" (id, email, name, role, colour, status)
      values ('zeb', 'zeb@example.com', 'Zeb', 'editor', 'blue', 'active')`);
    await pool.query(`insert into watchfloor.api_token (id, name, hash, prefix, role, created_by)
      values ('t', 'Sync of Zeb', 'hash', 'wf', 'editor', 'zeb')`);
    for (const [table, actor] of [
      ["by_token", "token:t"],
      ["by_user", "user:zeb"],
      ["by_others", "user:ann"],
    ]) {
      await pool.query(`begin; set local watchfloor.actor = '${actor}';
        insert into ${table} default values; commit`);
    }
    const epochs = async () =>
      Object.fromEntries(
        (await pool.query("select table_name, epoch from watchfloor.feed")).rows.map((feed) => [
          feed.table_name,
          feed.epoch,
        ]),
      );
    const before = await epochs();
    await kysely.transaction().execute((tx) => eraseUser(tx, "zeb@example.com"));
    const after = await epochs();
    expect(after.by_token).not.toBe(before.by_token);
    expect(after.by_user).not.toBe(before.by_user);
    expect(after.by_others).toBe(before.by_others);
  },
);
