import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { FILTER_MAX_VALUES } from "../../shared/filter/filter.ts";
import { importOptionsSchema } from "../../shared/protocol/imports.ts";
import type { Identity } from "../auth/identity.ts";
import { boss, everything, ofRed, reader, table } from "../commands/testing/scoped-desk.ts";
import { ann, type ChangeSetDesk, openChangeSetDesk } from "./testing/change-set-desk.ts";

const ofRedOnly = reader({ ...everything, read: { filter: ofRed } }, { groups: { read: true } });
const titlesHidden = reader({ ...everything, read: { hide: ["title"] } });
const isTaken = { code: "duplicate", fields: { title: { rule: "unique" } } };

describe.each(databases)("a draft of a file with a key, on $name", (kind) => {
  let at: ChangeSetDesk;
  let serial = 0;
  beforeAll(async () => {
    at = await openChangeSetDesk(kind, [ofRedOnly]);
  });
  beforeEach(() => {
    serial += 1;
  });
  afterAll(async () => {
    expect(at.desk.errors).toEqual([]);
    await at.desk[Symbol.asyncDispose]();
  });

  const titleOf = (name: string) => `${name} ${kind.which} ${serial}`;
  /** A draft of new records, recognised by their titles, which no constraint makes unique. */
  const draftOf = (identity: Identity, names: readonly string[], category = "Network") =>
    draftOfTitles(identity, names.map(titleOf), category);
  const draftOfTitles = async (
    identity: Identity,
    titles: readonly string[],
    category = "Network",
    made: "created" | "updated" = "created",
  ) => {
    const { id } = await at.sets.create(identity, { title: "A file" });
    const rows = titles.map((title) => `${title},Red,${category}\n`);
    const csv = `title,group,category\n${rows.join("")}`;
    const report = await at.sets.importIntoDraft(identity, id, {
      table,
      options: importOptionsSchema.parse({ key: "title" }),
      open: async function* () {
        yield Buffer.from(csv);
      },
      currentIdentity: async () => identity,
      users: async () => [],
    });
    expect(report).toMatchObject({ [made]: titles.length, failed: 0 });
    return id;
  };
  const create = (identity: Identity, name: string, group = "Red") =>
    at.desk.run(identity, {
      ...{ op: "create", table, record: `${name}-${kind.which}-${serial}` },
      values: { title: titleOf(name), group },
    });
  const countOf = async (name: string) => {
    const filter = { field: "title", op: "eq", value: titleOf(name) } as const;
    return (await at.desk.commands.readPage(boss, { table, filter, limit: 10 })).records.length;
  };

  it("G7 creates no second record for a key that somebody used after the draft was made", async () => {
    const id = await draftOf(boss, ["one", "two"]);
    await create(ann, "one");
    expect(await at.sets.preview(boss, id, {})).toMatchObject({
      counts: { create: 1, error: 1 },
      items: [{ status: "error", errors: [isTaken] }, { status: "create" }],
    });
    expect(await at.sets.apply(boss, id, {})).toMatchObject({
      ...{ state: "draft", applied: 0 },
      refused: [{ index: 0, error: isTaken }],
    });
    expect(await at.sets.apply(boss, id, { skip: [0] })).toMatchObject({ state: "applied" });
    expect([await countOf("one"), await countOf("two")]).toEqual([1, 1]);
  });

  it("G7 refuses it under the lock of the commit, too, where nothing was evaluated before", async () => {
    const id = await draftOf(boss, ["one", "two"]);
    await create(ann, "two");
    expect(await at.sets.apply(boss, id, { atomic: false })).toMatchObject({
      ...{ state: "applied", applied: 1 },
      refused: [{ index: 1, error: isTaken }],
    });
    expect([await countOf("one"), await countOf("two")]).toEqual([1, 1]);
  });

  it("G7 creates one record for a key that two drafts have, applied at once by two servers", async () => {
    const names = Array.from({ length: 5 }, (_, n) => `both ${n}`);
    // Rows of other content are records of other ids.
    const ids = [await draftOf(boss, names), await draftOf(ann, names, "Email")] as const;
    const other = at.node({}, at.desk.openNode());
    await Promise.all([
      at.sets.apply(boss, ids[0], { atomic: false }),
      other.apply(ann, ids[1], { atomic: false }),
    ]);
    expect(await Promise.all(names.map(countOf))).toEqual(names.map(() => 1));
  });

  it("G7 knows a key as a text, also where another key is spelt like a variable of a filter", async () => {
    const titles = [titleOf("plain"), "$me", "$me.group", "$now", "$today"];
    const id = await draftOfTitles(boss, titles);
    await create(ann, "plain");
    const refused = [{ index: 0, error: isTaken }];
    expect(await at.sets.apply(boss, id, {})).toMatchObject({ state: "draft", refused });
    const atOnce = { atomic: false };
    expect(await at.sets.apply(boss, id, atOnce)).toMatchObject({ applied: 4, refused });
    const keyed = { op: "create", table, key: "title" } as const;
    const results = await at.desk.run(
      boss,
      ...titles.map((title) => ({ ...keyed, values: { title, group: "Red" } })),
    );
    expect(results).toMatchObject(titles.map(() => ({ error: isTaken })));
  });

  it("G7 changes no record whose key was given to another one after the draft was made", async () => {
    const [same, moved] = ["same", "moved"];
    for (const name of [same, moved]) await create(boss, name);
    const titles = [same, moved].map(titleOf);
    const id = await draftOfTitles(boss, titles, "Email", "updated");
    const record = `${moved}-${kind.which}-${serial}`;
    await at.desk.overwrite(record, { title: titleOf("renamed") });
    const title = { base: titleOf(moved), mine: titleOf(moved), theirs: titleOf("renamed") };
    const conflicts = [{ index: 1, fields: { title } }];
    expect(await at.sets.preview(boss, id, {})).toMatchObject({ counts: { update: 1, error: 1 } });
    expect(await at.sets.apply(boss, id, {})).toMatchObject({ state: "draft", conflicts });
    const applied = await at.sets.apply(boss, id, { atomic: false });
    expect(applied).toMatchObject({ state: "applied", applied: 1, conflicts });
    expect(await at.valuesOf(record)).toMatchObject({ category: null });
  });

  it.each([
    ["mine", "Email"],
    ["theirs", null],
  ] as const)(
    "G7 changes a record that has another key now if its author keeps %s",
    async (keep, category) => {
      await create(boss, "moved");
      const id = await draftOfTitles(boss, [titleOf("moved")], "Email", "updated");
      const record = `moved-${kind.which}-${serial}`;
      const theirs = titleOf("renamed");
      await at.desk.overwrite(record, { title: theirs });
      await at.sets.change(boss, id, { resolve: [{ index: 0, field: "title", keep, theirs }] });
      expect(await at.sets.apply(boss, id, {})).toMatchObject({ state: "applied" });
      expect(await at.valuesOf(record)).toMatchObject({ title: theirs, category });
      const { items } = await at.sets.preview(boss, id, {});
      expect(items.map(({ before }) => before)).toEqual([
        keep === "mine" ? { category: null } : {},
      ]);
    },
  );

  it("G7 leaves a record that has another key now as it is, in whatever order its conflicts are decided", async () => {
    for (const inOrder of [true, false]) {
      const name = `both-${inOrder}`;
      await create(boss, name);
      const id = await draftOfTitles(boss, [titleOf(name)], "Email", "updated");
      const theirs = { title: titleOf(`renamed-${inOrder}`), category: "Network" };
      const record = `${name}-${kind.which}-${serial}`;
      await at.desk.overwrite(record, theirs);
      const keep = "theirs" as const;
      const decided = Object.entries(theirs).map(([field, value]) => ({
        ...{ index: 0, field, keep, theirs: value },
      }));
      const resolve = inOrder ? decided : decided.toReversed();
      await at.sets.change(boss, id, { resolve });
      expect(await at.sets.apply(boss, id, {})).toMatchObject({ state: "applied" });
      expect(await at.valuesOf(record)).toMatchObject(theirs);
    }
  });

  it("G7 says nothing of records that its author may not read", async () => {
    const id = await draftOf(ofRedOnly, ["hidden"]);
    await create(boss, "hidden", "Blue");
    expect(await at.sets.apply(ofRedOnly, id, {})).toMatchObject({ state: "applied", applied: 1 });
  });

  it("G7 asks for no more keys at once than a filter may name, however long a page may be", async () => {
    const names = Array.from({ length: FILTER_MAX_VALUES + 1 }, (_, n) => `of many ${n}`);
    const id = await draftOf(boss, names);
    const limits = { PAGE_MAX_RECORDS: names.length };
    const preview = await at.node(limits, at.desk.openNode(limits)).preview(boss, id, { limit: 1 });
    expect(preview).toMatchObject({ counts: { create: names.length } });
  });

  it("G7 previews a draft whose author can no longer read the key", async () => {
    const id = await draftOf(ofRedOnly, ["lost", "lost too"]);
    expect(await at.sets.preview(titlesHidden, id, {})).toMatchObject({ counts: { error: 2 } });
  });

  it("G7 takes a key that an earlier op of the same mutation has given up, and none that one has taken", async () => {
    await create(boss, "free");
    const record = `free-${kind.which}-${serial}`;
    const keyed = (name: string) => {
      const values = { title: titleOf(name), group: "Red" };
      return { op: "create", table, key: "title", values } as const;
    };
    const set = { title: titleOf("taken") };
    const results = await at.desk.run(
      boss,
      keyed("free"),
      { op: "update", table, record, set, overwrite: true },
      keyed("free"),
      keyed("taken"),
    );
    expect(results).toMatchObject([
      { error: isTaken },
      { ok: true },
      { ok: true },
      { error: isTaken },
    ]);
  });
});
