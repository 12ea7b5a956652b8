import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Field, Model, Table } from "../../shared/model/model.ts";
import { Desk } from "../harness/desk.ts";
import { addPerson, type OpenCore, type Person } from "../harness/person.ts";
import { until } from "../harness/until.ts";
import { Watcher } from "../harness/watcher.ts";
import { type Door, doorsOf, type Refused } from "./doors.ts";
import { ruleCases, rulesTable, standing } from "./rules-table.ts";

let desk: Desk;
let ann: Person;
let screen: Watcher;
let page: OpenCore;
let doors: Door[];

beforeAll(async () => {
  desk = await Desk.open();
  await changeModel((tables) => tables.push(rulesTable));
  await desk.boss.call("POST", "/tables/rules/records", { record: "r", values: standing });
  const other = { needed: "yes", single: "theirs" };
  await desk.boss.call("POST", "/tables/rules/records", { record: "other", values: other });
  ann = await addPerson(desk.server.url, desk.boss, "Ann");
  page = ann.open();
  screen = await Watcher.open(ann, page, "rules");
  doors = doorsOf({ person: ann, url: desk.server.url }, page, "r");
});
afterAll(async () => {
  await screen[Symbol.asyncDispose]();
  await desk[Symbol.asyncDispose]();
});

async function changeModel(edit: (tables: Table[]) => void): Promise<void> {
  const { document } = await desk.boss.call<{ document: Model }>("GET", "/model/versions/current");
  edit(document.tables);
  await desk.boss.call("PUT", "/model", document);
}

describe("M13 every rule at every door: grid, POST /mutations, REST, import, transition", () => {
  it.each(ruleCases)("$what in $field is refused by the rule $rule", async (rule) => {
    const told: Record<string, Refused | null> = {};
    for (const door of doors) if (door.isFor(rule)) told[door.name] = await door.tries(rule);
    const refusal = {
      code: rule.code,
      rule: rule.rule,
      message: expect.stringMatching(rule.message) as string,
    };
    expect(told).toEqual(Object.fromEntries(Object.keys(told).map((name) => [name, refusal])));
    expect(Object.keys(told).length).toBeGreaterThanOrEqual(7);
  });

  it("leaves everything as it was", async () => {
    const { values } = await desk.boss.record("rules", "r");
    expect(values).toMatchObject({ ...standing, state: "a", short: null });
    expect((await desk.boss.page("rules")).total).toBe(2);
  });

  it("counts characters as people do, and keeps text composed", async () => {
    const values = { needed: "yes", short: "😀".repeat(500), long: "e\u0301" };
    const made = await ann.call<{ values: object }>("POST", "/tables/rules/records", { values });
    expect(made.values).toMatchObject({ short: values.short, long: "é" });
  });

  it("does not drop what objects seem to have anyway, but says no", async () => {
    const bodies = [
      '{"values":{"needed":"yes","__proto__":1}}',
      '{"values":{"needed":"yes","json":{"a":[{"__proto__":1}]}}}',
      '{"values":{"needed":"yes"},"__proto__":{"record":"x"}}',
    ];
    for (const body of bodies) {
      const answer = await fetch(`${desk.server.url}/api/v1/tables/rules/records`, {
        method: "POST",
        headers: { authorization: `Bearer ${ann.token}`, "content-type": "application/json" },
        body,
      });
      const told = (await answer.json()) as { code: string; message: string };
      expect([answer.status, told.code]).toEqual([400, "invalid_request"]);
      expect(told.message).toContain("__proto__");
    }
  });

  it("tells no more of a link to what its author may not read than of one that leads nowhere", async () => {
    const grants = { rules: { read: true, update: true }, services: { read: false } };
    const call = { name: "Without services", grants };
    const { id } = await desk.boss.call<{ id: string }>("POST", "/roles", call);
    const blind = await addPerson(desk.server.url, desk.boss, "Blind", id);
    for (const link of ["Email", "nowhere"]) {
      const op = { op: "update", table: "rules", record: "r", set: { link }, base: { link: null } };
      const { results } = await blind.call<{ results: unknown[] }>("POST", "/mutations", {
        id: link,
        ops: [op],
      });
      const fields = { link: { rule: "link", message: "The link points to nothing that exists." } };
      expect(results).toMatchObject([{ ok: false, error: { code: "link_broken", fields } }]);
    }
  });

  it("names what still links to a record that shall go, to those who may know of it", async () => {
    await ann.call("POST", "/tables/services/records", { values: { name: "Fax" } });
    const edit = { set: { link: "Fax" }, base: { link: null } };
    await ann.call("PATCH", "/tables/rules/records/r", edit);
    const gone = (who: Person) =>
      who.call("DELETE", "/tables/services/records/Fax?overwrite=true").catch(String);
    expect(await gone(ann)).toContain("still_linked");
    expect(await gone(ann)).toContain("Rules link to this one by The link.");
    const grants = { services: { read: true, delete: true } };
    const { id } = await desk.boss.call<{ id: string }>("POST", "/roles", { name: "Only", grants });
    const narrow = await addPerson(desk.server.url, desk.boss, "Narrow", id);
    expect(await gone(narrow)).toMatch(/"id":\{"rule":"linked".*still_linked/);
    expect(await gone(narrow)).not.toMatch(/Rules|The link/);
  });
});

describe("rules that came after the values", () => {
  const named = (tables: Table[], name: string) =>
    tables.at(-1)?.fields.find((field) => field.name === name) as Field;

  it("stop undo and restore too, with field, rule and sentence", async () => {
    const { edits, undo } = page.core;
    const edit = { record: "r", set: { bounded: "50.00" }, base: { bounded: null } };
    expect((await edits.edit("rules", edit).outcome).kind).toBe("confirmed");
    const again = { record: "r", set: { bounded: "5.00" }, base: { bounded: "50.00" } };
    expect((await edits.edit("rules", again).outcome).kind).toBe("confirmed");
    const values = { needed: "yes", bounded: "60.00" };
    await desk.boss.call("POST", "/tables/rules/records", { record: "gone", values });
    await desk.boss.call("DELETE", "/tables/rules/records/gone?overwrite=true");
    await changeModel((tables) => {
      named(tables, "bounded").maximum = 10;
    });
    const refused = await undo.undo();
    expect(refused).toMatchObject({ done: 0 });
    await until("the value stands", 5_000, async () => {
      const { values: now } = await desk.boss.record("rules", "r");
      return now.bounded === "5.00";
    });
    const restored = desk.boss.call("POST", "/tables/rules/records/gone/restore");
    await expect(restored).rejects.toThrow(/"bounded":\{"rule":"maximum".*validation_failed/);
  });
});
