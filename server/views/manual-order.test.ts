import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import { findTable } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { Move, ViewInfo } from "../../shared/protocol/views.ts";
import { createRandom } from "../../shared/random.ts";
import type { Op } from "../commands/op.ts";
import { testIdentity } from "../commands/testing/command-environment.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../model/testing/model-environment.ts";
import type { Context } from "../store/published-model.ts";
import { sortedIds } from "../store/view-sql.ts";
import {
  addView,
  changeView,
  moveInView,
  oneView,
  removeView,
  resetOrder,
  restoreView,
} from "./views.ts";

const owner = testIdentity("owner", "owner");
const table = "jobs";
const all = { id: "all", name: "All", rights: ["sharedViews"], grants: { "*": { read: true } } };
const mia: Subject = { id: "mia", role: all as Role, attributes: {} };
/** Sees no hidden jobs, and not the field "pay". */
const noa: Subject = {
  ...mia,
  id: "noa",
  role: {
    ...all,
    id: "some",
    grants: {
      jobs: {
        read: { filter: { field: "kind", op: "ne", value: "hidden" }, hide: ["pay"] },
        update: true,
      },
    },
  } as Role,
};
const reader: Subject = { ...mia, role: { ...all, rights: [] } as Role };

describe.each(databases)("the order by hand on $name", (kind) => {
  let environment: ModelEnvironment;
  let views: Context;
  let view: ViewInfo;
  beforeEach(async () => {
    environment = await createModelEnvironment(kind);
    const { database, model } = environment;
    views = { database, model, limits: defaultLimits };
    for (const id of ["mia", "noa", "owner"]) {
      await database.pool.query(
        `insert into watchfloor."user" (id, email, name, colour, role, status)
          values ($1, $1 || '@example.com', $1, 0, 'admin', 'active')`,
        [id],
      );
    }
    await environment.change((next) => {
      next.tables.push(tableOf(table, [fieldOf("title"), fieldOf("kind"), fieldOf("pay")]));
    });
    view = await addView(views, mia, { table, name: "By hand", shared: true });
  });
  afterEach(async () => {
    expect(environment.errors).toEqual([]);
    await environment[Symbol.asyncDispose]();
  });

  const query = async (text: string) => (await environment.database.pool.query(text)).rows;
  const run = async (...ops: Op[]) => {
    const { results } = await environment.commands.mutate(owner, { ops });
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
  };
  const create = (ids: string, values = {}) =>
    run(...[...ids].map((record): Op => ({ op: "create", table, record, values })));
  const remove = (record: string) => run({ op: "delete", table, record, overwrite: true });
  const as = (subject: Subject) => ({ ...owner, subject });
  const read = async (more = {}, subject = owner.subject) => {
    const call = { table, orderOf: view.id, ...more };
    const { records } = await environment.commands.readPage(as(subject), call);
    return records.map(({ id }) => id).join("");
  };
  const move = (records: string, after: string | null, me = mia) =>
    moveInView(views, me, view.id, { moves: [{ records: [...records], after }] });
  const ranks = async () =>
    (await query("select record from watchfloor.record_rank order by record"))
      .map(({ record }) => record)
      .join("");

  it("V7 moves records behind another one, or before all, and leaves the others in the order of entry", async () => {
    await create("abcde");
    expect(await read()).toBe("abcde");
    expect(view.orderVersion).toBeUndefined();
    expect(await move("d", "a")).toMatchObject({ orderVersion: 1, updated: { by: { id: "mia" } } });
    expect(await read()).toBe("adbce");
    await move("ea", null);
    expect(await read()).toBe("eadbc");
    expect(await move("b", "c")).toMatchObject({ orderVersion: 3 });
    expect(await read()).toBe("eadcb");
    await create("f");
    expect(await read()).toBe("eadcbf");
    expect(await read({ orderOf: undefined })).toBe("abcdef");
    expect(await read({ limit: 2, offset: 1 })).toBe("ad");
    expect(await read({ limit: 9, offset: 4 })).toBe("bf");
    expect(await read({ limit: 2, filter: { field: "id", op: "ne", value: "a" } })).toBe("ed");
    expect(await read({ sort: ["-id"] })).toBe("fedcba");
    expect(await read({ sort: ["kind"] })).toBe("eadcbf");
  });

  it("has a record that is deleted and restored where it was", async () => {
    await create("abcd");
    await move("d", "a");
    await remove("d");
    await remove("b");
    await move("c", null);
    await run({ op: "restore", table, record: "d" }, { op: "restore", table, record: "b" });
    expect(await read()).toBe("cadb");
  });

  it("forgets the rank of what is moved back", async () => {
    await create("abcdef");
    await move("e", "a");
    await move("bc", "f");
    expect(await read()).toBe("aedfbc");
    expect(await ranks()).toBe("bce");
    await move("e", "d");
    expect(await read()).toBe("adefbc");
    expect(await ranks()).toBe("bc");
    await move("bc", "a");
    expect(await read()).toBe("abcdef");
    expect(await ranks()).toBe("");
  });

  it("is the one of a list to which the same was done", async () => {
    const { pick } = createRandom(58);
    await create("abcdefghij");
    let list = [..."abcdefghij"];
    const moves: Move[] = [];
    for (let n = 0; n < 120; n++) {
      const records = new Set([pick(list), ...(n % 3 ? [] : [pick(list), pick(list)])]);
      const rest = list.filter((id) => !records.has(id));
      const after = n % 5 ? pick(rest) : null;
      const at = after === null ? 0 : rest.indexOf(after) + 1;
      list = [...rest.slice(0, at), ...records, ...rest.slice(at)];
      moves.push({ records: [...records], after });
    }
    await moveInView(views, mia, view.id, { moves });
    expect(await read()).toBe(list.join(""));
  });

  it("puts any number of records into one place", async () => {
    await create("abcd");
    // Each halves what is left between "a" and the one before.
    const moves = Array.from({ length: 150 }, (_, n) => ({
      records: [n % 2 ? "c" : "d"],
      after: "a",
    }));
    await moveInView(views, mia, view.id, { moves });
    await moveInView(views, mia, view.id, { moves });
    expect(await read()).toBe("acdb");
    const [{ whole }] = (await query(
      "select count(*) filter (where rank = floor(rank))::int as whole from watchfloor.record_rank",
    )) as [{ whole: number }];
    expect(whole).toBe(0);
  });

  it("V7 leaves records that its author may not read where they are, and says nothing of them", async () => {
    await create("ab");
    await create("xy", { kind: "hidden" });
    await create("cd");
    await move("d", "a", noa);
    expect(await read({}, noa)).toBe("adbc");
    expect(await read()).toBe("adbxyc");
    const refused = async (records: string[], after: string | null) =>
      moveInView(views, noa, view.id, { moves: [{ records, after }] }).catch((error) => ({
        ...error,
        message: error.message,
      }));
    const missing = await refused(["none"], null);
    expect(missing).toMatchObject({ code: "not_found" });
    expect(await refused(["x"], null)).toEqual(missing);
    expect(await refused(["a"], "y")).toEqual(missing);
    expect(await refused(["a", "x"], "b")).toEqual(missing);
    expect(await read()).toBe("adbxyc");
  });

  it("is changed by those who may change the view, and read by those who see it", async () => {
    await create("abc");
    await expect(move("c", null, reader)).rejects.toMatchObject({ code: "forbidden" });
    const own = await addView(views, noa, { table, name: "Mine" });
    const others = { moves: [{ records: ["c"], after: null }] };
    await expect(moveInView(views, mia, own.id, others)).rejects.toMatchObject({
      code: "not_found",
    });
    await moveInView(views, noa, own.id, others);
    expect(await read({ orderOf: own.id }, noa)).toBe("cab");
    await expect(read({ orderOf: own.id }, mia)).rejects.toMatchObject({ code: "not_found" });
    await expect(read({ orderOf: "none" }, mia)).rejects.toMatchObject({ code: "not_found" });
    await move("b", null);
    expect(await read({}, noa)).toBe("bac");
    await changeView(views, mia, view.id, { filter: { field: "pay", op: "isEmpty" } });
    await expect(read({}, noa)).rejects.toMatchObject({ code: "not_found" });
    expect(await read({}, mia)).toBe("bac");
    await environment.change(({ tables }) => tables.push(tableOf("other", [fieldOf("title")])));
    await expect(read({ table: "other" })).rejects.toMatchObject({ code: "not_found" });
  });

  it("refuses what would not be seen, and more records than it is for", async () => {
    await create("abc");
    await move("c", null);
    await expect(move("aa", null)).rejects.toMatchObject({ code: "invalid_request" });
    await expect(move("a", "a")).rejects.toMatchObject({ code: "invalid_request" });
    await changeView(views, mia, view.id, { sort: ["title"] });
    await expect(move("a", "b")).rejects.toMatchObject({
      code: "invalid_request",
      message: "The view is sorted. Remove its sort to move records by hand.",
    });
    await changeView(views, mia, view.id, { sort: [] });
    expect(await read()).toBe("cab");
    await query(
      "insert into jobs (id, kind) select 'r' || n, 'many' from generate_series(1, 9997) n",
    );
    await move("c", "a");
    await query("insert into jobs (id, kind) values ('last', 'many')");
    await expect(move("c", null)).rejects.toMatchObject({
      code: "too_large",
      message: "Records can be moved by hand in views of up to 10000 records.",
    });
    await changeView(views, mia, view.id, { filter: { field: "kind", op: "isEmpty" } });
    await move("c", null);
    expect(await read({ filter: { field: "kind", op: "isEmpty" } })).toBe("cab");
  });

  it("gives up the ranks of records that are gone before it refuses one more", async () => {
    await create("ab");
    await query(`insert into watchfloor.record_rank
      select '${view.id}', 'gone' || n, -n - 0.5 from generate_series(1, 10000) n`);
    await move("b", null);
    expect(await ranks()).toBe("b");
    await query(
      `insert into jobs (id, kind) select 'r' || n, 'other' from generate_series(1, 10000) n`,
    );
    await query(`insert into watchfloor.record_rank
      select '${view.id}', 'r' || n, -n - 0.5 from generate_series(1, 10000) n`);
    await changeView(views, mia, view.id, { filter: { field: "kind", op: "isEmpty" } });
    await expect(move("a", null)).rejects.toMatchObject({ code: "too_large" });
  });

  it("has what two users moved at once", async () => {
    await create("abcdefgh");
    const moves = ["h", "g", "f", "e"].map((id, n) => move(id, "a", n % 2 ? mia : noa));
    const versions = (await Promise.all(moves)).map(({ orderVersion = 0 }) => orderVersion);
    expect(Math.max(...versions)).toBe(4);
    const order = await read();
    expect(order).toMatch(/^a[efgh]{4}bcd$/);
    expect([...order].toSorted().join("")).toBe("abcdefgh");
  });

  it("holds up nobody who writes views while the records of its own are counted", async () => {
    await create("abc");
    const other = await addView(views, noa, { table, name: "Mine" });
    const client = await environment.database.pool.connect();
    await client.query("begin");
    await client.query("lock table jobs in access exclusive mode");
    const moved = move("c", null);
    await expect
      .poll(() => query("select from pg_locks where relation = 'jobs'::regclass and not granted"))
      .toHaveLength(1);
    expect(await changeView(views, noa, other.id, { name: "Renamed" })).toMatchObject({
      name: "Renamed",
    });
    await client.query("commit");
    client.release();
    await moved;
    expect(await read()).toBe("cab");
  });

  it("goes on with a view that is copied, removed and restored, and ends with its table", async () => {
    await create("abc");
    await move("c", null);
    const { id } = await addView(views, mia, { table, name: "Copy", orderOf: view.id });
    await move("b", null);
    expect(await read({ orderOf: id }, mia)).toBe("cab");
    expect(await read()).toBe("bca");
    await expect(
      addView(views, mia, { table, name: "None", orderOf: "none" }),
    ).rejects.toMatchObject({ code: "not_found" });
    await removeView(views, mia, view.id);
    await expect(read()).rejects.toMatchObject({ code: "not_found" });
    await restoreView(views, mia, view.id);
    expect(await read()).toBe("bca");
    await changeView(views, mia, view.id, { name: "Renamed" });
    expect(await oneView(views, mia, view.id)).toMatchObject({ orderVersion: 2 });
    await environment.change((model) => {
      model.tables[0] = { ...model.tables[0], name: "tasks" } as (typeof model.tables)[0];
    });
    const { records } = await environment.commands.readPage(owner, {
      table: "tasks",
      orderOf: view.id,
    });
    expect(records.map((record) => record.id).join("")).toBe("bca");
    await environment.change((model) => model.tables.pop());
    expect(await ranks()).toBe("");
  });

  it("is given up as a whole by those who may change the view", async () => {
    await create("abc");
    await move("c", null);
    await expect(resetOrder(views, reader, view.id)).rejects.toMatchObject({ code: "forbidden" });
    expect(await resetOrder(views, noa, view.id)).toMatchObject({ orderVersion: 2 });
    expect(await read()).toBe("abc");
    await move("b", null);
    expect(await read()).toBe("bac");
  });

  it("is that of exports, and of no cursor", async () => {
    await create("abc");
    await move("c", null);
    const exported: string[] = [];
    const call = { table, orderOf: view.id };
    for await (const { records } of environment.commands.exportRecords(owner, call)) {
      exported.push(...records.map(({ id }) => id));
    }
    expect(exported.join("")).toBe("cab");
    await expect(
      environment.commands.readPage(owner, { ...call, cursor: "start" } as typeof call),
    ).rejects.toMatchObject({ code: "invalid_request" });
  });

  it("costs pages of other views nothing: their statements are the same", async () => {
    const jobs = findTable(environment.model(), table);
    if (!jobs) return expect.unreachable();
    const statement = (orderOf?: string) =>
      sortedIds(jobs, { sort: [], limit: 1, offset: 0, orderOf }, sql<boolean>`true`).compile(
        environment.database.kysely,
      ).sql;
    expect(statement()).not.toContain("record_rank");
    expect(statement(view.id)).toContain("record_rank");
    // A view in which nothing was ever moved is read like one without its name.
    const page = { table, orderOf: view.id };
    await environment.database.pool.query("alter table watchfloor.record_rank rename to unread");
    expect((await environment.commands.readPage(owner, page)).records).toEqual([]);
  });
});
