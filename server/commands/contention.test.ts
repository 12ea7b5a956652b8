import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { databases } from "../../e2e/provision/databases.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { Commands } from "./commands.ts";
import type { Op } from "./op.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  patience,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann");
const bob = testIdentity("bob");
const codeOf = (result: OpResult | undefined) =>
  result === undefined || result.ok ? "ok" : result.error.code;
const create = (table: string, record: string, values = {}) =>
  ({ op: "create", table, record, values }) as const;
const update = (record: string, set: object, base: object) =>
  ({ op: "update", table: "incidents", record, set, base }) as never;

/** The outcome of a call, without waiting for it. */
function follow(call: Promise<OpResult[]>) {
  const followed = { outcome: "waiting" };
  const noteOutcome = (outcome: string) => {
    followed.outcome = outcome;
  };
  call.then(
    (results) => noteOutcome(results.map(codeOf).join()),
    (error) => noteOutcome(error.code),
  );
  return followed;
}

describe.each(databases)("locks of other programs on $name", (kind) => {
  let environment: CommandEnvironment;
  let commands: Commands;
  let serial = 0;
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
    commands = environment.openNode(patience);
    await run(ann, create("groups", "Network", { name: "Network" }));
  });
  beforeEach(async () => {
    serial += 1;
    const records = [1, 2, 3].map((n) =>
      create("incidents", `i${serial}-${n}`, { title: "first" }),
    );
    await run(ann, ...records);
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const run = async (by: typeof ann, ...ops: Op[]) => (await commands.mutate(by, { ops })).results;
  const id = (n: number) => `i${serial}-${n}`;
  const lock = async (statement: string) => {
    const program = await environment.database.connect();
    await program.query("begin");
    await program.query(statement);
    return async (end = "rollback") => {
      await program.query(end);
      await program.end();
    };
  };

  /** Whether one of the servers waits for a lock. */
  const doesWait = async () => {
    const { rowCount } = await environment.database.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and application_name = 'watchfloor-writer'`,
    );
    return rowCount === 1;
  };

  it("M17 delays no other new record of a key while one waits to link to a locked record", async () => {
    const keyed = (title: string, values = {}): Op => {
      const own = { ...values, title: `${title} ${serial}` };
      return { op: "create", table: "incidents", key: "title", values: own };
    };
    const unlock = await lock("select from groups where id = 'Network' for update");
    const linking = follow(run(ann, keyed("linking", { group: "Network" })));
    await until("it waits for the record", 60_000, doesWait);
    expect((await run(bob, keyed("other"))).map(codeOf)).toEqual(["ok"]);
    expect(linking.outcome).toBe("waiting");
    await unlock();
    await until("it is committed", 60_000, () => linking.outcome === "ok");
  });

  it.each([
    ["is there", "rollback", "select from incidents where id = $id for update"],
    ["was deleted", "commit", "delete from incidents where id = $id"],
  ])("M17 restores a locked record once it is known that it %s", async (_, end, statement) => {
    const unlock = await lock(statement.replace("$id", `'${id(1)}'`));
    const restored = follow(run(ann, { op: "restore", table: "incidents", record: id(1) }));
    expect(
      (await run(bob, create("people", `r${serial}`, { name: `R${serial}` }))).map(codeOf),
    ).toEqual(["ok"]);
    await unlock(end);
    await until("it is answered", 60_000, () => restored.outcome !== "waiting");
    expect(restored.outcome).toBe("ok");
    expect((await commands.readRecord(ann, "incidents", id(1))).values.title).toBe("first");
  });

  it("M17 delays only mutations that link to a locked record", async () => {
    const unlock = await lock("select from groups where id = 'Network' for update");
    const linking = [
      follow(run(ann, update(id(1), { group: "Network" }, { group: null }))),
      follow(run(bob, create("incidents", `${id(1)}-new`, { group: "Network" }))),
    ];
    for (let n = 0; n < 20; n += 1) {
      const others = await Promise.all([
        run(ann, create("people", `p${serial}-${n}`, { name: `P${serial}-${n}` })),
        run(bob, update(id(2), { title: `${n}` }, { title: n ? `${n - 1}` : "first" })),
      ]);
      expect(others.flat().map(codeOf)).toEqual(["ok", "ok"]);
    }
    expect(linking.map(({ outcome }) => outcome)).toEqual(["waiting", "waiting"]);
    await unlock();
    await until("they are committed", 60_000, () =>
      linking.every(({ outcome }) => outcome === "ok"),
    );
  });

  it("M17 delays writers of a locked table, and nobody else", async () => {
    const unlock = await lock("lock table incidents in access exclusive mode");
    const locked = follow(run(ann, update(id(1), { title: "later" }, { title: "first" })));
    for (let n = 0; n < 20; n += 1) {
      const other = create("people", `t${serial}-${n}`, { name: `T${serial}-${n}` });
      expect((await run(bob, other)).map(codeOf)).toEqual(["ok"]);
    }
    expect(locked.outcome).toBe("waiting");
    await unlock();
    await until("it is committed", 60_000, () => locked.outcome === "ok");
  });

  it("preserves the order of edits of a record that was locked", async () => {
    const unlock = await lock(`select from incidents where id = '${id(1)}' for update`);
    const edits = Array.from({ length: 10 }, (_, n) =>
      follow(run(ann, update(id(1), { title: `${n}` }, { title: n ? `${n - 1}` : "first" }))),
    );
    const other = await run(bob, update(id(2), { title: "other" }, { title: "first" }));
    expect(other.map(codeOf)).toEqual(["ok"]);
    await unlock();
    await until("all are answered", 60_000, () =>
      edits.every(({ outcome }) => outcome !== "waiting"),
    );
    expect(edits.map(({ outcome }) => outcome)).toEqual(edits.map(() => "ok"));
    expect((await environment.commands.readRecord(ann, "incidents", id(1))).values.title).toBe("9");
  });

  it("commits what was set aside behind several locks once each of them is released", async () => {
    const unlocks = await Promise.all(
      [1, 2, 3].map((n) => lock(`select from incidents where id = '${id(n)}' for update`)),
    );
    const edits = [1, 2, 3].map((n) =>
      follow(run(ann, update(id(n), { title: "mine" }, { title: "first" }))),
    );
    for (const [index, unlock] of unlocks.entries()) {
      await unlock();
      await until("it is committed", 60_000, () => edits[index]?.outcome === "ok");
    }
  });

  it("M18 does not commit, under rights that changed, what waits for a table between evaluation and commit", async () => {
    const node = environment.openNode({ ...patience, COMMIT_LOCK_TIMEOUT_MS: 60_000 });
    const followed = (by: typeof ann, ...ops: Op[]) =>
      follow(node.mutate(by, { ops }).then(({ results }) => results));
    const waiting = async (lockedTable: string) => {
      const { rowCount } = await environment.database.pool.query(
        `select from pg_locks where not granted and relation = $1::regclass and pid in (
           select pid from pg_stat_activity where datname = current_database() and application_name = 'watchfloor-writer')`,
        [lockedTable],
      );
      return rowCount === 1;
    };
    // Rows can be locked, and nothing can be written.
    const unlock = await lock("lock table incidents in share mode");
    const unlockOther = await lock("lock table groups in access exclusive mode");
    const first = followed(ann, create("groups", `g${serial}`, { name: `G${serial}` }));
    await until("it waits", 60_000, () => waiting("groups"));
    // Both share the next group.
    const revoked = followed(ann, update(id(1), { title: "later" }, { title: "first" }));
    const other = followed(bob, update(id(2), { title: "later" }, { title: "first" }));
    await unlockOther();
    await until("both wait", 60_000, () => waiting("incidents"));
    expect(first.outcome).toBe("ok");
    node.rightsChanged({ topic: "user", id: "ann" });
    await until("it is answered", 60_000, () => revoked.outcome === "unavailable");
    expect(other.outcome).toBe("waiting");
    await unlock();
    await until("the other is committed", 60_000, () => other.outcome === "ok");
    const { title } = (await environment.commands.readRecord(ann, "incidents", id(1))).values;
    expect(title).toBe("first");
  });

  it("M18 does not commit, under rights that changed, what waits for a record", async () => {
    const unlock = await lock(`update incidents set notes = 'locked' where id = '${id(1)}'`);
    const edit = follow(run(ann, update(id(1), { title: "later" }, { title: "first" })));
    await until("it waits", 60_000, doesWait);
    commands.rightsChanged({ topic: "user", id: "ann" });
    await unlock();
    await until("it is answered", 60_000, () => edit.outcome !== "waiting");
    expect(edit.outcome).toBe("unavailable");
  });

  it("M17 delays only the editor of a record that another program has locked", async () => {
    const program = await environment.database.connect();
    await program.query("begin");
    await program.query("update incidents set notes = 'locked' where id = $1", [id(1)]);
    const waits = run(ann, update(id(1), { title: "patient" }, { title: "first" }));
    const other = create("incidents", id(4));
    expect((await run(bob, other)).map(codeOf)).toEqual(["ok"]);
    await program.query("commit");
    await program.end();
    expect((await waits).map(codeOf)).toEqual(["ok"]);
    const { values } = await environment.commands.readRecord(ann, "incidents", id(1));
    expect(values).toMatchObject({ title: "patient", notes: "locked" });
  });

  it("M18 answers unavailable, and stores nothing, if the other program never releases its lock", async () => {
    const program = await environment.database.connect();
    await program.query("begin");
    await program.query("update incidents set notes = 'mine' where id = $1", [id(1)]);
    const call = {
      id: `m18-${id(1)}`,
      ops: [update(id(1), { title: "later" }, { title: "first" })],
    };
    const later = { code: "unavailable", detail: { retryAfter: expect.any(Number) } };
    await expect(environment.commands.mutate(ann, call)).rejects.toMatchObject(later);
    await program.query("rollback");
    await program.end();
    expect((await environment.commands.mutate(ann, call)).results.map(codeOf)).toEqual(["ok"]);
  });

  describe("M7 M20 a repeated mutation of a user with row rights is answered its stored refusal", () => {
    const filter = { field: "state", op: "eq", value: "New" } as const;
    const grants = { incidents: { read: { filter }, update: true } };
    const cat = testIdentity("cat", { id: "r", name: "R", rights: [], grants });
    const call = (mutation: string) => ({
      id: `${mutation}-${id(1)}`,
      ops: [update(id(1), { title: "mine" }, { title: "before" })],
    });

    it("while another program holds the lock of the record", async () => {
      const first = await commands.mutate(cat, call("locked"));
      expect(first.results.map(codeOf)).toEqual(["conflict"]);
      const unlock = await lock(`select from incidents where id = '${id(1)}' for update`);
      const again = commands.mutate(cat, call("locked"));
      const followed = follow(again.then(({ results }) => results));
      const other = await run(bob, update(id(2), { title: "other" }, { title: "first" }));
      expect(other.map(codeOf)).toEqual(["ok"]);
      expect(followed.outcome).toBe("waiting");
      await unlock();
      expect(await again).toEqual(first);
    });

    it("when another server commits it at the same time", async () => {
      const node = environment.openNode({ ...patience, COMMIT_LOCK_TIMEOUT_MS: 60_000 });
      const first = await commands.mutate(cat, call("first"));
      const { id: taken, ops } = call("taken");
      const unlock = await lock(`insert into watchfloor.mutation (author, id, hash, results)
        select author, '${taken}', hash, results from watchfloor.mutation where id = 'first-${id(1)}'`);
      const again = node.mutate(cat, { id: taken, ops });
      await until("it waits for the other server", 60_000, doesWait);
      await unlock("commit");
      expect((await again).results).toEqual(first.results);
    });
  });
});
