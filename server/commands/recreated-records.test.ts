import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import type { OpResult } from "../../shared/protocol/mutate.ts";
import type { Op } from "./op.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

const ann = testIdentity("ann");
const bob = testIdentity("bob");
const table = "incidents";

describe.each(databases)("a record that was created anew under its id, on $name", (kind) => {
  let environment: CommandEnvironment;
  let next = 0;
  let record = "";
  const values = { title: "ann's" };
  beforeAll(async () => {
    environment = await createCommandEnvironment(kind);
  });
  beforeEach(async () => {
    record = `anew${next++}`;
    await run(ann, { op: "create", table, record, values: { title: "first" } });
  });
  afterAll(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const run = async (by: typeof ann, op: Op) => (await environment.run(by, op))[0] as OpResult;
  const versionOf = (result: OpResult) => (result.ok ? result.version : "");
  const remove = () => ({ op: "delete", table, record, overwrite: true }) as const;
  const restore = (version?: string) =>
    ({ op: "restore", table, record, ...(version && { version }) }) as const;
  const create = () => ({ op: "create", table, record, values }) as const;
  const back = (version: string): Op => ({
    ...({ op: "update", table, record, version } as const),
    ...{ set: { title: "first" }, base: { title: "ann's" } },
  });
  const edit = () =>
    run(ann, { op: "update", table, record, set: values, base: { title: "first" } });
  const title = async () =>
    (await environment.commands.readRecord(ann, table, record)).values.title;

  it("M24 is another one than that whose version an update or a transition names", async () => {
    const edited = versionOf(await edit());
    const activate = { op: "transition", table, record, transition: "activate" } as const;
    await run(bob, remove());
    await run(bob, create());
    const replaced = {
      code: "record_deleted",
      by: { id: "bob" },
      restorable: false,
      replaced: true,
    };
    expect(await run(ann, back(edited))).toMatchObject({ ok: false, error: replaced });
    expect(await run(ann, { ...activate, from: "New", version: edited })).toMatchObject({
      error: replaced,
    });
    expect(await title()).toBe("ann's");
    // Without a version it is the record of that id.
    expect(await run(ann, { ...activate, from: "New" })).toMatchObject({ ok: true });
  });

  it("M24 is still the same after it was restored, also several times", async () => {
    const edited = versionOf(await edit());
    for (const by of [bob, ann]) {
      await run(bob, remove());
      await run(by, restore());
    }
    expect(await run(ann, back(edited))).toMatchObject({ ok: true });
    expect(await title()).toBe("first");
  });

  it("M24 is another one also after that one was deleted and restored", async () => {
    const edited = versionOf(await edit());
    await run(bob, remove());
    await run(bob, create());
    await run(bob, remove());
    await run(bob, restore());
    expect(await run(ann, back(edited))).toMatchObject({ error: { code: "record_deleted" } });
    expect(await title()).toBe("ann's");
  });

  it("M24 names who created the record that has the id now", async () => {
    const edited = versionOf(await edit());
    for (const by of [ann, bob]) {
      await run(bob, remove());
      await run(by, create());
    }
    const error = { code: "record_deleted", by: { id: "bob" }, replaced: true };
    expect(await run(ann, back(edited))).toMatchObject({ error });
    await run(ann, remove());
    await run(ann, restore());
    expect(await run(ann, back(edited))).toMatchObject({ error });
  });

  it("M24 takes no version that is none, and knows none of a lost history", async () => {
    const edited = versionOf(await edit());
    expect(await run(ann, back("?"))).toMatchObject({ error: { code: "invalid_request" } });
    const beyond = edited.replace(/\d+$/, "999999999");
    expect(await run(ann, back(beyond))).toMatchObject({ ok: true });
  });

  it("M19 is not what a restore of the deletion brings back, and who has restored it is named", async () => {
    const first = versionOf(await run(ann, remove()));
    await run(bob, restore());
    const again = { ok: true, unchanged: true, by: { kind: "user", id: "bob" } };
    expect(await run(ann, restore(first))).toMatchObject(again);
    // Somebody edits it: the same record, still.
    await run(bob, { op: "update", table, record, set: { title: "b" }, base: { title: "first" } });
    expect(await run(ann, restore(first))).toMatchObject(again);
    const second = versionOf(await run(ann, remove()));
    await run(bob, create());
    expect(await run(ann, restore(second))).toMatchObject({
      ok: false,
      error: { code: "record_deleted", by: { id: "bob" }, restorable: false, replaced: true },
    });
    // Without a version, what exists is left unchanged.
    const plain = await run(ann, restore());
    expect(plain).toMatchObject({ ok: true, unchanged: true });
    expect(plain).not.toHaveProperty("by");
  });
});
