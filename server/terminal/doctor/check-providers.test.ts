import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { anyDatabase } from "../../../e2e/provision/databases.ts";
import { createSecretBox } from "../../auth/secret-box.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "../../store/testing/store-environment.ts";
import { insertProvider } from "../../store/users/identity-providers.ts";
import { checkProviders } from "./check-providers.ts";

/** A provider's discovery, whose clock a test sets. */
let environment: StoreEnvironment;
let provider: Server;
let aheadS = 0;

beforeAll(async () => {
  provider = createServer((_request, response) => {
    const issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
    response.sendDate = false;
    response.setHeader("date", new Date(Date.now() + aheadS * 1_000).toUTCString());
    response.setHeader("content-type", "application/json");
    const endpoint = `${issuer}/any`;
    response.end(
      JSON.stringify({
        ...{ issuer, authorization_endpoint: endpoint, token_endpoint: endpoint },
        jwks_uri: endpoint,
      }),
    );
  });
  await new Promise<void>((done) => void provider.listen(0, "127.0.0.1", done));
  environment = await createStoreEnvironment(anyDatabase);
});
afterAll(async () => {
  provider.close();
  await environment[Symbol.asyncDispose]();
});

const config = { publicUrl: "https://desk.example.com", secretKey: undefined, provider: undefined };
const found = async (changed: object = {}) => {
  const all = await checkProviders({ ...config, ...changed }, environment.database.kysely);
  return all.map(({ level, message }) => `${level} ${message}`);
};

it("finds what keeps users from signing in by a provider", async () => {
  expect(await found()).toEqual([]);
  const client_secret = createSecretBox(undefined).encrypt("secret", "provider:company");
  const row = {
    ...{ id: "company", name: "Company", client_id: "desk", client_secret },
    issuer: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`,
    options: {
      ...{ scopes: ["openid"], trustEmail: null, createUsers: null },
      ...{ groups: null, secondFactor: null },
    },
    from_environment: false,
  };
  await insertProvider(environment.database.kysely, row);
  expect(await found()).toEqual([]);
  expect(await found({ publicUrl: undefined })).toEqual([
    expect.stringMatching(/^fault PUBLIC_URL is not set: nobody can sign in by Company/),
  ]);
  aheadS = -40;
  expect(await found()).toEqual([
    expect.stringMatching(/^warning The clock of Company is \d+ s behind/),
  ]);
  aheadS = 300;
  expect(await found()).toEqual([
    expect.stringMatching(/^fault The clock of Company is \d+ s ahead.*sign-ins are refused\.$/),
  ]);
  aheadS = 0;
  const { pool } = environment.database;
  await pool.query("update watchfloor.identity_provider set issuer = 'http://127.0.0.1:9'");
  expect(await found()).toEqual([
    expect.stringMatching(/^fault Nobody can sign in by Company \(http:\/\/127\.0\.0\.1:9\)/),
  ]);
  await pool.query("delete from watchfloor.identity_provider");
  const fromEnvironment = { publicUrl: undefined, provider: { name: "Firm" } };
  expect(await found(fromEnvironment)).toEqual([expect.stringContaining("sign in by Firm")]);
});
