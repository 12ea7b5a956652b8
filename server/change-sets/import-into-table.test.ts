import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { Refusal, unavailable } from "../../shared/protocol/errors.ts";
import { type ImportReport, importOptionsSchema } from "../../shared/protocol/imports.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import { testIdentity, withReplaced } from "../commands/testing/command-environment.ts";
import { boss, refusalOf, table } from "../commands/testing/scoped-desk.ts";
import { importIntoTable } from "./import-into-table.ts";
import { type ChangeSetDesk, openChangeSetDesk } from "./testing/change-set-desk.ts";

const withoutRights = { ...boss, subject: testIdentity("boss", "viewer").subject };

describe.each(databases)("a direct import on $name", (kind) => {
  let at: ChangeSetDesk;
  /** The importing user as they are now. */
  let current: () => Identity;
  let serial = 0;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind);
  });
  beforeEach(() => {
    current = () => boss;
    serial += 1;
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  const importFile = (csv: string, commands: Partial<Commands> = {}): Promise<ImportReport> => {
    const deps = {
      ...{ database: at.desk.database, model: () => at.desk.model, limits: defaultLimits },
      ...{ commands: withReplaced(at.desk.commands, commands), users: async () => [] },
    };
    const options = importOptionsSchema.parse({ key: "title" });
    const open = async function* () {
      yield Buffer.from(csv);
    };
    return importIntoTable(deps, {
      ...{ table, options, open },
      currentIdentity: async () => current(),
    });
  };
  const titled = async (title: string) => {
    const filter = { field: "title", op: "eq", value: title } as const;
    return (await at.desk.commands.readPage(boss, { table, filter, limit: 10 })).records;
  };
  const cancelled = async () => {
    const [set] = await at.sets.list(boss, { state: "cancelled", limit: 1 });
    return (set as { id: string }).id;
  };
  const lines = (...rows: string[]) => `title,notes\n${rows.join("\n")}\n`;

  it("sends a batch again under the rights of that moment", async () => {
    const title = `retried ${serial}`;
    let sent = 0;
    const report = await importFile(lines(`${title},x`), {
      mutate: (identity, request) => {
        sent += 1;
        if (sent > 1) return at.desk.commands.mutate(identity, request);
        current = () => withoutRights;
        throw unavailable();
      },
    });
    expect(sent).toBe(2);
    expect(report).toMatchObject({ created: 0, failed: 1, errors: [{ code: "forbidden" }] });
    expect(await titled(title)).toEqual([]);
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

  it("ends where its user is signed out before a batch is sent again", async () => {
    const title = `ended ${serial}`;
    const ended = importFile(lines(`${title},x`), {
      mutate: () => {
        current = () => {
          throw new Refusal("session_ended");
        };
        throw unavailable();
      },
    });
    expect(await refusalOf(ended)).toMatchObject({ code: "session_ended" });
  });

  it("sends nothing under rights that ended while its records were looked up", async () => {
    const title = `looked up ${serial}`;
    const report = await importFile(lines(`${title},x`), {
      readPage: async (identity, call) => {
        const page = await at.desk.commands.readPage(identity, call);
        current = () => withoutRights;
        return page;
      },
    });
    expect(report).toMatchObject({ created: 0, failed: 1, errors: [{ code: "forbidden" }] });
    expect(await titled(title)).toEqual([]);
  });

  it("applies a batch once that is sent again because its answer was lost", async () => {
    const title = `lost ${serial}`;
    let sent = 0;
    const report = await importFile(lines(`${title},a`, `${title},b`, `${title},a`), {
      mutate: async (identity, request) => {
        const answer = await at.desk.commands.mutate(identity, request);
        sent += 1;
        if (sent > 1) return answer;
        current = () => {
          current = () => boss;
          throw Object.assign(new Error("No connection."), { code: "ECONNREFUSED" });
        };
        throw unavailable();
      },
    });
    expect(report).toMatchObject({ created: 1, updated: 2, unchanged: 0, failed: 0 });
    const changes = await at.changesOf({ id: String(report.changeSet) });
    expect(changes.map(({ kind }) => kind)).toEqual(["update", "update", "insert"]);
  });

  it("G9 is reverted, and not deleted, where it ended before its last batch was noted", async () => {
    const title = `not noted ${serial}`;
    const ended = importFile(lines(`${title},x`), {
      mutate: async (identity, request) => {
        await at.desk.commands.mutate(identity, request);
        throw new Error("The server stops here.");
      },
    });
    await expect(ended).rejects.toThrow("stops here");
    expect(await titled(title)).toHaveLength(1);
    const id = await cancelled();
    expect(await at.sets.one(boss, id)).toMatchObject({
      counts: { create: 1 },
      progress: { total: 1, applied: 1 },
      import: { isComplete: false, created: 0 },
    });
    expect(await refusalOf(at.sets.remove(boss, id))).toMatchObject({ code: "conflict" });
    const back = await at.sets.revert(boss, id);
    expect(await at.sets.apply(boss, back.id, {})).toMatchObject({ applied: 1 });
    expect(await titled(title)).toEqual([]);
    expect(await at.sets.one(boss, id)).toMatchObject({ state: "reverted" });
  });

  it("G9 is deleted, and not reverted, where it ended before it changed anything", async () => {
    const ended = importFile(lines(`nothing ${serial},x`), {
      mutate: () => Promise.reject(new Error("The server stops here.")),
    });
    await expect(ended).rejects.toThrow("stops here");
    const id = await cancelled();
    expect(await refusalOf(at.sets.revert(boss, id))).toMatchObject({ code: "conflict" });
    await at.sets.remove(boss, id);
    expect(await refusalOf(at.sets.one(boss, id))).toMatchObject({ code: "not_found" });
  });
});
