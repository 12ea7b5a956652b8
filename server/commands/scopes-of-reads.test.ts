import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { Filter } from "../../shared/filter/filter.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { Identity } from "../auth/identity.ts";
import { readHistory } from "../store/change-history.ts";
import {
  boss,
  buildScopedDesk,
  everything,
  notesHidden,
  reader,
  redWithoutNotes,
  refusalOf,
  rowsOfRed,
  type ScopedDesk,
  table,
} from "./testing/scoped-desk.ts";

describe.each(databases.slice(0, 1))(
  "reads answer within the scope of their reader on $name",
  (kind) => {
    let desk: ScopedDesk;
    beforeAll(async () => {
      desk = await buildScopedDesk(kind);
    });
    afterAll(async () => {
      expect(desk.errors).toEqual([]);
      await desk[Symbol.asyncDispose]();
    });

    it("a page, its total and a search contain only records in scope", async () => {
      const all = await desk.commands.readPage(rowsOfRed, { table });
      expect(new Set(all.records.map(({ values }) => values.group))).toEqual(new Set(["Red"]));
      expect(all.total).toBe(all.records.length);
      const found = await desk.commands.readPage(rowsOfRed, { table, search: "of Blue" });
      expect(found).toMatchObject({ total: 0, records: [] });
      const hidden = await desk.commands.readPage(notesHidden, { table, search: "secret of" });
      expect(hidden).toMatchObject({ total: 0, records: [] });
    });

    it("a short history has its length in visible changes, however many hidden ones are newer", async () => {
      const record = await desk.createIncident();
      for (let n = 0; n < 45; n += 1) await desk.overwrite(record, { notes: `hidden ${n}` });
      const read = (limit: number) =>
        desk.commands.readHistory(notesHidden, table, record, { limit });
      expect(await read(1)).toMatchObject([{ kind: "insert" }]);
      await desk.overwrite(record, { title: "second" });
      await desk.overwrite(record, { notes: "hidden" });
      expect(await read(2)).toMatchObject([
        { fields: { title: { after: "second" } } },
        { kind: "insert" },
      ]);
    });

    it("a part of a long history costs what it holds, however many changes are newer", async () => {
      const record = await desk.createIncident();
      await desk.database.pool.query(
        `do $$ begin for n in 1..400 loop
           update incidents set notes = n where id = '${record}'; end loop; end $$`,
      );
      const client = await desk.database.connect();
      await client.query("begin");
      const rowsRead = async () => {
        const { rows } = await client.query(`select seq_tup_read + idx_tup_fetch as read
          from pg_stat_xact_all_tables where relid = 'watchfloor.change'::regclass`);
        return Number(rows[0]?.read ?? 0);
      };
      const all = await readHistory(client, table, record, { limit: 1_000 });
      const ofAll = await rowsRead();
      const beforePlace = all.at(-20)?.place ?? 0;
      const part = await readHistory(client, table, record, { limit: 50, beforePlace });
      expect(part).toEqual(all.slice(-19));
      expect((await rowsRead()) - ofAll).toBeLessThan(ofAll / 4);
      await client.end();
    });

    it("a total beyond those that are always exact is counted in scope, and else the same bound for everybody", async () => {
      await using other = await buildScopedDesk(kind);
      // Of the records of Red few have the category that most records have.
      await other.database.pool.query(`
        insert into incidents (id, number, title, state, impact, urgency, priority, "group", category)
        select 'm' || n, 'M' || n, 'many', 'New', '2 - Medium', '2 - Medium', '4 - Low',
          case when n <= 500 then 'Red' else 'Blue' end, case when n between 11 and 500 then 'Red' else 'Blue' end
        from generate_series(1, 1000) n`);
      await other.database.pool.query("analyze incidents");
      const filter: Filter = { field: "category", op: "eq", value: "Blue" };
      const own = { table, filter };
      const red: Filter = { field: "group", op: "eq", value: "Red" };
      const whole = { table, filter: { and: [red, filter] } };
      const uncounted = other.openNode({ EXACT_TOTAL_MAX_RECORDS: 3, COUNT_TIMEOUT_MS: 0 });
      for (const [reader, call] of [
        [rowsOfRed, own],
        [boss, whole],
        [boss, own],
      ] as const) {
        const page = await uncounted.readPage(reader, call);
        expect(page).toMatchObject({ total: 3, totalExact: false });
        expect(page).not.toHaveProperty("estimate");
      }
      expect(await uncounted.readPage(rowsOfRed, { table })).not.toHaveProperty("estimate");
      expect(await uncounted.readPage(boss, { table })).toHaveProperty("estimate");
      const counting = other.openNode({ EXACT_TOTAL_MAX_RECORDS: 3, COUNT_TIMEOUT_MS: 60_000 });
      // The count of a view is shared by those who read the same records.
      for (const [reader, call] of [
        [rowsOfRed, own],
        [boss, whole],
      ] as const) {
        expect(await counting.readPage(reader, call)).toMatchObject({
          total: 10,
          totalExact: true,
        });
      }
      const { subject } = rowsOfRed;
      const managing = {
        ...rowsOfRed,
        subject: { ...subject, role: { ...subject.role, rights: ["roles"] } },
      };
      const call = { table, grants: { incidents: { read: { filter } } }, attributes: {}, limit: 0 };
      expect(await counting.previewRole(managing as Identity, call)).toMatchObject({ total: 10 });
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

    it("summaries neither count records out of scope nor measure or group by hidden fields", async () => {
      const measures = [{ op: "count" as const }];
      const call = { table, measures, group: "group" };
      const { rows } = await desk.commands.readSummary(rowsOfRed, call);
      expect(rows.map(({ key }) => key)).toEqual(["Red"]);
      const of = (name: string) =>
        refusalOf(desk.commands.readSummary(notesHidden, { table, measures, group: name }));
      expect(JSON.stringify(await of("notes")).replaceAll("notes", "…")).toBe(
        JSON.stringify(await of("colour")).replaceAll("colour", "…"),
      );
    });

    it("summaries name linked records only to users who may read them", async () => {
      const measures = [{ op: "count" as const }];
      const call = { table: "incidents", measures, group: "service" };
      const values = { name: "canary service" };
      await desk.run(boss, { op: "create", table: "services", record: "s1", values });
      await desk.overwrite(await desk.createIncident(), { service: "s1" });
      const {
        rows: [seen],
      } = await desk.commands.readSummary(boss, call);
      expect(seen).toMatchObject({ key: "s1", label: "canary service" });
      const {
        rows: [unseen],
      } = await desk.commands.readSummary(rowsOfRed, call);
      expect(unseen).toMatchObject({ key: "s1", label: "s1" });
    });

    it("reading, history and a deletion answer an unreadable record like a missing one", async () => {
      const gone = await desk.createIncident("Blue");
      await desk.run(boss, { op: "delete", table, record: gone, overwrite: true });
      const { commands } = desk;
      for (const read of ["readRecord", "readHistory"] as const) {
        const missing = await refusalOf(commands[read](rowsOfRed, table, "Nowhere"));
        expect(missing).toMatchObject({ code: "not_found" });
        expect(await refusalOf(commands[read](rowsOfRed, table, "Blue"))).toEqual(missing);
        expect(await refusalOf(commands[read](rowsOfRed, table, gone))).toEqual(missing);
      }
      expect(await refusalOf(commands.readRecord(boss, table, gone))).toMatchObject({
        code: "record_deleted",
      });
    });

    it("history and changes reveal no hidden fields and no time out of scope", async () => {
      const record = await desk.createIncident("Blue");
      await desk.overwrite(record, { title: "canary while Blue" });
      await desk.overwrite(record, { group: "Red", title: "entered" });
      await desk.overwrite(record, { notes: "canary of notes" });
      await desk.overwrite(record, { title: "seen" });
      const history = await desk.commands.readHistory(redWithoutNotes, table, record);
      expect(history.map(({ fields }) => fields)).toEqual([
        { title: { before: "entered", after: "seen" } },
      ]);
      const { items } = await desk.commands.readChanges(redWithoutNotes, { table, limit: 5_000 });
      const latest = await desk.commands.readActivity(redWithoutNotes, { limit: 1_000 });
      expect(JSON.stringify([history, items, latest])).not.toMatch(/canary|secret|notes|of Blue/);
      expect(latest.items[0]).toMatchObject({
        table,
        record,
        fields: { title: { after: "seen" } },
      });
      expect(items.some((change) => change.record === record && change.kind === "insert")).toBe(
        true,
      );
    });

    it("the log of a table says of a record that has left only that it left", async () => {
      const record = await desk.createIncident();
      await desk.overwrite(record, { title: "while it was Red" });
      await desk.overwrite(record, { group: "Blue" });
      const after = await desk.commands.readChanges(rowsOfRed, { table, limit: 5_000 });
      const own = after.items.filter((change) => change.record === record);
      expect(own.map(({ kind, set }) => [kind, set])).toEqual([["delete", {}]]);
      await desk.overwrite(record, { group: "Red" });
      const again = await desk.commands.readChanges(rowsOfRed, { table, limit: 5_000 });
      expect(JSON.stringify(again.items)).toContain("while it was Red");
    });

    it("history names no transition and no reason if the state is hidden", async () => {
      const record = await desk.createIncident();
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

    it("a field derived from a hidden one is hidden on every path", async () => {
      const noImpact = reader({ ...everything, read: { hide: ["impact"] } });
      const { commands } = desk;
      const values = { title: "derived", group: "Red", impact: "1 - High", urgency: "1 - High" };
      const record = "derived";
      await desk.run(boss, { op: "create", table, record, values });
      expect((await commands.readRecord(boss, table, record)).values.priority).toBe("1 - Critical");
      await desk.overwrite(record, { priority: "2 - High" });
      const answers = [
        await commands.readRecord(noImpact, table, record),
        await commands.readPage(noImpact, { table }),
        await commands.readHistory(noImpact, table, record),
        await commands.readChanges(noImpact, { table, limit: 5_000 }),
        await commands.readPage(noImpact, { table, search: "Critical" }).then(({ total }) => total),
      ];
      expect(JSON.stringify(answers)).not.toMatch(/priority|Critical/);
      expect(answers.at(-1)).toBe(0);
      const measures = [{ op: "count" as const }];
      for (const ask of [
        commands.readPage(noImpact, { table, sort: ["priority"] }),
        commands.readPage(noImpact, { table, filter: { field: "priority", op: "isEmpty" } }),
        commands.readPage(noImpact, { table, fields: ["priority"] }),
        commands.readSummary(noImpact, { table, measures, group: "priority" }),
        desk
          .run(noImpact, { op: "update", table, record, set: { priority: "x" }, overwrite: true })
          .then(([result]) => {
            throw new Refusal(result?.ok ? "internal" : (result?.error.code as "internal"));
          }),
      ]) {
        expect(await refusalOf(ask)).toMatchObject({ code: "invalid_request" });
      }
    });
  },
);
