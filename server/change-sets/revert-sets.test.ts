import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { boss, notesHidden, refusalOf, rowsOfRed, table } from "../commands/testing/scoped-desk.ts";
import { ann, type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

/** Sees all records, and not the notes. */
const withoutNotes = testIdentity("without-notes", notesHidden.subject.role);

describe.each(databases)("reverting change sets on $name", (kind) => {
  let at: ChangeSetDesk;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind, [withoutNotes]);
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  it("G4 reverts edits, creations, deletions and transitions; a revert of the revert ends where it began", async () => {
    const [edited, removed, moved] = await Promise.all(
      [1, 2, 3].map(() => at.desk.createIncident()),
    );
    const version = (await at.desk.commands.readRecord(boss, table, removed as string)).version;
    const set = await at.draft([
      rename(edited as string, "second"),
      { op: "create", table, record: "g4-new", values: { title: "new" } },
      { op: "delete", table, record: removed as string, version },
      { op: "transition", table, record: moved as string, transition: "activate", from: "New" },
    ]);
    await at.sets.apply(boss, set.id, {});
    const back = await at.sets.revert(boss, set.id);
    expect(back).toMatchObject({ state: "draft", reverts: set.id, origin: "revert" });
    expect(back).toMatchObject({ title: null, revertedTitle: "A set" });
    const preview = await at.sets.preview(boss, back.id, {});
    expect(preview.counts.update + preview.counts.create + preview.counts.delete).toBe(
      preview.total - preview.counts.error,
    );
    const failed = preview.items.filter(({ errors }) => errors.length).map(({ index }) => index);
    expect(await at.sets.apply(boss, back.id, { skip: failed })).toMatchObject({
      state: "applied",
    });
    expect((await at.valuesOf(edited as string)).title).toBe("first");
    expect((await at.valuesOf(removed as string)).title).toBe("first");
    expect(await refusalOf(at.desk.commands.readRecord(boss, table, "g4-new"))).toMatchObject({
      code: "record_deleted",
    });
    const forth = await at.sets.revert(boss, back.id);
    expect(await at.sets.apply(boss, forth.id, {})).toMatchObject({ state: "applied" });
    expect((await at.valuesOf(edited as string)).title).toBe("second");
    expect((await at.valuesOf("g4-new")).title).toBe("new");
    expect(
      await refusalOf(at.desk.commands.readRecord(boss, table, removed as string)),
    ).toMatchObject({
      code: "record_deleted",
    });
  });

  it("G4 touches no later edit: it is named as a conflict, and the other cells are reverted", async () => {
    const record = await at.desk.createIncident();
    const set = await at.draft([
      {
        op: "update",
        table,
        record,
        set: { title: "mine", category: "mine" },
        base: { title: "first", category: null },
      },
    ]);
    await at.sets.apply(boss, set.id, {});
    const later = {
      op: "update",
      table,
      record,
      set: { title: "later" },
      overwrite: true,
    } as const;
    await at.desk.run(ann, later);
    const back = await at.sets.revert(boss, set.id);
    const answer = await at.sets.apply(boss, back.id, {});
    expect(answer).toMatchObject({
      applied: 0,
      conflicts: [{ index: 1, fields: { title: { theirs: "later", by: { id: "ann" } } } }],
    });
    await at.sets.apply(boss, back.id, { skip: [1] });
    expect(await at.valuesOf(record)).toMatchObject({ title: "later", category: null });
    expect((await at.sets.one(boss, set.id)).state).toBe("applied");
  });

  it("G4 reverts one change, a selection, or what somebody did in a span", async () => {
    const record = await at.desk.createIncident();
    const from = new Date().toISOString();
    for (const title of ["one", "two"]) {
      await at.desk.run(ann, { op: "update", table, record, set: { title }, overwrite: true });
    }
    const [last] = await at.desk.commands.readHistory(boss, table, record);
    const one = await at.sets.create(boss, {
      revert: { changes: [{ table, seq: last?.seq ?? 0 }] },
    });
    expect((await at.sets.preview(boss, one.id, {})).items).toMatchObject([
      { before: { title: "two" }, after: { title: "one" } },
    ]);
    const span = await at.sets.create(boss, { revert: { by: "ann", from, record, table } });
    expect((await at.sets.preview(boss, span.id, {})).items).toMatchObject([
      { before: { title: "two" }, after: { title: "first" } },
    ]);
  });

  it("G4 a set is not reverted by who can't see all of its records", async () => {
    const [red, blue] = [await at.desk.createIncident(), await at.desk.createIncident("Blue")];
    const set = await at.draft([rename(red, "second"), rename(blue, "second")]);
    await at.sets.apply(boss, set.id, {});
    const back = await at.sets.revert(rowsOfRed, set.id);
    expect(await at.sets.apply(rowsOfRed, back.id, {})).toMatchObject({
      ...{ state: "applied", applied: 1 },
    });
    expect((await at.valuesOf(red)).title).toBe("first");
    expect((await at.valuesOf(blue)).title).toBe("second");
    expect(await at.sets.one(boss, set.id)).toMatchObject({ state: "applied" });
    const rest = await at.sets.revert(boss, set.id);
    await at.sets.apply(boss, rest.id, {});
    expect((await at.valuesOf(blue)).title).toBe("first");
    expect(await at.sets.one(boss, set.id)).toMatchObject({ state: "reverted" });
  });

  it("G4 a set is not reverted by who can't see a field that it changed", async () => {
    const [one, two] = [await at.desk.createIncident(), await at.desk.createIncident()];
    const both = { title: "second", notes: "second" };
    const ends = [
      [{ ...rename(one, ""), set: both, base: { title: "first", notes: "secret" } }, "applied"],
      [rename(two, "second"), "reverted"],
    ] as const;
    for (const [op, state] of ends) {
      const set = await at.draft([op as WireOp]);
      await at.sets.apply(boss, set.id, {});
      const back = await at.sets.revert(withoutNotes, set.id);
      expect(await at.sets.apply(withoutNotes, back.id, {})).toMatchObject({ applied: 1 });
      expect(await at.sets.one(boss, set.id)).toMatchObject({ state });
    }
    expect(await at.valuesOf(one)).toMatchObject({ title: "first", notes: "second" });
  });

  it("G4 a set is not reverted by a draft whose ops were replaced, and is by one with another title", async () => {
    const record = await at.desk.createIncident();
    const set = await at.draft([rename(record, "second")]);
    await at.sets.apply(boss, set.id, {});
    const replaced = await at.sets.revert(ann, set.id);
    const replace = [{ index: 0, op: rename(record, "second", "second") }];
    await at.sets.change(ann, replaced.id, { replace });
    expect(await at.sets.apply(ann, replaced.id, {})).toMatchObject({ state: "applied" });
    expect((await at.valuesOf(record)).title).toBe("second");
    expect(await at.sets.one(boss, set.id)).toMatchObject({ state: "applied" });
    const titled = await at.sets.revert(ann, set.id);
    await at.sets.change(ann, titled.id, { title: "Back" });
    await at.sets.apply(ann, titled.id, {});
    expect(await at.sets.one(boss, set.id)).toMatchObject({ state: "reverted" });
  });
});
