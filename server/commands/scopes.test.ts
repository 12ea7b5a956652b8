import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import type { Grant } from "../../shared/policy/role.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { guardedDesk } from "../model/testing/guarded-desk.ts";
import type { Op } from "./op.ts";
import { buildCommandDesk, type CommandDesk, somebody } from "./testing/command-desk.ts";

const table = "incidents";
const ofRed: Filter = { field: "group", op: "eq", value: "$me.group" };
const everything: Grant = {
  create: true,
  update: true,
  delete: true,
  history: true,
  transitions: true,
};
const boss = somebody("boss", "owner");

/** Somebody of the group Red whose role grants that on incidents. */
function reader(grant: Grant, more: Record<string, Grant> = {}): Identity {
  const role = { id: "r", name: "R", rights: [], grants: { incidents: grant, ...more } };
  const who = somebody("red", role);
  return { ...who, subject: { ...who.subject, attributes: { group: "Red" } } };
}

const rowsOfRed = reader({ ...everything, read: { filter: ofRed } });
const notesHidden = reader({ ...everything, read: { hide: ["notes"] } });
const redWithoutNotes = reader({ ...everything, read: { filter: ofRed, hide: ["notes"] } });
const groupsUnseen = reader({ ...everything, read: true });
const groupRedOnly = reader(
  { ...everything, read: true },
  { groups: { read: { filter: { field: "name", op: "eq", value: "Red" } } } },
);

async function refusalOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return error instanceof Refusal ? error.toBody() : error;
}

describe.each(databases.slice(0, 1))("scopes hold in every command on $name", (kind) => {
  let desk: CommandDesk;
  let next = 0;

  beforeAll(async () => {
    desk = await buildCommandDesk(kind, guardedDesk);
    for (const name of ["Red", "Blue"]) {
      await desk.run(boss, { op: "create", table: "groups", values: { name } });
      const values = {
        title: `of ${name}`,
        group: name,
        notes: `secret of ${name}`,
        category: name,
      };
      await desk.run(boss, { op: "create", table, record: name, values });
    }
  });
  afterAll(async () => {
    expect(desk.errors).toEqual([]);
    await desk[Symbol.asyncDispose]();
  });

  /** A record of a group that no other test touches. */
  async function fresh(group = "Red"): Promise<string> {
    const record = `f${++next}`;
    const values = { title: "first", group, notes: "secret" };
    await desk.run(boss, { op: "create", table, record, values });
    return record;
  }
  async function boss_sets(record: string, set: Record<string, string>) {
    const op = { op: "update", table, record, set, overwrite: true } as const;
    expect(await desk.run(boss, op)).toMatchObject([{ ok: true }]);
  }

  it("a page, its total and a search hold only rows in scope", async () => {
    const all = await desk.commands.readPage(rowsOfRed, { table });
    expect(new Set(all.records.map(({ values }) => values.group))).toEqual(new Set(["Red"]));
    expect(all.total).toBe(all.records.length);
    const found = await desk.commands.readPage(rowsOfRed, { table, search: "of Blue" });
    expect(found).toMatchObject({ total: 0, records: [] });
    const hidden = await desk.commands.readPage(notesHidden, { table, search: "secret of" });
    expect(hidden).toMatchObject({ total: 0, records: [] });
  });

  it.each([
    ["filter", (name: string) => ({ filter: { field: name, op: "isEmpty" } as Filter })],
    [
      "filter by another field",
      (name: string) => ({
        filter: { field: "title", op: "eq", value: { field: name } } as Filter,
      }),
    ],
    ["sort", (name: string) => ({ sort: [`-${name}`] })],
    ["fields", (name: string) => ({ fields: ["title", name] })],
  ])("%s on a hidden field is answered like one on an unknown field", async (_, ask) => {
    const of = async (name: string) => {
      const body = await refusalOf(desk.commands.readPage(notesHidden, { table, ...ask(name) }));
      expect(body).toMatchObject({ code: "invalid_request" });
      return JSON.stringify(body).replaceAll(name, "…");
    };
    expect(await of("notes")).toBe(await of("colour"));
  });

  it("summaries neither count what is out of scope nor measure or group by what is hidden", async () => {
    const measure = { op: "count" } as const;
    const rows = await desk.commands.readSummary(rowsOfRed, { table, measure, group: "group" });
    expect(rows.map(({ key }) => key)).toEqual(["Red"]);
    const of = (name: string) =>
      refusalOf(desk.commands.readSummary(notesHidden, { table, measure, group: name }));
    expect(JSON.stringify(await of("notes")).replaceAll("notes", "…")).toBe(
      JSON.stringify(await of("colour")).replaceAll("colour", "…"),
    );
  });

  it("summaries name linked records only to those who may read them", async () => {
    const call = { table: "incidents", measure: { op: "count" }, group: "service" } as const;
    const values = { name: "canary service" };
    await desk.run(boss, { op: "create", table: "services", record: "s1", values });
    await boss_sets(await fresh(), { service: "s1" });
    const [seen] = await desk.commands.readSummary(boss, call);
    expect(seen).toMatchObject({ key: "s1", label: "canary service" });
    const [unseen] = await desk.commands.readSummary(rowsOfRed, call);
    expect(unseen).toMatchObject({ key: "s1", label: "s1" });
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

  it("reading, history and a deletion answer an unreadable record like one that never was", async () => {
    const gone = await fresh("Blue");
    await desk.run(boss, { op: "delete", table, record: gone, overwrite: true });
    const { readRecord, readHistory } = desk.commands;
    for (const read of [readRecord, readHistory]) {
      const missing = await refusalOf(read(rowsOfRed, table, "Nowhere"));
      expect(missing).toMatchObject({ code: "not_found" });
      expect(await refusalOf(read(rowsOfRed, table, "Blue"))).toEqual(missing);
      expect(await refusalOf(read(rowsOfRed, table, gone))).toEqual(missing);
    }
    expect(await refusalOf(readRecord(boss, table, gone))).toMatchObject({
      code: "record_deleted",
    });
  });

  it("a link to an unreadable record is broken like a link to none, also in an unseen table", async () => {
    const record = await fresh();
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

  it("history and changes tell nothing of hidden fields or of a time out of reach", async () => {
    const record = await fresh("Blue");
    await boss_sets(record, { title: "canary while Blue" });
    await boss_sets(record, { group: "Red", title: "entered" });
    await boss_sets(record, { notes: "canary of notes" });
    await boss_sets(record, { title: "seen" });
    const history = await desk.commands.readHistory(redWithoutNotes, table, record);
    expect(history.map(({ fields }) => fields)).toEqual([
      { title: { before: "entered", after: "seen" } },
    ]);
    const { items } = await desk.commands.readChanges(redWithoutNotes, { table, limit: 5_000 });
    const latest = await desk.commands.readLatestChanges(redWithoutNotes, { limit: 1_000 });
    expect(JSON.stringify([history, items, latest])).not.toMatch(/canary|secret|notes|of Blue/);
    expect(latest.items[0]).toMatchObject({ table, record, set: { title: "seen" } });
    expect(items.some((change) => change.record === record && change.kind === "insert")).toBe(true);
  });

  it("history names no transition and no reason where the state is hidden", async () => {
    const record = await fresh();
    const activate = {
      op: "transition",
      table,
      record,
      transition: "activate",
      from: "New",
    } as const;
    const reason = "canary reason";
    expect(
      await desk.run(boss, {
        ...activate,
        set: { title: "moved" },
        base: { title: "first" },
        reason,
      }),
    ).toMatchObject([{ ok: true }]);
    const noState = reader({ read: { hide: ["state"] }, history: true });
    const history = await desk.commands.readHistory(noState, table, record);
    expect(history[0]?.fields).toEqual({ title: { before: "first", after: "moved" } });
    expect(JSON.stringify(history)).not.toMatch(/canary|activate|Active/);
    expect((await desk.commands.readHistory(boss, table, record))[0]).toMatchObject({ reason });
  });

  it("a conflict shows visible fields only, and a version is stale only by them", async () => {
    const record = await fresh();
    const { version } = await desk.commands.readRecord(redWithoutNotes, table, record);
    const edit: Op = { op: "update", table, record, set: { title: "mine" }, ifMatch: version };
    await boss_sets(record, { notes: "canary" });
    expect(await desk.run(redWithoutNotes, edit)).toMatchObject([{ ok: true }]);
    await boss_sets(record, { notes: "canary 2", title: "theirs" });
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

  it("M20 a repeat under other rights tells no more than they let it", async () => {
    const record = await fresh();
    await boss_sets(record, { title: "canary title" });
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

  it("a record is brought back whole by who sees only a part of it", async () => {
    const record = await fresh();
    await desk.run(redWithoutNotes, { op: "delete", table, record, overwrite: true });
    const deleted = await refusalOf(desk.commands.readRecord(redWithoutNotes, table, record));
    expect(deleted).toMatchObject({ code: "record_deleted" });
    expect(JSON.stringify(deleted)).not.toMatch(/secret|notes/);
    expect(await desk.run(redWithoutNotes, { op: "restore", table, record })).toMatchObject([
      { ok: true },
    ]);
    expect((await desk.commands.readRecord(boss, table, record)).values.notes).toBe("secret");
  });

  it("writing is judged on both images: nobody moves a record to or from where they may not write", async () => {
    const writesRed = reader(
      { read: true, create: true, update: { filter: ofRed } },
      { groups: { read: true } },
    );
    const [red, blue] = [await fresh("Red"), await fresh("Blue")];
    const move = (record: string, group: string): Op => ({
      op: "update",
      table,
      record,
      set: { group },
      overwrite: true,
    });
    const results = await desk.run(
      writesRed,
      move(red, "Blue"),
      move(blue, "Red"),
      move(red, "Red"),
    );
    expect(results.map((result) => (result.ok ? "ok" : result.error.code))).toEqual([
      "forbidden",
      "forbidden",
      "ok",
    ]);
    const create = { op: "create", table, values: { group: "Blue" } } as const;
    const seesGroups = { ...everything, read: { filter: ofRed } };
    expect(await desk.run(reader(seesGroups, { groups: { read: true } }), create)).toMatchObject([
      { ok: false, error: { code: "forbidden", right: "create" } },
    ]);
  });

  it("a field that may be seen and not written is forbidden, a hidden one is unknown", async () => {
    const titles = reader({ read: { hide: ["notes"] }, update: { fields: ["title", "notes"] } });
    const record = await fresh();
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

  it("that a value is taken is told, whose it is never", async () => {
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
});
