import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { tempFolder } from "../../e2e/provision/temp-folder.ts";
import { readConfig } from "./config.ts";
import { readKeyFile, withSecretKey, withStoredKey } from "./secret-key.ts";

const KEY = "a key of thirty-two characters or more";

it("a first start beside the embedded database makes a key of its own, and later ones use it", async () => {
  using folder = await ownFolder();
  const config = readConfig({ DATA_DIR: join(folder.path, "data") });
  expect((await withStoredKey(config)).secretKey).toBeUndefined();
  const { secretKey } = await withSecretKey(config);
  const file = join(folder.path, "data", "secret-key");
  expect(secretKey).toMatch(/^[\w+/]{44}$/);
  expect(await readFile(file, "utf8")).toBe(`${secretKey}\n`);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await withSecretKey(config)).secretKey).toBe(secretKey);
  expect((await withStoredKey(config)).secretKey).toBe(secretKey);
  const other = readConfig({ DATA_DIR: join(folder.path, "other") });
  expect((await withSecretKey(other)).secretKey).not.toBe(secretKey);
});

it("the key of the settings counts, and with a Postgres of one's own no other one", async () => {
  using folder = await ownFolder();
  const environment = { DATA_DIR: folder.path };
  const { secretKey } = await withSecretKey(readConfig(environment));
  const set = readConfig({ ...environment, WATCHFLOOR_SECRET_KEY: KEY });
  expect((await withSecretKey(set)).secretKey).toBe(KEY);
  const own = readConfig({ ...environment, DATABASE_URL: "postgres://desk@db.example.com/desk" });
  expect((await withSecretKey(own)).secretKey).toBeUndefined();
  expect((await withStoredKey(own)).secretKey).toBeUndefined();
  expect((await withStoredKey(readConfig(environment))).secretKey).toBe(secretKey);
});

it("a file without a key stops the start instead of being replaced", async () => {
  using folder = await ownFolder();
  await writeFile(join(folder.path, "secret-key"), "\n");
  const start = withSecretKey(readConfig({ DATA_DIR: folder.path }));
  await expect(start).rejects.toThrow("has fewer than 32 characters");
  expect(await readFile(join(folder.path, "secret-key"), "utf8")).toBe("\n");
  // As the message advises.
  const set = readConfig({ DATA_DIR: folder.path, WATCHFLOOR_SECRET_KEY: KEY });
  expect(await readKeyFile(set)).toBeUndefined();
});

async function ownFolder() {
  const folder = await tempFolder();
  return { path: folder.path, [Symbol.dispose]: () => folder.drop() };
}
