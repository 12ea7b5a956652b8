import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import {
  boss,
  everything,
  reader,
  refusalOf,
  rowsOfRed,
  table,
} from "../commands/testing/scoped-desk.ts";
import { ChangeSets } from "./change-sets.ts";
import { type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

describe.each(databases)("change sets on $name", (kind) => {
  let at: ChangeSetDesk;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind);
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  it("G1 previews every op as the commit would evaluate it, and changes nothing", async () => {
    const [one, two, gone] = await Promise.all([1, 2, 3].map(() => at.desk.createIncident()));
    await at.desk.overwrite(two as string, { title: "theirs" });
    const set = await at.draft([
      { op: "create", table, record: "g1-new", values: { title: "new" } },
      rename("g1-new", "renamed", "new"),
      rename(one as string, "first"),
      rename(two as string, "mine"),
      rename(one as string, "x".repeat(501)),
      {
        op: "update",
        table,
        record: one as string,
        set: { state: "Closed" },
        base: { state: "New" },
      },
      { op: "transition", table, record: gone as string, transition: "activate", from: "New" },
      {
        op: "update",
        table,
        record: one as string,
        set: { group: "Nobody" },
        base: { group: "Red" },
      },
    ]);
    const preview = await at.sets.preview(boss, set.id, {});
    expect(preview.counts).toEqual({ create: 1, update: 2, delete: 0, unchanged: 1, error: 4 });
    expect(preview.items.map(({ status, errors }) => errors[0]?.code ?? status)).toEqual([
      "create",
      "update",
      "unchanged",
      "conflict",
      "validation_failed",
      "transition_required",
      "update",
      "link_broken",
    ]);
    expect(preview.items[1]).toMatchObject({
      before: { title: "new" },
      after: { title: "renamed" },
    });
    expect(preview.items[3]?.errors[0]).toMatchObject({
      fields: { title: { base: "first", mine: "mine", theirs: "theirs" } },
    });
    expect(preview.items[6]).toMatchObject({
      before: { state: "New" },
      after: { state: "Active" },
    });
    const page = await at.sets.preview(boss, set.id, { limit: 2, offset: 3 });
    expect(page.items).toEqual(preview.items.slice(3, 5));
    const errors = await at.sets.preview(boss, set.id, { status: "error", limit: 2, offset: 1 });
    expect(errors).toMatchObject({ total: 4, counts: preview.counts });
    expect(errors.items).toEqual(
      preview.items.filter(({ status }) => status === "error").slice(1, 3),
    );
    expect(await refusalOf(at.desk.commands.readRecord(boss, table, "g1-new"))).toMatchObject({
      code: "not_found",
    });
  });

  it("G6 a draft can be changed, given up and removed; afterwards it can't", async () => {
    const record = await at.desk.createIncident();
    const set = await at.draft([]);
    await at.sets.change(boss, set.id, { title: "Better", add: [rename(record, "added")] });
    expect(await at.sets.one(boss, set.id)).toMatchObject({
      title: "Better",
      counts: { update: 1 },
    });
    const beyond = { replace: [{ index: 1, op: rename(record, "x") }] };
    expect(await refusalOf(at.sets.change(boss, set.id, beyond))).toMatchObject({ at: "replace" });
    await at.sets.apply(boss, set.id, {});
    for (const call of [
      () => at.sets.change(boss, set.id, {}),
      () => at.sets.cancel(boss, set.id),
    ]) {
      expect(await refusalOf(call())).toMatchObject({ code: "conflict", state: "applied" });
    }
    expect(await refusalOf(at.sets.remove(boss, set.id))).toMatchObject({ code: "conflict" });
    const other = await at.draft([]);
    expect(await at.sets.cancel(boss, other.id)).toMatchObject({ state: "cancelled" });
    await at.sets.remove(boss, other.id);
    expect(await refusalOf(at.sets.one(boss, other.id))).toMatchObject({ code: "not_found" });
    const tooMany = at.node({ CHANGE_SET_MAX_OPS: 1 });
    const ops = [rename(record, "a"), rename(record, "b")];
    expect(await refusalOf(tooMany.create(boss, { ops }))).toMatchObject({ code: "too_large" });
  });

  it("G5 shows others only what was applied, within their scopes, and no draft", async () => {
    const red = await at.desk.createIncident("Red");
    const blue = await at.desk.createIncident("Blue");
    const set = await at.draft([
      rename(red, "public"),
      rename(blue, "canary of blue"),
      { op: "update", table, record: red, set: { notes: "canary" }, base: { notes: "secret" } },
    ]);
    const noNotes = reader({ ...everything, read: { filter: groupRed, hide: ["notes"] } });
    expect(await refusalOf(at.sets.one(noNotes, set.id))).toMatchObject({ code: "not_found" });
    await at.sets.apply(boss, set.id, {});
    const info = await at.sets.one(noNotes, set.id);
    expect(info).toMatchObject({ counts: { update: 1 }, progress: { total: 1, applied: 1 } });
    const preview = await at.sets.preview(noNotes, set.id, {});
    expect(preview).toMatchObject({
      total: 1,
      items: [{ record: red, after: { title: "public" } }],
    });
    const listed = await at.sets.list(noNotes, {});
    expect(JSON.stringify([info, preview, listed])).not.toMatch(/canary|secret|blue/i);
    const noHistory = reader({ ...everything, read: true, history: false });
    expect(await refusalOf(at.sets.one(noHistory, set.id))).toMatchObject({ code: "not_found" });
    await at.desk.overwrite(blue, { group: "Red" });
    const entered = await at.sets.preview(noNotes, set.id, {});
    expect(JSON.stringify(entered)).not.toMatch(/canary/);
    await at.desk.overwrite(blue, { group: "Blue" });
    const ofBlueOnly = await at.draft([rename(blue, "more", "canary of blue")]);
    await at.sets.apply(boss, ofBlueOnly.id, {});
    expect(await refusalOf(at.sets.one(noNotes, ofBlueOnly.id))).toMatchObject({
      code: "not_found",
    });
    for (const call of [
      () => at.sets.apply(noNotes, set.id, {}),
      () => at.sets.cancel(noNotes, set.id),
      () => at.sets.change(noNotes, set.id, { title: "theirs" }),
      () => at.sets.remove(noNotes, set.id),
    ]) {
      expect(await refusalOf(call())).toMatchObject({ code: "forbidden" });
    }
    const back = await at.sets.revert(noNotes, set.id);
    expect(back.counts).toEqual({ create: 0, update: 1, delete: 0 });
  });

  it("G2 refuses a change that writes one op twice, and values that can't be stored", async () => {
    const [record = ""] = await at.incidents(1);
    const set = await at.draft([rename(record, "mine", "other")]);
    const resolution = { index: 0, field: "title", keep: "mine", theirs: "first" } as const;
    const replacement = { index: 0, op: rename(record, "again") };
    for (const call of [
      { replace: [replacement, replacement] },
      { replace: [replacement], resolve: [resolution] },
      { resolve: [{ ...resolution, theirs: "\0" }] },
      { resolve: [{ ...resolution, theirs: ["\ud800"] }] },
    ]) {
      const refusal = await refusalOf(at.sets.change(boss, set.id, call));
      expect(refusal).toMatchObject({ code: "invalid_request", index: 0 });
    }
    const { version } = await at.sets.one(boss, set.id);
    expect(version).toBe(set.version);
    await at.sets.change(boss, set.id, { resolve: [resolution] });
    expect(await at.sets.apply(boss, set.id, {})).toMatchObject({ applied: 1 });
  });

  it("G5 shows its author nothing of a record that went out of reach", async () => {
    const record = await at.desk.createIncident("Red");
    const set = await at.sets.create(rowsOfRed, { ops: [rename(record, "mine")] });
    await at.desk.overwrite(record, { title: "canary", group: "Blue" });
    const preview = await at.sets.preview(rowsOfRed, set.id, {});
    expect(preview.items).toMatchObject([
      { before: null, after: null, errors: [{ code: "not_found" }] },
    ]);
    const answer = await at.sets.apply(rowsOfRed, set.id, { atomic: false });
    expect(answer).toMatchObject({ applied: 0, refused: [{ error: { code: "not_found" } }] });
    expect(JSON.stringify([preview, answer])).not.toContain("canary");
    expect((await at.sets.one(rowsOfRed, set.id)).progress.total).toBe(0);
  });

  it("G5 shows a revert's author who has other rights by now that it is there, and nothing of it", async () => {
    const [record = ""] = await at.incidents(1);
    const own = {
      ...rowsOfRed,
      actor: "user:outdated",
      user: { ...rowsOfRed.user, id: "outdated" },
    };
    const set = await at.draft([rename(record, "canary")], "canary of the title");
    await at.sets.apply(boss, set.id, {});
    const back = await at.sets.revert(own, set.id);
    expect(back).toMatchObject({ isOwn: true, revertedTitle: "canary of the title" });
    const fewer = { ...own, subject: { ...own.subject, attributes: { group: "Blue" } } };
    const seen = await at.sets.one(fewer, back.id);
    expect(seen).toMatchObject({ isOwn: false, isOutdated: true, state: "draft", title: null });
    const listed = await at.sets.list(fewer, { state: "draft" });
    expect(listed.map(({ id }) => id)).toEqual([back.id]);
    const preview = await at.sets.preview(fewer, back.id, {});
    expect(preview).toMatchObject({ total: 0, items: [] });
    expect(JSON.stringify([seen, listed, preview])).not.toContain("canary");
    for (const call of [
      () => at.sets.apply(fewer, back.id, {}),
      () => at.sets.change(fewer, back.id, { add: [] }),
    ]) {
      expect(await refusalOf(call())).toMatchObject({ code: "conflict", state: "draft" });
    }
    expect(await at.sets.one(own, back.id)).toMatchObject({ isOwn: true, isOutdated: false });
    expect(await at.sets.cancel(fewer, back.id)).toMatchObject({ state: "cancelled" });
    await at.sets.remove(fewer, back.id);
    expect(await refusalOf(at.sets.one(own, back.id))).toMatchObject({ code: "not_found" });
  });

  it("reports no error at each interval in which the database can't be reached", async () => {
    const failing = (code: string) => {
      let calls = 0;
      const errors: unknown[] = [];
      const failed = () => {
        calls += 1;
        throw Object.assign(new Error(code), { code });
      };
      const kysely = new Proxy({}, { get: failed }) as typeof at.desk.database.kysely;
      const sets = new ChangeSets({
        database: { ...at.desk.database, kysely },
        model: () => at.desk.model,
        commands: at.desk.commands,
        limits: { ...defaultLimits, CHANGE_SET_RESUME_INTERVAL_MS: 20 },
        identify: async () => boss,
        onError: (error) => errors.push(error),
      });
      return { stop: sets.start(), errors, wasTried: () => calls >= 6 };
    };
    for (const [code, isReported] of [
      ["ECONNREFUSED", false],
      ["42P01", true],
    ] as const) {
      const { stop, errors, wasTried } = failing(code);
      await until("it was tried three times", 60_000, wasTried);
      await stop();
      expect(errors.length > 0, code).toBe(isReported);
    }
  });
});

const groupRed = { field: "group", op: "eq", value: "$me.group" } as const;
