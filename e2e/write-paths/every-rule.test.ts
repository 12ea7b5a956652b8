import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import { TestInstallation } from "../harness/test-installation.ts";
import { addUser, type OpenCore, type TestUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import { Watcher } from "../harness/watcher.ts";
import { initialValues, ruleCases, rulesTable } from "./rules-table.ts";
import { type FieldRefusal, type WritePath, writePathsOf } from "./write-paths.ts";

let installation: TestInstallation;
let ann: TestUser;
let screen: Watcher;
let page: OpenCore;
let writePaths: WritePath[];

beforeAll(async () => {
  installation = await TestInstallation.openInProcess();
  await changeModel((tables) => tables.push(rulesTable));
  await installation.ownerUser.call("POST", "/tables/rules/records", {
    record: "r",
    values: initialValues,
  });
  const other = { needed: "yes", single: "theirs" };
  await installation.ownerUser.call("POST", "/tables/rules/records", {
    record: "other",
    values: other,
  });
  ann = await addUser(installation.server.url, installation.ownerUser, "Ann");
  page = ann.open();
  screen = await Watcher.open(ann, page, "rules");
  writePaths = writePathsOf({ user: ann, url: installation.server.url }, page, "r");
});
afterAll(async () => {
  await screen[Symbol.asyncDispose]();
  await installation[Symbol.asyncDispose]();
});

async function changeModel(edit: (tables: Table[]) => void): Promise<void> {
  const { document } = await installation.ownerUser.call<{ document: Model }>(
    "GET",
    "/model/versions/current",
  );
  edit(document.tables);
  await installation.ownerUser.call("PUT", "/model", document);
}

describe("M13 every rule on every write path: grid, POST /mutations, REST, import, transition", () => {
  it.each(ruleCases)("$what in $field is refused by the rule $rule", async (rule) => {
    const reported: Record<string, FieldRefusal | null> = {};
    for (const writePath of writePaths)
      if (writePath.isFor(rule)) reported[writePath.name] = await writePath.attempt(rule);
    const refusal = {
      code: rule.code,
      rule: rule.rule,
      message: expect.stringMatching(rule.message) as string,
    };
    expect(reported).toEqual(
      Object.fromEntries(Object.keys(reported).map((name) => [name, refusal])),
    );
    expect(Object.keys(reported).length).toBeGreaterThanOrEqual(7);
  });

  it("leaves everything as it was", async () => {
    const { values } = await installation.ownerUser.record("rules", "r");
    expect(values).toMatchObject({ ...initialValues, state: "a", short: null });
    expect((await installation.ownerUser.page("rules")).total).toBe(2);
  });

  it("counts characters as users do, and stores text composed", async () => {
    const values = { needed: "yes", short: "😀".repeat(500), long: "e\u0301" };
    const made = await ann.call<{ values: object }>("POST", "/tables/rules/records", { values });
    expect(made.values).toMatchObject({ short: values.short, long: "é" });
  });

  it("does not drop names that objects inherit anyway, but refuses them", async () => {
    const bodies = [
      '{"values":{"needed":"yes","__proto__":1}}',
      '{"values":{"needed":"yes","json":{"a":[{"__proto__":1}]},"__proto__":1}}',
      '{"values":{"needed":"yes"},"__proto__":{"record":"x"}}',
    ];
    for (const body of bodies) {
      const answer = await fetch(`${installation.server.url}/api/v1/tables/rules/records`, {
        method: "POST",
        headers: { authorization: `Bearer ${ann.token}`, "content-type": "application/json" },
        body,
      });
      const reported = (await answer.json()) as { code: string; message: string };
      expect([answer.status, reported.code]).toEqual([400, "invalid_request"]);
      expect(reported.message).toContain("__proto__");
    }
  });

  it("reveals no more of a link to an unreadable record than of one to a missing record", async () => {
    const grants = { rules: { read: true, update: true }, services: { read: false } };
    const call = { name: "Without services", grants };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", call);
    const restrictedUser = await addUser(
      installation.server.url,
      installation.ownerUser,
      "Blind",
      id,
    );
    for (const link of ["Email", "nowhere"]) {
      const op = { op: "update", table: "rules", record: "r", set: { link }, base: { link: null } };
      const { results } = await restrictedUser.call<{ results: unknown[] }>("POST", "/mutations", {
        id: link,
        ops: [op],
      });
      const fields = { link: { rule: "link", message: "The link points to nothing that exists." } };
      expect(results).toMatchObject([{ ok: false, error: { code: "link_broken", fields } }]);
    }
  });

  it("names what still links to a record to be deleted, to users who may see that link", async () => {
    await ann.call("POST", "/tables/services/records", { values: { name: "Fax" } });
    const edit = { set: { link: "Fax" }, base: { link: null } };
    await ann.call("PATCH", "/tables/rules/records/r", edit);
    const deleteRecord = (caller: TestUser) =>
      caller.call("DELETE", "/tables/services/records/Fax?overwrite=true").catch(String);
    expect(await deleteRecord(ann)).toContain("still_linked");
    expect(await deleteRecord(ann)).toContain("Rules link to this one by The link.");
    const grants = { services: { read: true, delete: true } };
    const { id } = await installation.ownerUser.call<{ id: string }>("POST", "/roles", {
      name: "Only",
      grants,
    });
    const narrow = await addUser(installation.server.url, installation.ownerUser, "Narrow", id);
    expect(await deleteRecord(narrow)).toMatch(/"id":\{"rule":"linked".*still_linked/);
    expect(await deleteRecord(narrow)).not.toMatch(/Rules|The link/);
  });
});

describe("rules that came after the values", () => {
  const named = (tables: Table[], name: string) =>
    tables.at(-1)?.fields.find((field) => field.name === name) as Field;

  it("stop undo and restore too, with field, rule and sentence", async () => {
    const { edits, undo } = page.core;
    const edit = { record: "r", set: { bounded: "50.00" }, base: { bounded: null } };
    expect((await edits.edit("rules", edit).outcome).kind).toBe("confirmed");
    const repeated = { record: "r", set: { bounded: "5.00" }, base: { bounded: "50.00" } };
    expect((await edits.edit("rules", repeated).outcome).kind).toBe("confirmed");
    const values = { needed: "yes", bounded: "60.00" };
    await installation.ownerUser.call("POST", "/tables/rules/records", { record: "gone", values });
    await installation.ownerUser.call("DELETE", "/tables/rules/records/gone?overwrite=true");
    await changeModel((tables) => {
      named(tables, "bounded").maximum = 10;
    });
    const refused = await undo.undo();
    expect(refused).toMatchObject({ done: 0 });
    await until("the value is stored", 60_000, async () => {
      const { values: now } = await installation.ownerUser.record("rules", "r");
      return now.bounded === "5.00";
    });
    const restored = installation.ownerUser.call("POST", "/tables/rules/records/gone/restore");
    await expect(restored).rejects.toThrow(/"bounded":\{"rule":"maximum".*validation_failed/);
  });
});
