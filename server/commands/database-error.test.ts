import { afterAll, beforeAll, expect, it } from "vitest";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import { refusalOf } from "./database-error.ts";
import {
  type CommandEnvironment,
  createCommandEnvironment,
  testIdentity,
} from "./testing/command-environment.ts";

/** Races that our own checks can't notice: the error of the database becomes one that names its field. */
let environment: CommandEnvironment;
beforeAll(async () => {
  environment = await createCommandEnvironment(anyDatabase);
  await environment.database.pool.query("insert into incidents (id, number) values ('a', 'TAKEN')");
});
afterAll(() => environment[Symbol.asyncDispose]());

it.each([
  [
    "insert into incidents (number) values ('TAKEN')",
    "duplicate",
    { number: { rule: "unique", message: "Another incident has this number." } },
  ],
  [
    "insert into incidents (id) values ('a')",
    "duplicate",
    { id: { rule: "unique", message: "A record with this id exists already." } },
  ],
  [
    "update incidents set service = 'gone'",
    "link_broken",
    { service: { rule: "link", message: "Service points to nothing that exists." } },
  ],
])("answers %s as %s, with its field", async (statement, code, fields) => {
  const error = await environment.database.pool.query(statement).catch((failed: unknown) => failed);
  const { subject } = testIdentity("ann");
  const refusal = refusalOf(error, "create", { model: environment.model, subject });
  expect(refusal?.toBody()).toMatchObject({ code, fields });
});
