import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import { testIdentity, withReplaced } from "../commands/testing/command-environment.ts";
import {
  buildScopedDesk,
  everything,
  notesHidden,
  reader,
  refusalOf,
  type ScopedDesk,
  table,
} from "../commands/testing/scoped-desk.ts";
import { ChangeSets } from "./change-sets.ts";
import { rename } from "./testing/change-set-desk.ts";

const ann = testIdentity("ann", "owner");
const readOnly = reader({ ...everything, update: false, read: true });
const demoted: Identity = { ...ann, subject: { ...readOnly.subject, id: ann.subject.id } };
const blind: Identity = { ...ann, subject: { ...notesHidden.subject, id: ann.subject.id } };
const batches = { CHANGE_SET_ATOMIC_MAX_OPS: 1, CHANGE_SET_BATCH_OPS: 2 };

describe.each(databases)("applying under rights that change on $name", (kind) => {
  let desk: ScopedDesk;
  let current: Identity | null = ann;
  beforeAll(async () => {
    desk = await buildScopedDesk(kind);
  });
  afterAll(async () => {
    expect(desk.errors).toEqual([]);
    await desk[Symbol.asyncDispose]();
  });

  const open = (commands: Partial<Commands>, limits: Partial<Limits> = {}) =>
    new ChangeSets({
      ...{ database: desk.database, model: () => desk.model },
      commands: withReplaced(desk.commands, commands),
      limits: { ...defaultLimits, ...limits },
      identify: async () => current,
      onError: (error) => desk.errors.push(error),
    });
  const isWaitingForLock = async () => {
    const { rows } = await desk.database.pool.query(
      `select from pg_stat_activity where datname = current_database()
         and wait_event_type = 'Lock' and application_name like 'watchfloor%'`,
    );
    return rows.length > 0;
  };

  it.each<[string, string, Identity | null, Partial<Limits>, object]>([
    ["a whole set", "disabled", null, {}, { state: "cancelled", progress: { applied: 0 } }],
    ["a batch", "disabled", null, batches, { state: "cancelled", progress: { applied: 0 } }],
    ["a whole set", "demoted", demoted, {}, { state: "draft", progress: { refused: 1 } }],
    ["a batch", "demoted", demoted, batches, { state: "applied", progress: { refused: 2 } }],
  ])(
    "G3 does not commit %s that waited for another program's lock while its author was %s",
    async (_, __, then, limits, end) => {
      current = ann;
      const commands = desk.openNode();
      const sets = open(commands, limits);
      const records = await Promise.all([desk.createIncident(), desk.createIncident()]);
      const set = await sets.create(ann, { ops: records.map((record) => rename(record, "late")) });
      const program = await desk.database.pool.connect();
      await program.query("begin");
      await program.query(`select from ${table} where id = any($1) for update`, [records]);
      const applying = sets.apply(ann, set.id, { atomic: Object.keys(limits).length === 0 });
      await expect.poll(isWaitingForLock).toBe(true);
      current = then;
      commands.rightsChanged({ topic: "user", id: "ann" });
      await program.query("commit");
      program.release();
      const refusal = await refusalOf(applying);
      if (refusal !== null) expect(refusal).toMatchObject({ code: "unavailable" });
      await expect.poll(() => sets.one(ann, set.id)).toMatchObject(end);
      for (const record of records) {
        const { values } = await desk.commands.readRecord(ann, table, record);
        expect(values.title).toBe("first");
      }
    },
  );

  it.each<[string, Identity | null]>([
    ["who is disabled", null],
    ["whose rights change", blind],
  ])("M20 evaluates no further part of a set for an author %s", async (_, then) => {
    current = ann;
    const parts: number[] = [];
    const sets = open({
      dryRun(identity, named) {
        const run = desk.commands.dryRun(identity, named);
        return async (ops) => {
          parts.push(ops.length);
          const results = await run(ops);
          current = then;
          return results;
        };
      },
    });
    const records = await Promise.all(Array.from({ length: 15 }, () => desk.createIncident()));
    const ops = records.map((record) => rename(record, "late", "conflicting"));
    for (const evaluate of [
      (id: string) => sets.apply(ann, id, {}),
      (id: string) => sets.preview(ann, id, {}),
    ]) {
      current = ann;
      const { id } = await sets.create(ann, { ops });
      parts.length = 0;
      expect(await refusalOf(evaluate(id))).toMatchObject({ code: "unavailable" });
      expect(parts).toEqual([10]);
    }
  });

  it("M20 does not return values of the last part to an author who may no longer see them", async () => {
    current = ann;
    const record = await desk.createIncident();
    const op = { op: "update", table, record, set: { notes: "mine" }, base: { notes: "old" } };
    const later = "written after the revocation";
    const evaluating = open({
      dryRun(identity, named) {
        const run = desk.commands.dryRun(identity, named);
        return async (ops) => {
          current = blind;
          await desk.overwrite(record, { notes: later });
          return run(ops);
        };
      },
    });
    const set = await evaluating.create(ann, { ops: [op as WireOp] });
    expect(await refusalOf(evaluating.apply(ann, set.id, {}))).toMatchObject({
      code: "unavailable",
    });
    current = ann;
    const committing = open({
      async mutate(identity, request) {
        const answer = await desk.commands.mutate(identity, request);
        current = blind;
        return answer;
      },
    });
    const answer = await committing.apply(ann, set.id, { atomic: false });
    expect(answer).toMatchObject({ state: "applied", applied: 0, conflicts: [] });
    expect(answer.refused).toMatchObject([{ index: 0, error: { code: "not_found" } }]);
    expect(JSON.stringify(answer)).not.toContain(later);
  });
});
