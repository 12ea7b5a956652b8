import { afterEach, beforeEach, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { Identity } from "../auth/identity.ts";
import { createSecretBox } from "../auth/secret-box.ts";
import { LeaderWork } from "../messaging/leader-work.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../model/testing/model-environment.ts";
import { endInterruption, findInterruptions } from "../store/capture-check.ts";
import { ChangeNotifier } from "../store/change-notifier.ts";
import { createCurrentModel } from "../store/current-model.ts";
import { eraseValues } from "../store/erase/erase-values.ts";
import { holdModel } from "../store/models.ts";
import { findWebhook } from "../store/webhooks/webhooks.ts";
import { createWebhooks, type Webhooks } from "./create-webhooks.ts";
import { Deliverer } from "./deliverer.ts";
import { addWebhook, allWebhooks, oneWebhook } from "./webhooks.ts";

const role: Role = { id: "r", name: "R", rights: ["webhooks"], grants: { "*": { read: true } } };
const me: Identity = {
  user: { id: "me", name: "Me", colour: "blue", email: "me@example.com" },
  subject: { id: "me", role, attributes: {} },
  actor: "user:me",
  session: null,
  holder: "me",
  expires: "2100-01-01T00:00:00Z",
};
const settings = { name: "Paid", url: "https://example.com/", events: ["updated" as const] };

let environment: ModelEnvironment;
/** Of a server that does not know the changed model yet. */
let webhooks: Webhooks;
let id = "";

beforeEach(async () => {
  const [kind] = databases;
  if (!kind) return expect.unreachable();
  environment = await createModelEnvironment(kind);
  await environment.change(({ tables }) => {
    tables.push(tableOf("people", [fieldOf("name"), fieldOf("salary"), fieldOf("notes")]));
  });
  const { database } = environment;
  webhooks = createWebhooks({
    database,
    model: await createCurrentModel(database),
    identify: async () => me,
    box: createSecretBox(undefined),
    allowPrivate: false,
    notifier: new ChangeNotifier(),
    limits: defaultLimits,
  });
  const filter = { field: "salary", op: "gt" as const, value: "x" };
  const call = { ...settings, table: "people", filter, fields: ["notes", "salary"] };
  ({ id } = await addWebhook(webhooks, me, call));
});
afterEach(() => environment[Symbol.asyncDispose]());

const fieldsOf = ({ tables }: Model) => tables[0]?.fields ?? [];

it("follows renamed tables and fields, also on a server that does not know them yet", async () => {
  await environment.change((model) => {
    const [, salary] = fieldsOf(model);
    if (salary) salary.name = "pay";
    if (model.tables[0]) model.tables[0].name = "staff";
  });
  expect(await oneWebhook(webhooks, me, id)).toMatchObject({
    state: "active",
    table: "staff",
    filter: { field: "pay" },
    fields: ["notes", "pay"],
  });
});

it("goes on from its position after a change of the model, an erasure, and a change past the log", async () => {
  const { database } = environment;
  const { pool, kysely } = database;
  await pool.query("insert into people (id, name, salary) values ('ann', 'Ann', 'y')");
  const before = await findWebhook(kysely, id);
  const isHere = async () => {
    const found = await findWebhook(kysely, id);
    expect(found).toMatchObject({ seq: before?.seq, isHeld: true, missed: null });
    expect(found?.epoch).toBe(found?.feedEpoch);
    return found?.epoch;
  };
  await environment.change((model) => {
    const [, salary] = fieldsOf(model);
    if (salary) salary.name = "pay";
    if (model.tables[0]) model.tables[0].name = "staff";
  });
  const epochs = new Set([before?.epoch, await isHere()]);
  await kysely.transaction().execute(async (tx) => {
    const erase = { table: "staff", record: "ann", fields: ["pay"] };
    await eraseValues(tx, await holdModel(tx), erase);
  });
  epochs.add(await isHere());
  await pool.query("alter table staff disable trigger user");
  await pool.query("update staff set notes = 'unseen'");
  const found = await findInterruptions(database.kysely);
  expect(found.map(({ table, isOff }) => ({ table, isOff }))).toEqual([
    { table: "staff", isOff: true },
  ]);
  for (const one of found) await endInterruption(database, one);
  epochs.add(await isHere());
  expect(epochs.size).toBe(4);
});

it("stops where a field of its filter was removed", async () => {
  await environment.change((model) => {
    fieldsOf(model).splice(1, 1);
  });
  const stopped = { state: "stopped", reason: "filter", fields: ["notes"] };
  expect(await oneWebhook(webhooks, me, id)).toMatchObject(stopped);
});

it("is removed with its table", async () => {
  await environment.change(({ tables }) => void tables.splice(0, 1));
  expect(await allWebhooks(webhooks, me)).toEqual([]);
});

it("says which webhook it can't sign for, and goes on", async () => {
  const { pool } = environment.database;
  await pool.query("update watchfloor.webhook set secret = 'plain:whsec_%%%'");
  await pool.query("insert into people (id, name, salary) values ('ann', 'Ann', 'y')");
  await pool.query("update people set notes = 'new'");
  const warned = Promise.withResolvers<unknown[]>();
  const log = { warn: (...said: unknown[]) => warned.resolve(said) };
  const deliverer = new LeaderWork(new Deliverer(webhooks, log), () => true, log);
  await using _ = { [Symbol.asyncDispose]: () => deliverer.stop() };
  expect(await warned.promise).toEqual([
    expect.objectContaining({ webhook: id }),
    "a delivery failed",
  ]);
});
