import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import { boss, notesHidden, refusalOf, rowsOfRed, table } from "../commands/testing/scoped-desk.ts";
import { ann, type ChangeSetDesk, openChangeSetDesk, rename } from "./testing/change-set-desk.ts";

const withoutNotes = testIdentity("without-notes", notesHidden.subject.role);

describe.each(databases)("partial reverts on $name", (kind) => {
  let at: ChangeSetDesk;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind, [withoutNotes]);
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  const stateOf = async ({ id }: { id: string }) => (await at.sets.one(boss, id)).state;
  /** Applies a revert without the ops on other records than these, and without those that fail. */
  const applyTo = async ({ id }: { id: string }, records: readonly string[]) => {
    const { items } = await at.sets.preview(boss, id, { limit: 100 });
    const skip = items
      .filter(({ record, errors }) => errors.length > 0 || !records.includes(record))
      .map(({ index }) => index);
    expect(await at.sets.apply(boss, id, { skip })).toMatchObject({ state: "applied" });
  };

  it("G4 a set is reverted once several partial reverts together have taken back all of it", async () => {
    const [edited = "", removed = "", moved = ""] = await at.incidents(3);
    const made = `partial-${kind.which}`;
    const { version } = await at.desk.commands.readRecord(boss, table, removed);
    const set = await at.draft([
      rename(edited, "second"),
      { op: "create", table, record: made, values: { title: "new" } },
      { op: "delete", table, record: removed, version },
      rename(moved, "second"),
    ]);
    await at.sets.apply(boss, set.id, {});
    const first = await at.sets.revert(boss, set.id);
    await applyTo(first, [edited, made]);
    expect(await stateOf(set)).toBe("applied");
    await applyTo(await at.sets.revert(boss, set.id), [removed]);
    expect(await stateOf(set)).toBe("applied");
    const last = await at.sets.revert(boss, set.id);
    await applyTo(last, [moved]);
    expect(await stateOf(set)).toBe("reverted");
    expect(await at.valuesOf(moved)).toMatchObject({ title: "first" });
    await applyTo(await at.sets.revert(boss, last.id), [moved]);
    expect(await at.valuesOf(moved)).toMatchObject({ title: "second" });
    expect(await stateOf(set)).toBe("applied");
    expect(await stateOf(last)).toBe("reverted");
  });

  it("G4 reverts of selected changes, and of a reader who sees a part, are partial reverts of their set", async () => {
    const [red, blue] = [await at.desk.createIncident(), await at.desk.createIncident("Blue")];
    const set = await at.draft([rename(red, "second"), rename(blue, "second")]);
    await at.sets.apply(boss, set.id, {});
    const seen = await at.sets.revert(rowsOfRed, set.id);
    await at.sets.apply(rowsOfRed, seen.id, {});
    const change = (await at.changesOf(set)).find(({ record }) => record === blue);
    const changes = [{ table, seq: change?.seq ?? 0 }];
    const selected = await at.sets.create(boss, { revert: { changes } });
    expect(selected).toMatchObject({ reverts: set.id, revertedTitle: "A set" });
    expect(await stateOf(set)).toBe("applied");
    await at.sets.apply(boss, selected.id, {});
    expect(await stateOf(set)).toBe("reverted");
  });

  it("G4 a set is not reverted by parts that leave a later edit, or that write something else", async () => {
    const [edited = "", replaced = ""] = await at.incidents(2);
    const set = await at.draft([rename(edited, "second"), rename(replaced, "second")]);
    await at.sets.apply(boss, set.id, {});
    const part = await at.sets.revert(boss, set.id);
    const { items } = await at.sets.preview(boss, part.id, {});
    const index = items.find(({ record }) => record === replaced)?.index ?? -1;
    const replace = [{ index, op: rename(replaced, "third", "second") }];
    await at.sets.change(boss, part.id, { replace });
    await at.sets.apply(boss, part.id, {});
    expect(await at.valuesOf(replaced)).toMatchObject({ title: "third" });
    expect(await at.valuesOf(edited)).toMatchObject({ title: "first" });
    expect(await stateOf(set)).toBe("applied");
    await at.sets.apply(boss, (await at.sets.revert(boss, part.id)).id, {});
    await at.desk.overwrite(edited, { title: "later" });
    await applyTo(await at.sets.revert(boss, set.id), [edited, replaced]);
    expect(await at.valuesOf(edited)).toMatchObject({ title: "later" });
    expect(await at.valuesOf(replaced)).toMatchObject({ title: "first" });
    expect(await stateOf(set)).toBe("applied");
  });

  it("G4 taken back, back again, and taken back: each set says whether its changes are in effect", async () => {
    const [record = ""] = await at.incidents(1);
    const chain = [await at.draft([rename(record, "second")])];
    await at.sets.apply(boss, chain[0]?.id ?? "", {});
    for (let depth = 0; depth < 3; depth += 1) {
      const next = await at.sets.revert(boss, chain.at(-1)?.id ?? "");
      await at.sets.apply(boss, next.id, {});
      chain.push(next);
    }
    expect(await at.valuesOf(record)).toMatchObject({ title: "first" });
    expect(await Promise.all(chain.map(stateOf))).toEqual([
      ...["reverted", "applied"],
      ...["reverted", "applied"],
    ]);
  });

  it("G4 does not restore a record that somebody else has restored and deleted again", async () => {
    const [record = ""] = await at.incidents(1);
    const { version } = await at.desk.commands.readRecord(boss, table, record);
    const set = await at.draft([{ op: "delete", table, record, version }]);
    await at.sets.apply(boss, set.id, {});
    await at.desk.run(ann, { op: "restore", table, record });
    await at.desk.run(ann, { op: "delete", table, record, overwrite: true });
    const back = await at.sets.revert(boss, set.id);
    const { items } = await at.sets.preview(boss, back.id, {});
    expect(items).toMatchObject([{ record, errors: [{ code: "record_deleted" }] }]);
    expect(await at.sets.apply(boss, back.id, {})).toMatchObject({ state: "draft", applied: 0 });
    expect(await refusalOf(at.valuesOf(record))).toMatchObject({ code: "record_deleted" });
  });

  it("G4 does not restore one that was restored and deleted again after the draft was made", async () => {
    const [record = ""] = await at.incidents(1);
    const { version } = await at.desk.commands.readRecord(boss, table, record);
    const set = await at.draft([{ op: "delete", table, record, version }]);
    await at.sets.apply(boss, set.id, {});
    const back = await at.sets.revert(boss, set.id);
    await at.desk.run(ann, { op: "restore", table, record });
    await at.desk.run(ann, { op: "delete", table, record, overwrite: true });
    expect(await at.sets.apply(boss, back.id, {})).toMatchObject({
      ...{ state: "draft", applied: 0 },
      refused: [{ error: { code: "record_deleted", by: { id: "ann" } } }],
    });
    expect(await refusalOf(at.valuesOf(record))).toMatchObject({ code: "record_deleted" });
  });

  it("G4 restores and changes no record that somebody has created anew, and none twice", async () => {
    const [removed = "", edited = "", back = ""] = await at.incidents(3);
    const versionOf = async (record: string) =>
      (await at.desk.commands.readRecord(boss, table, record)).version;
    const remove = async (record: string) =>
      ({ op: "delete", table, record, version: await versionOf(record) }) as const;
    const set = await at.draft([
      rename(edited, "second"),
      await remove(removed),
      await remove(back),
    ]);
    await at.sets.apply(boss, set.id, {});
    await at.desk.run(ann, { op: "delete", table, record: edited, overwrite: true });
    for (const record of [removed, edited])
      await at.desk.run(ann, { op: "create", table, record, values: { title: "second" } });
    await at.desk.run(ann, { op: "restore", table, record: back });
    const revert = await at.sets.revert(boss, set.id);
    const { items } = await at.sets.preview(boss, revert.id, {});
    const replaced = [{ code: "record_deleted", replaced: true, by: { id: "ann" } }];
    expect(new Map(items.map(({ record, errors }) => [record, errors]))).toMatchObject(
      new Map([
        [back, []],
        [removed, replaced],
        [edited, replaced],
      ]),
    );
    expect(items.find(({ record }) => record === back)).toMatchObject({ status: "unchanged" });
    const skip = items.filter(({ errors }) => errors.length > 0).map(({ index }) => index);
    expect(await at.sets.apply(boss, revert.id, { skip })).toMatchObject({ state: "applied" });
    for (const record of [removed, edited])
      expect(await at.valuesOf(record)).toMatchObject({ title: "second" });
    expect(await stateOf(set)).toBe("applied");
  });

  it("G4 does not delete a new record over an edit that the author of the revert can't see", async () => {
    const record = `unseen-${kind.which}`;
    const from = new Date(Date.now() - 1_000).toISOString();
    const values = { title: "mine" };
    await at.desk.run(withoutNotes, { op: "create", table, record, values });
    await at.desk.overwrite(record, { notes: "theirs" });
    const edit = { set: { title: "mine too" }, overwrite: true } as const;
    await at.desk.run(withoutNotes, { op: "update", table, record, ...edit });
    const call = { revert: { by: withoutNotes.user.id, from, table, record } };
    const { id } = await at.sets.create(withoutNotes, call);
    expect(await at.sets.apply(withoutNotes, id, {})).toMatchObject({ state: "draft", applied: 0 });
    expect(await refusalOf(at.valuesOf(record))).toBeNull();
    expect(await at.valuesOf(record)).toMatchObject({ notes: "theirs" });
  });
});
