import pg from "pg";
import { expect, it } from "vitest";
import type { ChangeSetInfo } from "../../shared/protocol/change-sets.ts";
import { ServerInProcess } from "../harness/server-in-process.ts";
import { owner } from "../harness/server-process.ts";
import { createInstalled } from "../harness/test-installation.ts";
import { signIn } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { anyDatabase } from "../provision/databases.ts";

const OPS = 2_000;
const ADDED_TOGETHER = 500;

it("a server that stops while it applies a set ends after a batch, and leaves no connection", async () => {
  const database = await createInstalled(anyDatabase);
  const server = await ServerInProcess.start({
    DATABASE_URL: database.url,
    CHANGE_SET_ATOMIC_MAX_OPS: "10",
    CHANGE_SET_BATCH_OPS: "5",
  });
  const program = new pg.Client({ connectionString: database.url });
  await program.connect();
  const user = await signIn(server.url, owner);
  const { id } = await user.call<ChangeSetInfo>("POST", "/change-sets", {});
  for (let from = 0; from < OPS; from += ADDED_TOGETHER) {
    const add = Array.from({ length: ADDED_TOGETHER }, (_, n) => {
      return { op: "create", table: "groups", values: { name: `Group ${from + n}` } };
    });
    await user.call("PATCH", `/change-sets/${id}`, { add });
  }
  await user.call("POST", `/change-sets/${id}/apply`, {});
  const applied = async () =>
    (await user.call<ChangeSetInfo>("GET", `/change-sets/${id}`)).progress.applied;
  await until("a batch is applied", 60_000, async () => (await applied()) > 0);
  await server[Symbol.asyncDispose]();
  const others = `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await until("its connections are closed", 60_000, async () => {
    return (await program.query(others)).rowCount === 0;
  });
  expect(server.output).not.toContain("was not applied");
  const { rows: sets } = await program.query(
    `select state, (select count(*)::int from watchfloor.change_set_op where status is null) as left
     from watchfloor.change_set`,
  );
  expect(sets).toEqual([{ state: "applying", left: expect.any(Number) }]);
  expect(sets[0].left).toBeGreaterThan(0);
  const { rows: groups } = await program.query(
    "select count(*)::int as count from groups where name like 'Group %'",
  );
  expect(groups[0].count).toBe(OPS - sets[0].left);
  await program.end();
  await database.drop();
});
