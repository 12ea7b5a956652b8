import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import {
  type Field,
  findField,
  findTable,
  type Model,
  type Table,
} from "../../shared/model/model.ts";
import { serviceDesk } from "../model/templates/service-desk.ts";
import { installCapture } from "../store/capture.ts";
import { readSpan } from "../store/feed-log.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann");
const bob = testIdentity("bob");
const table = "incidents";

/** An environment in which a group may be deleted though incidents link to it. */
function unlinking(): Model {
  const model = structuredClone(serviceDesk);
  fieldOf(model, "group").onDelete = "unlink";
  return model;
}

/** The model says that notes were formerly called remarks. */
async function renameNotes({ database, model }: CommandEnvironment): Promise<void> {
  fieldOf(model, "notes").column = "remarks";
  await database.pool.query("alter table incidents rename column notes to remarks");
  await installCapture(database.kysely, findTable(model, table) as Table);
}

const fieldOf = (model: Model, name: string) =>
  findField(findTable(model, table) as Table, name) as Field;

describe.each(databases)("P6 the spans that a commit passes on on $name", (kind) => {
  let environment: CommandEnvironment;
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind, unlinking());
    await renameNotes(environment);
    await environment.database.pool.query(`insert into watchfloor."user" (id, email, name, colour, role, status)
      values ('ann', 'ann@example.com', 'Ann Other', 'teal', 'editor', 'active')`);
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  /** The reported spans of the commits since, each beside the log's content. */
  async function committedSince(since: number) {
    const spans = environment.committed
      .slice(since)
      .flatMap((feeds) => feeds.map(({ span }) => span));
    const logged = await Promise.all(
      spans.map(async (span) => {
        if (!span) return null;
        const { table, from, changes } = span;
        const read = await readSpan(environment.database, table, from, changes.length);
        if (!read) return null;
        const { head, ...stored } = read;
        expect(head).toBeGreaterThanOrEqual(stored.to);
        return stored;
      }),
    );
    return { spans, logged };
  }

  it("equals the log: creates, edits, transitions, deletes and cleared links", async () => {
    const update = (set: Record<string, string>) =>
      ({ op: "update", table, record: "a", set, base: { notes: null } }) as const;
    await environment.run(ann, { op: "create", table: "groups", values: { name: "Network" } });
    await environment.run(ann, { op: "create", table, record: "a", values: { group: "Network" } });
    await environment.run(bob, update({ notes: "by somebody without a name" }));
    await environment.run(bob, {
      op: "transition",
      table,
      record: "a",
      transition: "activate",
      from: "New",
      reason: "urgent",
    });
    await environment.run(ann, {
      op: "delete",
      table: "groups",
      record: "Network",
      overwrite: true,
    });
    await environment.run(ann, { op: "delete", table, record: "a", overwrite: true });
    const { spans, logged } = await committedSince(0);
    expect(spans).toEqual(logged);
    const tables = environment.committed.map((feeds) => feeds.map((feed) => feed.table).sort());
    expect(tables).toEqual([["groups"], [table], [table], [table], ["groups", table], [table]]);
    expect(spans[1]?.changes[0]?.by).toEqual({ kind: "user", id: "ann", name: "Ann Other" });
    expect(spans[3]?.changes[0]).toMatchObject({ transition: "activate", reason: "urgent" });
    expect(spans[2]?.changes[0]?.before).toEqual({ notes: null });
  });

  it("equals the log even if the database refused the group and each mutation ran alone", async () => {
    const since = environment.committed.length;
    const create = (record: string, number: string) =>
      environment.run(ann, { op: "create", table, record, values: { number } });
    await Promise.all([create("b", "INC1"), create("c", "INC1"), create("d", "INC2")]);
    const { spans, logged } = await committedSince(since);
    expect(spans.flatMap((span) => span?.changes.map(({ record }) => record))).toEqual(["b", "d"]);
    expect(spans).toEqual(logged);
  });

  it("names only the feed if it has more changes than one answer holds", async () => {
    const since = environment.committed.length;
    const ops = Array.from({ length: 501 }, (_, n) => {
      return { op: "create", table, record: `many-${n}`, values: {} } as const;
    });
    const results = await environment.run(ann, ...ops);
    expect(results.every((result) => result.ok && result.seq > 0)).toBe(true);
    expect(environment.committed.slice(since)).toEqual([[{ table, span: null }]]);
  });

  it("is empty if nothing was changed", async () => {
    const since = environment.committed.length;
    await environment.run(ann, {
      op: "update",
      table,
      record: "many-1",
      set: { title: null },
      base: { title: null },
    });
    expect(environment.committed.slice(since)).toEqual([]);
  });
});
