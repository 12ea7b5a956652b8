import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import { Refusal, unavailable } from "../../shared/protocol/errors.ts";
import { type ImportReport, importOptionsSchema } from "../../shared/protocol/imports.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import { testIdentity, withReplaced } from "../commands/testing/command-environment.ts";
import { boss, refusalOf, table } from "../commands/testing/scoped-desk.ts";
import { ChangeSets } from "./change-sets.ts";
import { type ChangeSetDesk, openChangeSetDesk } from "./testing/change-set-desk.ts";

const withoutRights = { ...boss, subject: testIdentity("boss", "viewer").subject };

describe.each(databases)("an import on $name", (kind) => {
  let at: ChangeSetDesk;
  /** The importing user as they are now; null once they are deactivated. */
  let current: Identity | null;
  let serial = 0;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind);
  });
  beforeEach(() => {
    current = boss;
    serial += 1;
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  /** A server of its own. */
  const open = (commands: Partial<Commands> = {}, limits: Partial<Limits> = {}) =>
    new ChangeSets({
      ...{ database: at.desk.database, model: () => at.desk.model },
      commands: withReplaced(at.desk.commands, commands),
      limits: { ...defaultLimits, ...limits },
      identify: async () => current,
      onError: (error) => at.desk.errors.push(error),
    });
  const importFile = (
    csv: string,
    sets = open(),
    { key = "title" }: { key?: string | null } = {},
  ): Promise<ImportReport> =>
    sets.importIntoTable(boss, {
      ...{ table, options: importOptionsSchema.parse(key === null ? {} : { key }), dryRun: false },
      async *open() {
        yield Buffer.from(csv);
      },
      async currentIdentity() {
        if (!current) throw new Refusal("session_ended");
        return current;
      },
      users: async () => [],
    });
  const titled = async (title: string) => {
    const filter = { field: "title", op: "eq", value: title } as const;
    return (await at.desk.commands.readPage(boss, { table, filter, limit: 10 })).records;
  };
  const lines = (...rows: string[]) => `title,notes\n${rows.join("\n")}\n`;
  const titles = (count: number) => Array.from({ length: count }, (_, n) => `${n} of ${serial}`);

  it("is applied under the rights of that moment, and rejects with their cells the rows that these no longer allow", async () => {
    const title = `retried ${serial}`;
    let sent = 0;
    const sets = open({
      mutate(identity, request) {
        sent += 1;
        if (sent > 1) return at.desk.commands.mutate(identity, request);
        current = withoutRights;
        throw unavailable();
      },
    });
    const report = await importFile(lines(`${title},x`), sets);
    expect(sent).toBe(2);
    expect(report).toMatchObject({
      created: 0,
      failed: 1,
      errors: [{ line: 2, code: "forbidden" }],
    });
    expect(await titled(title)).toEqual([]);
    const rejects = await at.sets.rejects(boss, String(report.changeSet));
    expect(await rejects.page({})).toMatchObject({ total: 1, items: [{ cells: [title, "x"] }] });
  });

  it("stores the rejected rows of a user's newest imports only, as far as they fit into the bound", async () => {
    const bad = () => importFile(lines(...titles(3).map((title) => `${title},x,too many`)), open());
    const totalOf = async ({ changeSet }: ImportReport) =>
      (await (await at.sets.rejects(boss, String(changeSet))).page({})).total;
    const [first, second] = [await bad(), await bad()];
    expect([await totalOf(first), await totalOf(second)]).toEqual([3, 3]);
    const small = open({}, { CHANGE_SET_DRAFTS_PER_USER_BYTES: 1 });
    const third = await importFile(lines("one,x,too many"), small);
    expect(third).toMatchObject({ failed: 1 });
    expect([await totalOf(first), await totalOf(second), await totalOf(third)]).toEqual([0, 0, 1]);
  });

  it("recognises a record by its key, whose characters another program composed in another way", async () => {
    const title = `Cafe\u0301 ${serial}`;
    const { pool } = at.desk.database;
    await pool.query("insert into incidents (id, title) values ($1, $2)", [title, title]);
    const file = lines(`${title},a`, `Cafe ${serial},b`);
    expect(await importFile(file)).toMatchObject({ created: 1, updated: 1, failed: 0 });
    expect(await importFile(file)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
    expect(await titled(title.normalize("NFC"))).toEqual([]);
    expect(await at.valuesOf(title)).toMatchObject({ title, notes: "a" });
  });

  it("leaves nothing where its user is signed out while the file is read", async () => {
    const all = titles(51);
    const sets = open({
      async readPage(identity, call) {
        const page = await at.desk.commands.readPage(identity, call);
        current = null;
        return page;
      },
    });
    const ended = importFile(lines(...all.map((title) => `${title},x`)), sets);
    expect(await refusalOf(ended)).toMatchObject({ code: "session_ended" });
    expect(await titled(all[0] as string)).toEqual([]);
    const { rows } = await at.desk.database.pool.query(
      "select from watchfloor.change_set where state = 'writing'",
    );
    expect(rows).toEqual([]);
  });

  it("is cancelled where its user is deactivated while it is applied", async () => {
    const all = titles(25);
    const sets = open({
      async mutate(identity, request) {
        const answer = await at.desk.commands.mutate(identity, request);
        current = null;
        return answer;
      },
    });
    const ended = importFile(lines(...all.map((title) => `${title},x`)), sets);
    expect(await refusalOf(ended)).toMatchObject({ code: "session_ended" });
    expect([await titled(all[0] as string), await titled(all[24] as string)]).toMatchObject([
      [{}],
      [],
    ]);
  });

  it("applies a batch once that is sent again because its answer was lost", async () => {
    const title = `lost ${serial}`;
    let sent = 0;
    const sets = open({
      async mutate(identity, request) {
        const answer = await at.desk.commands.mutate(identity, request);
        sent += 1;
        if (sent > 1) return answer;
        throw unavailable();
      },
    });
    const report = await importFile(lines(`${title},a`, `${title},b`, `${title},a`), sets);
    expect(sent).toBe(2);
    expect(report).toMatchObject({ created: 1, superseded: 2, unchanged: 0, failed: 0 });
    const changes = await at.changesOf({ id: String(report.changeSet) });
    expect(changes.map(({ kind }) => kind)).toEqual(["insert"]);
  });

  it("changes nothing where a repeat of it, which was sent after a lost answer, was faster", async () => {
    for (const key of ["title", null]) {
      const csv = lines(...titles(3).map((title) => `${title} ${key},x`));
      let isFirst = true;
      const slow = open({
        async mutate(identity, request) {
          if (isFirst) {
            isFirst = false;
            expect(await importFile(csv, open(), { key })).toMatchObject({ created: 3 });
          }
          return at.desk.commands.mutate(identity, request);
        },
      });
      const report = await importFile(csv, slow, { key });
      expect(report).toMatchObject({ created: 0, unchanged: 3, failed: 0, changeSet: null });
    }
  });

  it("G9 is finished by another server where its own stops before a batch was noted, and reverted as one", async () => {
    const all = titles(25);
    const dying = open({
      async mutate(identity, request) {
        await at.desk.commands.mutate(identity, request);
        throw new Error("The server stops here.");
      },
    });
    const ended = importFile(lines(...all.map((title) => `${title},x`)), dying);
    await expect(ended).rejects.toThrow("stops here");
    const [set] = await at.sets.list(boss, { state: "applying" });
    await at.desk.database.pool.query("update watchfloor.change_set set lease_until = null");
    const stop = open({}, { CHANGE_SET_RESUME_INTERVAL_MS: 50 }).start();
    const id = String(set?.id);
    await expect.poll(() => at.sets.one(boss, id)).toMatchObject({ state: "applied" });
    await stop();
    expect(await at.sets.one(boss, id)).toMatchObject({
      counts: { create: 25 },
      progress: { total: 25, applied: 25 },
      import: { isComplete: true, created: 25 },
    });
    expect(await at.changesOf({ id })).toHaveLength(25);
    const back = await at.sets.revert(boss, id);
    expect(await at.sets.apply(boss, back.id, {})).toMatchObject({ applied: 25 });
    expect(await titled(all[0] as string)).toEqual([]);
    expect(await at.sets.one(boss, id)).toMatchObject({ state: "reverted" });
  });

  it("G7 is shown at any size: beyond CHANGE_SET_MAX_OPS as it was checked when it was read", async () => {
    const all = titles(5);
    const small = open({}, { CHANGE_SET_MAX_OPS: 3 });
    const { id } = await small.create(boss, {});
    const csv = `title,group\n${all.map((title) => `${title},\n`).join("")}bad ${serial},Nobody\n`;
    const report = await small.importIntoDraft(boss, id, {
      ...{ table, options: importOptionsSchema.parse({ key: "title" }) },
      async *open() {
        yield Buffer.from(csv);
      },
      currentIdentity: async () => boss,
      users: async () => [],
    });
    expect(report).toMatchObject({ created: 5, failed: 1, errors: [{ code: "link_broken" }] });
    const page = await small.preview(boss, id, { limit: 2, offset: 2 });
    expect(page).toMatchObject({
      ...{ isEvaluated: false, total: 5, counts: { create: 5, error: 0 } },
      items: [{ status: "create", after: { title: all[2] } }, { after: { title: all[3] } }],
    });
    expect(await refusalOf(small.apply(boss, id, {}))).toMatchObject({ code: "too_large" });
    const applied = await small.apply(boss, id, { atomic: false, skip: [4] });
    expect(applied).toMatchObject({ state: "applied", applied: 4 });
  });
});
