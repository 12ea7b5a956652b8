import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "../../e2e/harness/until.ts";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Field, Model } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../model/testing/model-environment.ts";
import { createCurrentModel } from "../store/current-model.ts";
import type { Context } from "../store/published-model.ts";
import { addView, allViews, changeView, oneView } from "./views.ts";

const GUARD_MS = 60_000;
const role: Role = { id: "r", name: "R", rights: ["sharedViews"], grants: { "*": { read: true } } };
const me: Subject = { id: "me", role, attributes: {} };
const byPay = { field: "salary", op: "gt" as const, value: "x" };

let environment: ModelEnvironment;
/** Of a server that does not know the changed model yet. */
let views: Context;
let id = "";

beforeEach(async () => {
  const [kind] = databases;
  if (!kind) return expect.unreachable();
  environment = await createModelEnvironment(kind);
  await environment.database.pool.query(`insert into watchfloor."user" (id, email, name, colour, role, status)
    values ('me', 'me@example.com', 'Me', 0, 'admin', 'active')`);
  await environment.change(({ tables }) => {
    tables.push(tableOf("people", [fieldOf("name"), fieldOf("salary")]));
  });
  const { database } = environment;
  views = { database, model: await createCurrentModel(database), limits: defaultLimits };
  const call = { table: "people", name: "Paid", shared: true, filter: byPay };
  ({ id } = await addView(views, me, call));
});
afterEach(() => environment[Symbol.asyncDispose]());

function rename({ tables }: Model): void {
  (tables[0]?.fields[1] as Field).name = "pay";
}

it("V5 a server that does not know a renamed field yet shows the view, and changes it", async () => {
  await environment.change(rename);
  const paid = { id, filter: { ...byPay, field: "pay" } };
  expect(await allViews(views, me, "people")).toMatchObject([paid]);
  await environment.change(({ tables: [people] }) => {
    if (people) people.name = "staff";
  });
  expect(await oneView(views, me, id)).toMatchObject({ ...paid, table: "staff" });
  await environment.change(({ tables }) => tables[0]?.fields.push(fieldOf("salary")));
  await environment.change(({ tables }) => tables[0]?.fields.pop());
  const old = { table: "staff", name: "Old", sort: ["salary"] };
  await expect(addView(views, me, old)).rejects.toMatchObject({ code: "invalid_request" });
  await expect(changeView(views, me, id, { sort: ["salary"] })).rejects.toMatchObject({
    code: "invalid_request",
  });
  expect(await changeView(views, me, id, { name: "Well paid" })).toMatchObject(paid);
});

it("V5 a view that is saved while its field is renamed still shows the same", async () => {
  const lockHolder = await environment.database.pool.connect();
  const waiting = async () => {
    const { rows } = await environment.database.pool.query(
      `select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rows[0].n as number;
  };
  await lockHolder.query("begin");
  // the rename has migrated the views before its last statement
  await lockHolder.query("lock table watchfloor.model in share mode");
  const changed = environment.change(rename);
  await until("the renaming waits", GUARD_MS, async () => (await waiting()) === 1);
  let isSaved = false;
  const saved = changeView(views, me, id, { name: "Well paid" }).finally(() => {
    isSaved = true;
  });
  // The renaming gives up its locks from time to time, and the saving may pass it.
  const waitsOrIsSaved = async () => isSaved || (await waiting()) === 2;
  await until("the saving waits for it", GUARD_MS, waitsOrIsSaved);
  await lockHolder.query("commit");
  lockHolder.release();
  await Promise.all([changed, saved]);
  const { rows } = await environment.database.pool.query("select name, look from watchfloor.view");
  expect(rows).toMatchObject([{ name: "Well paid", look: { filter: { field: "pay" } } }]);
});

it("a view of a user who is removed while they save it is not stored", async () => {
  await environment.database.pool.query(`delete from watchfloor."user"`);
  const call = { table: "people", name: "Late" };
  await expect(addView(views, me, call)).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(changeView(views, me, id, { shared: false })).rejects.toMatchObject({
    code: "unauthenticated",
  });
});

it("a view that another program wrote with unknown settings is visible to nobody", async () => {
  await environment.database.pool.query(
    `update watchfloor.view set look = look || '{"shared": true, "name": "Paid"}'`,
  );
  expect(await allViews(views, me)).toEqual([]);
});
