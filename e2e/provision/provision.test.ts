import { existsSync, statSync } from "node:fs";
import { Client } from "pg";
import { createClient } from "redis";
import { describe, expect, it } from "vitest";
import { chromiumPath } from "./chromium.ts";
import { databases } from "./databases.ts";
import { PORTS } from "./free-port.ts";
import { startRedis } from "./redis.ts";

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Row>(text);
  await client.end();
  return rows;
}

describe.each(databases)("a database on $name", ({ create }) => {
  it("is fresh, in UTF-8 and in UTC, and does not wait for the disk", async () => {
    const database = await create();
    const rows = await query(
      database.url,
      `SELECT current_database() AS name, current_setting('fsync') AS fsync,
       current_setting('TimeZone') AS zone, current_setting('server_encoding') AS encoding`,
    );
    expect(rows).toEqual([{ name: database.name, fsync: "off", zone: "UTC", encoding: "UTF8" }]);
    await database.drop();
  });

  it("can be a copy of another", async () => {
    const original = await create();
    await query(original.url, "CREATE TABLE note AS SELECT 'stored' AS text");
    const copy = await create(original.name);
    expect(await query(copy.url, "SELECT text FROM note")).toEqual([{ text: "stored" }]);
    await Promise.all([original.drop(), copy.drop()]);
  });
});

describe("a Redis of a test's own", () => {
  it("comes back empty on the same port after it was stopped", async () => {
    const redis = await startRedis();
    const before = await createClient({ url: redis.url }).connect();
    await before.set("key", "value");
    before.destroy();
    await redis.stop("SIGKILL");
    await redis.start();
    const after = await createClient({ url: redis.url }).connect();
    expect(await after.get("key")).toBeNull();
    await after.set("key", "value");
    await redis.flush();
    expect(await after.get("key")).toBeNull();
    after.destroy();
    await redis.close();
  });
});

describe("the ports for tests", () => {
  it("are above every one to which fetch and browsers refuse to go", async () => {
    const refusal = (port: number) =>
      fetch(`http://127.0.0.1:${port}`).catch(({ cause }: { cause?: Error }) => cause?.message);
    // The last one of the list in the standard of fetch.
    expect(await refusal(10_080)).toBe("bad port");
    expect(PORTS.from).toBeGreaterThan(10_080);
  });
});

describe("the browser for tests", () => {
  it("is an executable file", async () => {
    const path = await chromiumPath();
    expect(existsSync(path)).toBe(true);
    expect(statSync(path).mode & 0o111).not.toBe(0);
  });
});
