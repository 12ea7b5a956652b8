import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Values } from "../../shared/model/model.ts";
import type { Op } from "./op.ts";
import {
  boss,
  buildScopedDesk,
  everything,
  groupRedOnly,
  groupsUnseen,
  ofRed,
  reader,
  redWithoutNotes,
  refusalOf,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "./testing/scoped-desk.ts";

describe.each(databases.slice(0, 1))(
  "writes are accepted within the scope of their author on $name",
  (kind) => {
    let desk: ScopedDesk;
    beforeAll(async () => {
      desk = await buildScopedDesk(kind);
    });
    afterAll(async () => {
      expect(desk.errors).toEqual([]);
      await desk[Symbol.asyncDispose]();
    });

    const ops: [string, (record: string) => Op][] = [
      [
        "update",
        (record) => ({ op: "update", table, record, set: { title: "x" }, base: { title: "y" } }),
      ],
      [
        "overwrite",
        (record) => ({ op: "update", table, record, set: { title: "x" }, overwrite: true }),
      ],
      ["delete", (record) => ({ op: "delete", table, record, overwrite: true })],
      ["restore", (record) => ({ op: "restore", table, record })],
      [
        "transition",
        (record) => ({ op: "transition", table, record, transition: "activate", from: "New" }),
      ],
    ];
    it.each(ops)("%s answers an unreadable record like one that never was", async (_, op) => {
      const [unreadable, missing] = await desk.run(rowsOfRed, op("Blue"), op("Nowhere"));
      expect(unreadable).toEqual(missing);
      expect(missing).toMatchObject({ ok: false, error: { code: "not_found" } });
    });

    it("a link to an unreadable record is broken like one to a missing record, also in an unreadable table", async () => {
      const record = await desk.createIncident();
      const link = (group: string): Op => ({
        op: "update",
        table,
        record,
        set: { group },
        overwrite: true,
      });
      for (const who of [groupsUnseen, groupRedOnly]) {
        const [unreadable, missing] = await desk.run(who, link("Blue"), link("Nowhere"));
        expect(unreadable).toMatchObject({ ok: false, error: { code: "link_broken" } });
        expect(unreadable).toEqual(missing);
      }
      expect(await desk.run(groupRedOnly, link("Red"))).toMatchObject([{ ok: true }]);
    });

    it("a record is restored completely by a user who sees only a part of it", async () => {
      const record = await desk.createIncident();
      await desk.run(redWithoutNotes, { op: "delete", table, record, overwrite: true });
      const deleted = await refusalOf(desk.commands.readRecord(redWithoutNotes, table, record));
      expect(deleted).toMatchObject({ code: "record_deleted" });
      expect(JSON.stringify(deleted)).not.toMatch(/secret|notes/);
      expect(await desk.run(redWithoutNotes, { op: "restore", table, record })).toMatchObject([
        { ok: true },
      ]);
      expect((await desk.commands.readRecord(boss, table, record)).values.notes).toBe("secret");
    });

    it("updates are authorised on both images: no record can be moved to or from where its author may not write", async () => {
      const writesRed = reader(
        { read: true, create: true, update: { filter: ofRed }, transitions: true },
        { groups: { read: true } },
      );
      const [red, blue] = [await desk.createIncident("Red"), await desk.createIncident("Blue")];
      const move = (record: string, group: string): Op => ({
        op: "update",
        table,
        record,
        set: { group },
        overwrite: true,
      });
      const activate = (set: Values): Op => ({
        op: "transition",
        table,
        record: red,
        transition: "activate",
        from: "New",
        set,
        base: { group: "Red" },
      });
      const results = await desk.run(
        writesRed,
        move(red, "Blue"),
        move(blue, "Red"),
        activate({ group: "Blue" }),
        move(red, "Red"),
        activate({ group: "Red" }),
      );
      expect(results.map((result) => (result.ok ? "ok" : result.error.code))).toEqual([
        ...["forbidden", "forbidden", "forbidden"],
        ...["ok", "ok"],
      ]);
      const create = { op: "create", table, values: { group: "Blue" } } as const;
      const seesGroups = { ...everything, read: { filter: ofRed } };
      expect(await desk.run(reader(seesGroups, { groups: { read: true } }), create)).toMatchObject([
        { ok: false, error: { code: "forbidden", right: "create" } },
      ]);
    });

    it("a visible field that is not writable is forbidden, a hidden one is unknown", async () => {
      const titles = reader({ read: { hide: ["notes"] }, update: { fields: ["title", "notes"] } });
      const record = await desk.createIncident();
      const set = (name: string): Op => ({
        op: "update",
        table,
        record,
        set: { [name]: "x" },
        overwrite: true,
      });
      const results = await desk.run(
        titles,
        set("title"),
        set("location"),
        set("notes"),
        set("colour"),
      );
      expect(results.map((result) => (result.ok ? "ok" : result.error.code))).toEqual([
        "ok",
        "forbidden",
        "invalid_request",
        "invalid_request",
      ]);
    });
  },
);
