import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Op } from "./op.ts";
import {
  boss,
  buildScopedDesk,
  everything,
  notesHidden,
  ofRed,
  reader,
  redWithoutNotes,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "./testing/scoped-desk.ts";

describe.each(databases.slice(0, 1))(
  "refusals reveal nothing outside the scope of their author on $name",
  (kind) => {
    let desk: ScopedDesk;
    beforeAll(async () => {
      desk = await buildScopedDesk(kind);
    });
    afterAll(async () => {
      expect(desk.errors).toEqual([]);
      await desk[Symbol.asyncDispose]();
    });

    it("a conflict shows visible fields only, and only they make a version stale", async () => {
      const record = await desk.createIncident();
      const { version } = await desk.commands.readRecord(redWithoutNotes, table, record);
      const edit: Op = { op: "update", table, record, set: { title: "mine" }, ifMatch: version };
      await desk.overwrite(record, { notes: "canary" });
      expect(await desk.run(redWithoutNotes, edit)).toMatchObject([{ ok: true }]);
      await desk.overwrite(record, { notes: "canary 2", title: "theirs" });
      const [refused] = await desk.run(redWithoutNotes, { ...edit, set: { title: "again" } });
      expect(refused).toMatchObject({
        error: { code: "conflict", fields: { title: { theirs: "theirs" } } },
      });
      expect(JSON.stringify(refused)).not.toMatch(/canary|notes/);
      const blind = await desk.run(
        notesHidden,
        { ...edit, set: { notes: "x" } },
        { ...edit, set: { colour: "x" } },
      );
      const [hidden, unknown] = blind.map((result) =>
        JSON.stringify(result).replace(/notes|colour/g, "…"),
      );
      expect(hidden).toBe(unknown);
    });

    it("M20 a repeat under other rights reveals no more than they allow", async () => {
      const record = await desk.createIncident();
      await desk.overwrite(record, { title: "canary title" });
      const ops: Op[] = [
        { op: "update", table, record, set: { title: "m" }, base: { title: "first" } },
      ];
      const first = await desk.commands.mutate(rowsOfRed, { id: "repeated", ops });
      expect(JSON.stringify(first)).toContain("canary title");
      expect(await desk.commands.mutate(rowsOfRed, { id: "repeated", ops })).toEqual(first);
      const noTitle = reader({ ...everything, read: { hide: ["title"] } });
      const nothing = reader({});
      const moved = {
        ...rowsOfRed,
        subject: { ...rowsOfRed.subject, attributes: { group: "Blue" } },
      };
      for (const who of [noTitle, nothing, moved]) {
        const again = await desk.commands.mutate(who, { id: "repeated", ops });
        expect(JSON.stringify(again)).not.toContain("canary");
      }
    });

    it("M20 a repeat names nobody who has restored a record that its author may not read any more", async () => {
      const record = await desk.createIncident();
      const [deleted] = await desk.run(boss, { op: "delete", table, record, overwrite: true });
      const version = deleted?.ok ? deleted.version : "";
      await desk.run(boss, { op: "restore", table, record });
      const ops: Op[] = [{ op: "restore", table, record, version }];
      const first = await desk.commands.mutate(rowsOfRed, { id: "restored", ops });
      expect(first.results).toMatchObject([{ ok: true, by: { kind: "user" } }]);
      expect(await desk.commands.mutate(rowsOfRed, { id: "restored", ops })).toEqual(first);
      const moved = {
        ...rowsOfRed,
        subject: { ...rowsOfRed.subject, attributes: { group: "Blue" } },
      };
      for (const who of [reader({}), moved]) {
        const { results } = await desk.commands.mutate(who, { id: "restored", ops });
        expect(results).toMatchObject([{ ok: true }]);
        expect(results[0]).not.toHaveProperty("by");
      }
    });

    it("a conflict shows the previous value to users who may read history, and else what the author sent", async () => {
      const noHistory = reader({ ...everything, history: false, read: true });
      const withHistory = reader({ ...everything, read: true });
      const record = await desk.createIncident();
      const { version } = await desk.commands.readRecord(noHistory, table, record);
      await desk.overwrite(record, { title: "canary before" });
      await desk.overwrite(record, { title: "now" });
      const edit: Op = { op: "update", table, record, set: { title: "mine" }, ifMatch: version };
      const remove: Op = { op: "delete", table, record, version };
      const ops = [edit, remove];
      const shown = { title: { base: "canary before", theirs: "now" } };
      for (const result of (await desk.commands.mutate(withHistory, { id: "shown", ops }))
        .results) {
        expect(result).toMatchObject({ error: { code: "conflict", fields: shown } });
      }
      const refused = await desk.run(noHistory, edit, remove);
      for (const result of refused) {
        expect(result).toMatchObject({
          error: { fields: { title: { base: null, theirs: "now" } } },
        });
      }
      const own: Op = { op: "update", table, record, set: { title: "m" }, base: { title: "seen" } };
      expect(await desk.run(noHistory, own)).toMatchObject([
        { error: { code: "conflict", fields: { title: { base: "seen", theirs: "now" } } } },
      ]);
      const repeated = await desk.commands.mutate(noHistory, { id: "shown", ops });
      expect(JSON.stringify(repeated)).not.toContain("canary");
    });

    it("a refusal names no state if the state is hidden, at first and when it is repeated", async () => {
      const record = await desk.createIncident();
      const activate = { op: "transition", table, record, transition: "activate" } as const;
      await desk.run(boss, { ...activate, from: "New" });
      const locked: Op = {
        op: "update",
        table,
        record,
        set: { resolution_code: "x" },
        overwrite: true,
      };
      const move: Op = { ...activate, transition: "close", from: "New" };
      const ops = [locked, { ...activate, from: "Active" } as Op, move];
      const sees = reader({ ...everything, read: true });
      const hidden = reader({ ...everything, read: { hide: ["state"] } });
      const first = await desk.commands.mutate(sees, { id: "locked", ops });
      expect(first.results).toMatchObject([
        { error: { code: "field_locked", state: "Active" } },
        {
          error: { code: "transition_not_allowed", possible: expect.arrayContaining(["resolve"]) },
        },
        { error: { code: "conflict", fields: { state: { theirs: "Active" } } } },
      ]);
      const now = await desk.run(hidden, locked);
      expect(now).toMatchObject([{ error: { code: "field_locked", fields: ["resolution_code"] } }]);
      const again = await desk.commands.mutate(hidden, { id: "locked", ops });
      expect(JSON.stringify([now, again])).not.toMatch(/Active|resolve"|"possible"/);
    });

    it("rights come first: a user who may not create a record does not learn that its id or a value is taken", async () => {
      const make = (record: string, more: object = {}): Op => ({
        op: "create",
        table,
        record,
        values: { title: "mine", group: "Blue", ...more },
      });
      const { values } = await desk.commands.readRecord(boss, table, "Blue");
      const number = values.number ?? null;
      const seesGroups = reader(
        { ...everything, read: { filter: ofRed } },
        { groups: { read: true } },
      );
      const results = await desk.run(
        seesGroups,
        make("Blue"),
        make("never was"),
        make("another", { number }),
        make("Blue", { service: "nowhere" }),
      );
      for (const result of results) expect(result).toEqual(results[1]);
      expect(results[1]).toMatchObject({ error: { code: "forbidden", right: "create" } });
      const writesRed = reader(
        { read: true, update: { filter: ofRed } },
        { groups: { read: true } },
      );
      const leave: Op = {
        op: "update",
        table,
        record: await desk.createIncident("Red"),
        set: { group: "Blue", number },
        overwrite: true,
      };
      expect(await desk.run(writesRed, leave)).toMatchObject([{ error: { code: "forbidden" } }]);
    });

    it("that a value is taken is revealed, but never its holder", async () => {
      const { values } = await desk.commands.readRecord(boss, table, "Blue");
      const number = values.number ?? null;
      const results = await desk.run(rowsOfRed, {
        op: "update",
        table,
        record: "Red",
        set: { number },
        overwrite: true,
      });
      expect(results).toMatchObject([
        { ok: false, error: { code: "duplicate", fields: { number: {} } } },
      ]);
      expect(JSON.stringify(results)).not.toMatch(/"Blue"|of Blue/);
    });
  },
);
