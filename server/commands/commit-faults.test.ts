import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { databases } from "../../e2e/provision/databases.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import { sweepRefusals } from "../store/mutations.ts";
import type { Commands } from "./commands.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  patience,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann");
const bob = testIdentity("bob");
const table = "incidents";
const codeOf = (result: OpResult | undefined) =>
  result === undefined || result.ok ? "ok" : result.error.code;
const create = (record: string, values = {}) => ({ op: "create", table, record, values }) as const;
const update = (record: string, set: object, base: object) =>
  ({ op: "update", table, record, set, base }) as never;

describe.each(databases)("a commit path in trouble on $name", (kind) => {
  let environment: CommandEnvironment;
  /** A server that abandons a silent connection soon. */
  let shortTimeout: Commands;
  let serial = 0;
  let record = "";
  const stopped = new Set<number>();
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
    shortTimeout = environment.openNode({ COMMIT_CONNECTION_TIMEOUT_MS: 3_000 });
  });
  beforeEach(async () => {
    serial += 1;
    record = `i${serial}`;
    await environment.run(ann, create(record, { title: "first" }));
  });
  afterEach(() => resume());
  afterAll(() => environment[Symbol.asyncDispose]());

  const run = async (text: string, values: unknown[] = []) =>
    (await environment.database.pool.query(text, values)).rows;
  const writers = async (where = "true") => {
    const rows = await run(`select pid from pg_stat_activity where datname = current_database()
      and application_name = 'watchfloor-writer' and ${where}`);
    return rows.map(({ pid }) => pid as number);
  };
  const stop = async (where?: string) => {
    for (const pid of await writers(where)) {
      process.kill(pid, "SIGSTOP");
      stopped.add(pid);
    }
  };

  /** Resumes stopped backends. One that was asked to end meanwhile ends. */
  const resume = () => {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
    stopped.clear();
  };

  /** Holds back every commit that has inserted or updated incidents, until it is called. */
  const holdCommits = async (event: "insert" | "update") => {
    const program = await environment.database.connect();
    await program.query("select pg_advisory_lock(1)");
    await run(`create or replace function public.held() returns trigger language plpgsql
      set lock_timeout = 0 as $$ begin perform pg_advisory_xact_lock_shared(1); return null; end $$`);
    await run(`create constraint trigger held after ${event} on incidents deferrable initially deferred
      for each row execute function public.held()`);
    return () => program.end();
  };
  const isHeld = "wait_event = 'advisory'";

  it("commits on another connection if the writer's does not answer", async () => {
    expect(await shortTimeout.isReady()).toBe(true);
    await stop();
    const ops = [update(record, { title: "mine" }, { title: "first" })];
    expect((await shortTimeout.mutate(ann, { ops })).results.map(codeOf)).toEqual(["ok"]);
    expect(await shortTimeout.isReady()).toBe(true);
  });

  it("is not ready while the writer's connection does not answer", async () => {
    expect(await shortTimeout.isReady()).toBe(true);
    // A backend that is about to end must not be stopped again: with too many of them, no connection could be opened.
    await until("each server has one writer", 30_000, async () => (await writers()).length <= 2);
    await stop();
    await expect(shortTimeout.isReady()).rejects.toThrow();
    expect(await shortTimeout.isReady()).toBe(true);
  });

  it("finds the outcome of a mutation by its id if its commit was not answered", async () => {
    const release = await holdCommits("update");
    const call = {
      id: `c2-${record}`,
      ops: [update(record, { title: "slow" }, { title: "first" })],
    };
    const first = shortTimeout.mutate(ann, call).catch((error) => error.code);
    await until("it is committing", 60_000, async () => {
      await stop(isHeld);
      return stopped.size > 0;
    });
    expect(await first).toBe("unavailable");
    await release();
    resume();
    const results = await until("its fate is known", 60_000, () =>
      shortTimeout.mutate(ann, call).then(
        (answer) => answer.results,
        () => null,
      ),
    );
    expect(results.map(codeOf)).toEqual(["ok"]);
    const history = await environment.commands.readHistory(ann, table, record);
    expect(history.filter(({ mutation }) => mutation === call.id)).toHaveLength(1);
    await run("drop trigger held on incidents");
  });

  it("answers a repeat on another server with the result of the first", async () => {
    const release = await holdCommits("insert");
    const call = { id: `c6-${record}`, ops: [create(`${record}-new`, { title: "once" })] };
    const first = environment.openNode(patience).mutate(ann, call);
    await until("it is committing", 60_000, async () => (await writers(isHeld)).length > 0);
    const second = environment.openNode(patience).mutate(ann, call);
    const behindIt = `wait_event_type = 'Lock' and not ${isHeld}`;
    await until("the other waits for it", 60_000, async () => {
      return (await writers(behindIt)).length > 0;
    });
    await release();
    expect(await second).toEqual(await first);
    expect((await second).results.map(codeOf)).toEqual(["ok"]);
    await run("drop trigger held on incidents");
  });

  it("commits again, once, if the connection is lost while it commits", async () => {
    const node = environment.openNode(patience);
    await node.isReady();
    const release = await holdCommits("update");
    const edit = node.mutate(ann, {
      id: `lost-${record}`,
      ops: [update(record, { title: "mine" }, { title: "first" })],
    });
    await until("it is committing", 60_000, async () => (await writers(isHeld)).length > 0);
    await run("select pg_terminate_backend(pid) from unnest($1::int[]) pid", [
      await writers(isHeld),
    ]);
    await release();
    expect((await edit).results.map(codeOf)).toEqual(["ok"]);
    const history = await environment.commands.readHistory(ann, table, record);
    expect(history.filter(({ mutation }) => mutation === `lost-${record}`)).toHaveLength(1);
    await run("drop trigger held on incidents");
  });

  it("tries once to write what no longer fits on the disk of Postgres", async () => {
    await run(`create sequence public.tried;
      create function public.full() returns trigger language plpgsql as
        $$ begin if nextval('tried') > 9 then return new; end if;
        raise 'disk full' using errcode = '53100'; end $$;
      create trigger full_disk before update on incidents for each row execute function public.full()`);
    const node = environment.openNode({ COMMIT_CALL_TIMEOUT_MS: 3_000 });
    expect(await node.isReady()).toBe(true);
    const ops = [update(record, { title: "mine" }, { title: "first" })];
    await expect(node.mutate(ann, { ops })).rejects.toMatchObject({ code: "unavailable" });
    expect(await run("select nextval('tried')::int as next")).toEqual([{ next: 2 }]);
    await run("drop function public.full cascade; drop sequence public.tried");
  });

  it("commits again if Postgres cancels it while it waits for a lock", async () => {
    const program = await environment.database.connect();
    await program.query("begin");
    await program.query("update incidents set notes = 'locked' where id = $1", [record]);
    const ops = [update(record, { title: "mine" }, { title: "first" })];
    const edit = environment.openNode(patience).mutate(ann, { ops });
    const waiting = "wait_event_type = 'Lock'";
    const first = await until("it waits", 60_000, async () => (await writers(waiting))[0]);
    await run("select pg_cancel_backend($1)", [first]);
    await program.query("rollback");
    await program.end();
    expect((await edit).results.map(codeOf)).toEqual(["ok"]);
  });

  it("reads the history of conflicting records on its own connection", async () => {
    await environment.run(bob, update(record, { title: "theirs" }, { title: "first" }));
    const held = await Promise.all(
      Array.from({ length: environment.database.pool.options.max }, () =>
        environment.database.pool.connect(),
      ),
    );
    const [result] = await environment.run(
      ann,
      update(record, { title: "mine" }, { title: "first" }),
    );
    for (const client of held) client.release();
    expect(result).toMatchObject({
      error: { code: "conflict", fields: { title: { theirs: "theirs", by: { id: "bob" } } } },
    });
  });

  it("looks at a bounded number of a record's changes for a conflict", async () => {
    await run(
      `do $$ begin for n in 1..1200 loop
         update incidents set notes = n::text where id = '${record}';
       end loop; end $$`,
    );
    const [result] = await environment.run(
      ann,
      update(record, { title: "mine" }, { title: "other" }),
    );
    // The change of the title is further back than the search goes.
    expect(result).toMatchObject({ error: { code: "conflict", fields: { title: { by: null } } } });
    const version = { op: "delete", table, record, version: await feedStart() } as const;
    expect((await environment.run(ann, version)).map(codeOf)).toEqual(["conflict"]);
  });
  const feedStart = async () => {
    const [feed] = await run("select epoch from watchfloor.feed where table_name = 'incidents'");
    return `${feed.epoch}.1`;
  };

  it("reports an unforeseen failure under the reference in its answer", async () => {
    await run(`create or replace function public.broken() returns trigger language plpgsql as
      $$ begin raise exception 'secret inside' using errcode = 'XX001'; end $$`);
    await run(`create trigger broken before update on incidents
      for each row execute function public.broken()`);
    const edit = environment.run(ann, update(record, { title: "mine" }, { title: "first" }));
    const error = await edit.catch((reason) => reason);
    expect(error).toMatchObject({ code: "internal", detail: { reference: expect.any(String) } });
    expect(JSON.stringify(error)).not.toContain("secret");
    expect(environment.references).toContain(error.detail.reference);
    await run("drop trigger broken on incidents");
  });

  it("M22 a flood of refused edits of one user delays no other user", async () => {
    const bad = update(record, { title: "other" }, { title: "nothing" });
    const ops = Array.from({ length: 1_000 }, () => bad);
    let answered = 0;
    const noteAnswer = () => {
      answered += 1;
    };
    const flood = Array.from({ length: 10 }, (_, n) =>
      environment.commands
        .mutate(bob, { id: `flood-${n}-${record}`, ops })
        .then(noteAnswer, noteAnswer),
    );
    const mine = await environment.run(ann, update(record, { title: "mine" }, { title: "first" }));
    expect(mine.map(codeOf)).toEqual(["ok"]);
    // The group in flight, and the next one.
    expect(answered).toBeLessThanOrEqual(2);
    await Promise.all(flood);
  });

  it("deletes stored refusals after the retention time, and never applied mutations", async () => {
    const good = update(record, { title: "mine" }, { title: "first" });
    const bad = update(record, { title: "other" }, { title: "nothing" });
    const ids = ["applied", "refused", "partly"].map((name) => `${name}-${record}`);
    const calls = [[good], [bad], [bad, update(record, { notes: "n" }, { notes: null })]];
    for (const [index, ops] of calls.entries()) {
      await environment.commands.mutate(ann, { id: ids[index], ops });
    }
    const stored = async () => {
      const rows = await run("select id from watchfloor.mutation where id = any($1)", [ids]);
      return rows.map(({ id }) => id as string).toSorted();
    };
    await sweepRefusals(environment.database, 600_000);
    expect(await stored()).toEqual(ids.toSorted());
    await sweepRefusals(environment.database, -1_000);
    expect(await stored()).toEqual([ids[0], ids[2]].toSorted());
  });

  it.each([
    ["first in line", "ann", ["unavailable", "ok"]],
    ["second in line", "bob", ["ok", "unavailable"]],
  ])(
    "does not commit a waiting mutation, %s, under rights that changed",
    async (_title, user, expected) => {
      const program = await environment.database.connect();
      await program.query("begin");
      await program.query("update incidents set notes = 'locked' where id = $1", [record]);
      const node = environment.openNode(patience);
      const edits = [ann, bob].map((caller) => {
        const ops = [update(record, { title: caller.user.id }, { title: "first" })];
        return node.mutate(caller, { ops }).then(
          ({ results }) => results.map(codeOf).join(),
          (error) => error.code as string,
        );
      });
      // The first waits for the lock, and the second waits behind the first.
      const isWaiting = async () => (await writers("wait_event_type = 'Lock'")).length > 0;
      await until("the first waits", 60_000, isWaiting);
      node.rightsChanged({ topic: "user", id: user });
      await program.query("rollback");
      await program.end();
      expect(await Promise.all(edits)).toEqual(expected);
      const { title } = (await environment.commands.readRecord(ann, table, record)).values;
      expect(title).toBe(user === "ann" ? "bob" : "ann");
    },
  );
});
