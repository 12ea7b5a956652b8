import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServerInProcess } from "../../e2e/harness/server-in-process.ts";
import { anyDatabase } from "../../e2e/provision/databases.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../store/testing/store-environment.ts";
import { createSecretBox } from "./secret-box.ts";
import { encryptStoredSecrets, unreadableSecrets } from "./stored-secrets.ts";

const KEY = "a key of thirty-two characters or more";
const NEXT = "another key of thirty-two characters or more";

/** Every column that holds a secret which is read again, with the owner that it is encrypted for. */
const columns = [
  ["select secret from watchfloor.totp", "u1", "app"],
  ["select secret from watchfloor.webhook", "webhook:w1", "signs"],
  ["select former_secret from watchfloor.webhook", "webhook:w1", "signed"],
  ["select client_secret from watchfloor.identity_provider", "provider:company", "client"],
  ["select secret from watchfloor.invitation", "invitation:u1", "invited"],
  ["select secret from watchfloor.password_reset", "password_reset:u1", "reset"],
  ["select id_token from watchfloor.session", "session:s1", "id"],
] as const;

let store: StoreEnvironment;
beforeAll(async () => {
  store = await createStoreEnvironment(anyDatabase);
  await store.database.pool.query(`
    insert into watchfloor."user" (id, email, name, colour, role, status)
    values ('u1', 'u1@example.com', 'Una', 'red', 'owner', 'active');
    insert into watchfloor.totp (user_id, secret) values ('u1', 'plain:app');
    insert into watchfloor.webhook
      (id, name, url, table_name, events, owner, secret, former_secret, paused, epoch, seq)
    values ('w1', 'To the pager', 'https://example.com', 'incidents', '[]', 'u1', 'plain:signs', 'plain:signed', true, '', 0);
    insert into watchfloor.identity_provider (id, name, issuer, client_id, client_secret, options)
    values ('company', 'Company', 'https://sso.example.com', 'desk', 'plain:client', '{}');
    insert into watchfloor.invitation (id, user_id, secret) values ('i1', 'u1', 'plain:invited');
    insert into watchfloor.password_reset (id, user_id, secret) values ('r1', 'u1', 'plain:reset');
    insert into watchfloor.session (id, user_id, ip, user_agent, id_token)
    values ('s1', 'u1', '', '', 'plain:id')`);
});
afterAll(() => store[Symbol.asyncDispose]());

async function stored(): Promise<string[]> {
  const read = columns.map(([query]) =>
    store.database.pool.query({ text: query, rowMode: "array" }),
  );
  return (await Promise.all(read)).map(({ rows }) => String((rows as string[][])[0]?.[0]));
}
const opened = async (key: string) => {
  const box = createSecretBox(key);
  return (await stored()).map((text, at) => box.decrypt(text, columns[at]?.[1] ?? ""));
};
const values = columns.map(([, , value]) => value);

describe("stored secrets", () => {
  it("are encrypted by the start of a server that has a key, and read as before", async () => {
    expect(await encryptStoredSecrets(store.database.kysely, undefined, undefined)).toBe(0);
    expect(await stored()).toEqual(values.map((value) => `plain:${value}`));
    const environment = { DATABASE_URL: store.url, WATCHFLOOR_SECRET_KEY: KEY };
    await using _server = await ServerInProcess.start(environment);
    expect((await stored()).filter((text) => text.startsWith("plain:"))).toEqual([]);
    expect(await opened(KEY)).toEqual(values);
  });

  it("are encrypted anew where another key takes the place of a known one, and left alone otherwise", async () => {
    const { kysely } = store.database;
    expect(await encryptStoredSecrets(kysely, NEXT, undefined)).toBe(0);
    expect(await opened(KEY)).toEqual(values);
    expect(await unreadableSecrets(kysely, KEY)).toBeNull();
    expect(await unreadableSecrets(kysely, NEXT)).toBe(
      "the authenticator apps of 1 user, the secrets of the webhooks “To the pager”, the client secrets of the providers “Company”",
    );
    expect(await encryptStoredSecrets(kysely, NEXT, KEY)).toBe(columns.length);
    expect(await opened(NEXT)).toEqual(values);
    expect(await encryptStoredSecrets(kysely, NEXT, KEY)).toBe(0);
    expect(await opened(NEXT)).toEqual(values);
  });

  it("of a key that is set again are readable, and what was stored since with that of the file, too", async () => {
    const { kysely, pool } = store.database;
    const since = createSecretBox(KEY).encrypt("client", "provider:company");
    await pool.query("update watchfloor.identity_provider set client_secret = $1", [since]);
    expect(await encryptStoredSecrets(kysely, NEXT, KEY)).toBe(1);
    expect(await opened(NEXT)).toEqual(values);
    expect(await unreadableSecrets(kysely, NEXT)).toBeNull();
  });

  it("of another key are a warning of the start, and are left as they are", async () => {
    const before = await stored();
    const environment = { DATABASE_URL: store.url, WATCHFLOOR_SECRET_KEY: KEY };
    await using server = await ServerInProcess.start(environment);
    expect(server.output).toContain("were encrypted with another key");
    expect(server.output).toContain("To the pager");
    expect(await stored()).toEqual(before);
  });

  it("in plain text are a warning of the start, where no key is set and none is made", async () => {
    await using server = await ServerInProcess.start({ DATABASE_URL: store.url });
    expect(server.output).toContain("WATCHFLOOR_SECRET_KEY is not set");
  });
});
