import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Commands } from "../commands/commands.ts";
import { boss, rowsOfRed } from "../commands/testing/scoped-desk.ts";
import { ann, type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

const OPS = 12;
const LIMIT = 4;

describe.each(databases)("the pages of a preview on $name", (kind) => {
  let at: ChangeSetDesk;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind);
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  it.each([
    { notes: "of one evaluation, where the values fit into memory", bytes: 1_000_000, expected: 1 },
    { notes: "evaluated by themselves, where the values don't fit", bytes: 1, expected: 3 },
  ])("G1 are $notes", async ({ bytes, expected }) => {
    let evaluations = 0;
    const dryRun: Commands["dryRun"] = (identity, named) => {
      evaluations += 1;
      return at.desk.commands.dryRun(identity, named);
    };
    const sets = at.node({ CHANGE_SET_PREVIEW_MAX_BYTES: bytes }, { dryRun });
    const records = await at.incidents(OPS);
    const set = await at.draft(records.map((record) => rename(record, "second")));
    const shown: string[] = [];
    for (let offset = 0; offset < OPS; offset += LIMIT) {
      const { items, total, counts } = await sets.preview(boss, set.id, { offset, limit: LIMIT });
      expect(total).toBe(OPS);
      expect(counts).toMatchObject({ update: OPS, error: 0 });
      for (const { record, after } of items) {
        expect(after).toEqual({ title: "second" });
        shown.push(record);
      }
    }
    expect(shown).toEqual(records);
    expect(evaluations).toBe(expected);
  });

  it("G1 of a small set wait for no evaluation of a large one, and large ones for parts of each other", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const began = Promise.withResolvers<void>();
    let held = 0;
    const dryRun: Commands["dryRun"] = (identity, named) => {
      const run = at.desk.commands.dryRun(identity, named);
      return async (ops) => {
        if (ops.length > 1) {
          held += 1;
          if (held === 2) began.resolve();
          await released;
        }
        return run(ops);
      };
    };
    const sets = at.node({}, { dryRun });
    const [record = ""] = await at.incidents(1);
    const large = Array.from({ length: 300 }, () => rename(record, "second"));
    const page = { offset: 0, limit: 1 };
    const previews = await Promise.all(
      [boss, ann].map(async (user) => {
        const { id } = await sets.create(user, { ops: large });
        return () => sets.preview(user, id, page);
      }),
    );
    const running = previews.map((preview) => preview());
    await began.promise;
    const { id } = await sets.create(rowsOfRed, { ops: [rename(record, "third")] });
    expect((await sets.preview(rowsOfRed, id, page)).total).toBe(1);
    release();
    expect((await Promise.all(running)).map(({ total }) => total)).toEqual([300, 300]);
  });

  it("G1 is evaluated in few parts beside others, however slowly Postgres answers", async () => {
    const parts: number[] = [];
    const dryRun: Commands["dryRun"] = (identity, named) => {
      const run = at.desk.commands.dryRun(identity, named);
      return async (ops) => {
        parts.push(ops.length);
        await sleep(30);
        return run(ops);
      };
    };
    // The processor is as slow as it is: a part has computed for half a millisecond here.
    const processor = vi.spyOn(process, "threadCpuUsage").mockReturnValue({ user: 500, system: 0 });
    const { time } = at.desk.commands.budget;
    const other = setInterval(() => time.noteActivity("somebody else"), 10);
    const ops = Array.from({ length: 200 }, (): WireOp => {
      return { op: "create", table: "incidents", values: { title: "first" } };
    });
    const { id } = await at.draft(ops);
    time.noteActivity(boss.subject.id);
    time.noteActivity("somebody else");
    const { counts } = await at.node({}, { dryRun }).preview(boss, id, { offset: 0, limit: 1 });
    clearInterval(other);
    processor.mockRestore();
    expect(counts).toMatchObject({ create: 200, error: 0 });
    expect(parts).toEqual([10, 80, 110]);
  });
});
