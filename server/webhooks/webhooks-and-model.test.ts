import { afterEach, beforeEach, expect, it } from "vitest";
import { databases } from "../../e2e/provision/databases.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { Identity } from "../auth/identity.ts";
import { createSecretBox } from "../auth/secret-box.ts";
import {
  createModelEnvironment,
  fieldOf,
  type ModelEnvironment,
  tableOf,
} from "../model/testing/model-environment.ts";
import { createCurrentModel } from "../store/current-model.ts";
import { createWebhooks, type Webhooks } from "./create-webhooks.ts";
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
    onDelivery: () => {},
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
