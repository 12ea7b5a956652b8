import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann");
const bob = testIdentity("bob");
const table = "incidents";

const codeOf = (result: OpResult | undefined) =>
  result === undefined || result.ok ? "ok" : result.error.code;

describe.each(databases)("mutations on $name", (kind) => {
  let environment: CommandEnvironment;
  let next = 0;
  let record = "";
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
    await environment.run(ann, { op: "create", table: "groups", values: { name: "Network" } });
  });
  beforeEach(async () => {
    record = `i${next++}`;
    const values = { title: "first", impact: "1 - High", urgency: "2 - Medium" };
    await environment.run(ann, { op: "create", table, record, values });
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const valuesOf = async () => (await environment.commands.readRecord(ann, table, record)).values;
  const update = (set: Record<string, string | null>, base: Record<string, string | null>) =>
    ({ op: "update", table, record, set, base }) as const;

  it("M1 creates a record with its number, defaults and derived values", async () => {
    const values = await valuesOf();
    expect(values.number).toMatch(/^INC\d{7}$/);
    expect(values).toMatchObject({ state: "New", priority: "2 - High", notes: null });
  });

  it("M1 normalises the id that a client gives, so that ids that look alike are one record", async () => {
    const group = (name: string) =>
      ({ op: "create", table: "groups", record: name, values: { name } }) as const;
    const [made] = await environment.run(ann, group("Cafe\u0301"));
    expect(made).toMatchObject({ ok: true, record: "Caf\u00e9" });
    expect((await environment.run(ann, group("Caf\u00e9"))).map(codeOf)).toEqual(["duplicate"]);
    const linked = await environment.run(ann, update({ group: "Cafe\u0301" }, { group: null }));
    expect(linked.map(codeOf)).toEqual(["ok"]);
  });

  it("M2 lets two users on different fields of a record both succeed", async () => {
    const results = await Promise.all([
      environment.run(ann, update({ title: "ann's" }, { title: "first" })),
      environment.run(bob, update({ notes: "bob's" }, { notes: null })),
    ]);
    expect(results.flat().map(codeOf)).toEqual(["ok", "ok"]);
    expect(await valuesOf()).toMatchObject({ title: "ann's", notes: "bob's" });
  });

  it("M3 answers the second of two users on one field with base, mine, theirs, by whom and when", async () => {
    await environment.run(bob, update({ title: "theirs" }, { title: "first" }));
    const [result] = await environment.run(ann, update({ title: "mine" }, { title: "first" }));
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: "conflict",
        fields: { title: { base: "first", mine: "mine", theirs: "theirs", by: { id: "bob" } } },
      },
    });
    expect(await valuesOf()).toMatchObject({ title: "theirs" });
  });

  it("M3 reads the log once for all conflicts in a mutation", async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `${record}-${n}`);
    const create = (id: string) =>
      ({ op: "create", table, record: id, values: { title: "first" } }) as const;
    await environment.run(ann, ...ids.map(create));
    const shown = await environment.commands.readRecord(ann, table, ids[0] ?? "");
    const theirs = (id: string) => ({
      ...update({ title: "theirs" }, { title: "first" }),
      record: id,
    });
    await environment.run(bob, ...ids.map(theirs));
    const query = vi.spyOn(environment.database.pool, "query");
    const results = await environment.run(
      ann,
      ...ids.flatMap((id) => [
        {
          ...update({ title: "mine", notes: "mine" }, { title: "first", notes: null }),
          record: id,
        },
        { op: "delete", table, record: id, version: shown.version } as const,
      ]),
    );
    expect(new Set(results.map(codeOf))).toEqual(new Set(["conflict"]));
    for (const result of results) {
      expect(result).toMatchObject({
        error: { fields: { title: { theirs: "theirs", by: { id: "bob" } } } },
      });
    }
    // The conflicting fields, the changes since the versions, and then the authors of those changes.
    expect(query.mock.calls.length).toBeLessThanOrEqual(3);
    query.mockRestore();
  });

  it("M4 applies nothing of an op that conflicts in one field", async () => {
    await environment.run(bob, update({ title: "theirs" }, { title: "first" }));
    const both = update({ title: "mine", notes: "mine" }, { title: "first", notes: null });
    expect((await environment.run(ann, both)).map(codeOf)).toEqual(["conflict"]);
    expect(await valuesOf()).toMatchObject({ title: "theirs", notes: null });
  });

  it("M5 answers an edit to the stored value with a position and no change", async () => {
    await environment.run(bob, update({ title: "same" }, { title: "first" }));
    const before = (await environment.feed()).length;
    const [result] = await environment.run(ann, update({ title: "same" }, { title: "first" }));
    expect(result).toMatchObject({ ok: true, seq: before });
    expect((await environment.feed()).length).toBe(before);
  });

  it("M6 compares a base by its value, not by its notation: zones and microseconds", async () => {
    const at = "2026-03-01T10:00:00.000001+01:00";
    await environment.run(ann, update({ due_at: at }, { due_at: null }));
    const shifted = update({ due_at: null }, { due_at: "2026-03-01T09:00:00.000001Z" });
    expect((await environment.run(ann, shifted)).map(codeOf)).toEqual(["ok"]);
  });

  it("M7 answers a repeated mutation id with the first answer and applies nothing again", async () => {
    const ops = [
      update({ title: "once" }, { title: "first" }),
      update({ title: "twice" }, { title: "once" }),
    ];
    const call = { id: `m7-${record}`, ops };
    const first = await environment.commands.mutate(ann, call);
    const seq = (await environment.feed()).length;
    expect(first.results).toMatchObject([{ seq }, { seq }]);
    await environment.run(bob, update({ title: "later" }, { title: "twice" }));
    expect(await environment.commands.mutate(ann, call)).toEqual(first);
    expect(await valuesOf()).toMatchObject({ title: "later" });
  });

  it("M7 answers a repeated create without a record id with the record of the first", async () => {
    // As the socket repeats it where rights changed while it was committed: the same parsed message.
    const create = { op: "create", table, values: { title: "once" } } as const;
    const call = { id: `m7-create-${record}`, ops: [create] };
    const first = await environment.commands.mutate(ann, call);
    expect(first.results.map(codeOf)).toEqual(["ok"]);
    expect(await environment.commands.mutate(ann, call)).toEqual(first);
  });

  it("M8 refuses an id that was used for other content, and accepts it from another author", async () => {
    const id = `m8-${record}`;
    await environment.commands.mutate(ann, {
      id,
      ops: [update({ title: "a" }, { title: "first" })],
    });
    const other = { id, ops: [update({ notes: "b" }, { notes: null })] };
    await expect(environment.commands.mutate(ann, other)).rejects.toMatchObject({
      code: "mutation_mismatch",
    });
    expect((await environment.commands.mutate(bob, other)).results.map(codeOf)).toEqual(["ok"]);
  });

  it("M9 repeats a refusal too: a lost answer never turns into an edit", async () => {
    await environment.run(bob, update({ title: "theirs" }, { title: "first" }));
    const call = { id: `m9-${record}`, ops: [update({ title: "mine" }, { title: "first" })] };
    const first = await environment.commands.mutate(ann, call);
    await environment.run(bob, update({ title: "first" }, { title: "theirs" }));
    expect(await environment.commands.mutate(ann, call)).toEqual(first);
    expect(await valuesOf()).toMatchObject({ title: "first" });
  });

  it("M10 does not let a refused op affect the others, unless the mutation is atomic", async () => {
    const ops = [
      update({ title: "good" }, { title: "first" }),
      { op: "create", table: "groups", values: { name: "Network" } } as const,
      update({ group: "Nowhere" }, { group: null }),
    ];
    const atomic = await environment.commands.mutate(ann, { atomic: true, ops });
    expect(atomic.results.map(codeOf)).toEqual(["aborted", "duplicate", "aborted"]);
    expect(await valuesOf()).toMatchObject({ title: "first" });
    const loose = await environment.run(ann, ...ops);
    expect(loose.map(codeOf)).toEqual(["ok", "duplicate", "link_broken"]);
    expect(await valuesOf()).toMatchObject({ title: "good" });
    // In one group: the third is evaluated after the second, of which nothing is applied.
    const again = ops.with(0, update({ title: "better" }, { title: "good" }));
    const [, refused, accepted] = await Promise.all([
      environment.run(bob, update({ notes: "bob's" }, { notes: null })),
      environment.commands.mutate(ann, { atomic: true, ops: again }),
      environment.run(bob, update({ title: "better" }, { title: "good" })),
    ]);
    expect(refused.results.map(codeOf)).toEqual(["aborted", "duplicate", "aborted"]);
    expect(accepted.map(codeOf)).toEqual(["ok"]);
    expect(await valuesOf()).toMatchObject({ title: "better" });
  });

  it("M11 finds the op of a group that the database refused, and commits the others", async () => {
    await environment.run(ann, update({ group: "Network" }, { group: null }));
    const results = await Promise.all([
      environment.run(ann, { op: "delete", table: "groups", record: "Network", overwrite: true }),
      environment.run(bob, update({ title: "mine" }, { title: "first" })),
    ]);
    expect(results.flat().map(codeOf)).toEqual(["still_linked", "ok"]);
    expect(await valuesOf()).toMatchObject({ title: "mine", group: "Network" });
  });

  it("M12 M19 deletes an unchanged record, names who deleted a record, and restores it", async () => {
    const shown = await environment.commands.readRecord(ann, table, record);
    await environment.run(bob, update({ title: "changed" }, { title: "first" }));
    const stale = { op: "delete", table, record, version: shown.version } as const;
    expect((await environment.run(ann, stale)).map(codeOf)).toEqual(["conflict"]);
    const { version } = await environment.commands.readRecord(ann, table, record);
    expect((await environment.run(ann, { ...stale, version })).map(codeOf)).toEqual(["ok"]);
    await expect(environment.commands.readRecord(bob, table, record)).rejects.toMatchObject({
      code: "record_deleted",
      detail: { by: { id: "ann" } },
    });
    const late = await environment.run(bob, update({ title: "late" }, { title: "changed" }));
    expect(late.map(codeOf)).toEqual(["record_deleted"]);
    expect((await environment.run(bob, { op: "restore", table, record })).map(codeOf)).toEqual([
      "ok",
    ]);
    expect(await valuesOf()).toMatchObject({ title: "changed", priority: "2 - High" });
  });

  it("M19 restores no later deletion than the one that the author saw, and says who made it", async () => {
    const remove = { op: "delete", table, record, overwrite: true } as const;
    const restore = { op: "restore", table, record } as const;
    const [first] = await environment.run(ann, remove);
    const version = first?.ok ? first.version : "";
    await environment.run(bob, restore);
    // It is there: a restore leaves it unchanged, whatever its author saw.
    expect(await environment.run(ann, { ...restore, version })).toMatchObject([
      { ok: true, unchanged: true },
    ]);
    await environment.run(bob, update({ title: "bob's" }, { title: "first" }));
    const [second] = await environment.run(bob, remove);
    expect(await environment.run(ann, { ...restore, version })).toMatchObject([
      { error: { code: "record_deleted", by: { id: "bob" }, restorable: true } },
    ]);
    const beyond = version.replace(/\d+$/, "999999999");
    expect((await environment.run(ann, { ...restore, version: beyond })).map(codeOf)).toEqual([
      "record_deleted",
    ]);
    expect((await environment.run(ann, { ...restore, version: "?" })).map(codeOf)).toEqual([
      "invalid_request",
    ]);
    const seen = second?.ok ? second.version : "";
    expect((await environment.run(ann, { ...restore, version: seen })).map(codeOf)).toEqual(["ok"]);
    expect(await valuesOf()).toMatchObject({ title: "bob's" });
  });

  it.each([
    ["an unknown field", { colour: "x" }, "invalid_request"],
    ["text that is too long", { title: "x".repeat(501) }, "validation_failed"],
    ["a state that is no option", { state: "Gone" }, "validation_failed"],
    ["a day that does not exist", { due_at: "2026-02-30T00:00:00Z" }, "validation_failed"],
    ["a time without zone", { due_at: "2026-02-20T00:00:00" }, "validation_failed"],
    ["a broken link", { service: "Nothing" }, "link_broken"],
    ["a person who does not exist", { assignee: "nobody" }, "link_broken"],
    ["text that can't be stored", { title: "a\u0000b" }, "validation_failed"],
  ])("M13 refuses %s with its code", async (_, set, code) => {
    const base = Object.fromEntries(Object.keys(set).map((name) => [name, null]));
    const op = { op: "update", table, record, set, base } as const;
    expect((await environment.run(ann, op)).map(codeOf)).toEqual([code]);
  });

  it.each(["\0", "\ud800"])(
    "M14 refuses an op with a part that can't be stored, and only that op (%j)",
    async (odd) => {
      const transition = {
        op: "transition",
        table,
        record,
        transition: "resolve",
        from: "New",
      } as const;
      const ops = [
        { ...transition, transition: odd },
        { ...transition, from: odd },
        { ...transition, reason: odd },
        { ...transition, set: { [odd]: "x" } },
        { ...transition, set: { notes: odd }, base: { notes: null } },
        update({ title: "mine" }, { title: odd }),
        update({ title: odd }, { title: "first" }),
        update({ [odd]: "mine" }, { title: "first" }),
        update({ title: "mine" }, { title: "first", [odd]: null }),
        { op: "create", table, record: odd, values: { title: "x" } },
        { op: "create", table, values: { title: "x", [odd]: "x" } },
        { op: "delete", table, record, version: odd },
        update({ notes: "stored" }, { notes: null }),
      ] as const;
      const results = (await environment.run(bob, ...ops)).map(codeOf);
      expect(results.pop()).toBe("ok");
      const allowed = [
        "invalid_request",
        "validation_failed",
        "transition_not_allowed",
        "conflict",
      ];
      for (const code of results) expect(allowed).toContain(code);
      expect(await valuesOf()).toMatchObject({ title: "first", notes: "stored", state: "New" });
    },
  );

  it("M14 refuses an edit without a base", async () => {
    const op = { op: "update", table, record, set: { title: "x" }, base: {} } as const;
    expect((await environment.run(ann, op)).map(codeOf)).toEqual(["base_required"]);
  });

  it("M15 obeys the role: a viewer reads and writes nothing, a display does not see the table", async () => {
    const edit = update({ title: "x" }, { title: "first" });
    expect((await environment.run(testIdentity("vic", "viewer"), edit)).map(codeOf)).toEqual([
      "forbidden",
    ]);
    expect((await environment.run(testIdentity("dis", "display"), edit)).map(codeOf)).toEqual([
      "not_found",
    ]);
  });

  it("M16 records the author of each record, when one group writes records of several users", async () => {
    const users = Array.from({ length: 12 }, (_, index) => testIdentity(`p${index}`));
    const make = (index: number) =>
      ({
        op: "create",
        table,
        record: `${record}-${index}`,
        values: { title: `${index}` },
      }) as const;
    await environment.run(ann, ...users.map((_, index) => make(index)));
    await Promise.all(
      users.map((caller, index) =>
        environment.run(caller, {
          op: "update",
          table,
          record: `${record}-${index}`,
          set: { notes: caller.user.id },
          base: { notes: null },
        }),
      ),
    );
    const changes = (await environment.feed()).slice(-users.length);
    expect(changes.map(({ by, after }) => [by.id, after?.notes])).toEqual(
      changes.map(({ after }) => [after?.notes, after?.notes]),
    );
  });
});
