// Covers: server/store docs/guides
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../server/store/database.ts";
import { findProgram, provideProgram } from "../provision/programs.ts";
import { startSystemPostgres, unprivileged } from "../provision/system-postgres.ts";
import { type TempFolder, tempFolder } from "../provision/temp-folder.ts";
import type { TestPostgres } from "../provision/test-postgres.ts";

let folder: TempFolder;
let postgres: TestPostgres;
const opened: Database[] = [];

beforeAll(async () => {
  await provideProgram(() => findProgram(["openssl"]), "openssl", "openssl");
  const owner = unprivileged();
  folder = await tempFolder(owner);
  const files = ["-keyout", "key", "-out", "certificate"];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  execFileSync("openssl", [...request, ...files, ...name], { cwd: folder.path, stdio: "ignore" });
  chmodSync(`${folder.path}/key`, 0o600);
  if (owner) {
    for (const file of ["key", "certificate"]) {
      chownSync(`${folder.path}/${file}`, owner.uid, owner.gid);
    }
  }
  postgres = await startSystemPostgres({
    ssl: "on",
    ssl_key_file: `${folder.path}/key`,
    ssl_cert_file: `${folder.path}/certificate`,
  });
});
afterAll(async () => {
  for (const database of opened) await database.close();
  await postgres.close();
  folder.drop();
});

/** Whether the connections of a server with this DATABASE_URL are encrypted: those of its pool, and one of its own. */
async function encrypted(host: string, settings: string): Promise<boolean[]> {
  const url = new URL(postgres.tcpUrl ?? "");
  url.hostname = host;
  url.search = settings;
  const database = openDatabase({ connectionString: url.href, poolSize: 1, onError: () => {} });
  opened.push(database);
  const query = "select ssl from pg_stat_ssl where pid = pg_backend_pid()";
  const pooled = await database.pool.query(query);
  const client = await database.connect();
  const own = await client.query(query);
  await client.end();
  return [pooled, own].map(({ rows }) => rows[0].ssl);
}

describe("a Postgres with TLS", () => {
  it("is used over it, if its certificate is of the named authority and for its name", async () => {
    const authority = `sslmode=verify-full&sslrootcert=${folder.path}/certificate`;
    expect(await encrypted("localhost", authority)).toEqual([true, true]);
    await expect(encrypted("127.0.0.1", authority)).rejects.toThrow(/altname|does not match/i);
  });

  it("is refused if nobody known has signed its certificate", async () => {
    await expect(encrypted("localhost", "sslmode=verify-full")).rejects.toThrow(/self.signed/);
  });

  it("is used without it, if nothing asks for it", async () => {
    expect(await encrypted("localhost", "")).toEqual([false, false]);
  });
});
