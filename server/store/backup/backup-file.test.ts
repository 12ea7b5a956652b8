import { createHash } from "node:crypto";
import {
  copyFile,
  lstat,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { createGzip, gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { anyDatabase } from "../../../e2e/provision/databases.ts";
import { type TempFolder, tempFolder } from "../../../e2e/provision/temp-folder.ts";
import { createStoreEnvironment, type StoreEnvironment } from "../testing/store-environment.ts";
import type { Manifest } from "./manifest.ts";
import { readEncrypted } from "./read-manifest.ts";
import { checkBackup } from "./restore-backup.ts";
import { writeBackup } from "./write-backup.ts";

let environment: StoreEnvironment;
let folder: TempFolder;
let file: string;
let bytes: Buffer;

beforeAll(async () => {
  folder = await tempFolder();
  file = `${folder.path}/whole`;
  environment = await createStoreEnvironment(anyDatabase);
  const { pool } = environment.database;
  await pool.query(`insert into incidents (id, number, title, state)
    select 'i' || n, 'N' || n, repeat(md5(n::text), 20), 'New' from generate_series(1, 2000) n`);
  await pool.query(`insert into watchfloor."user" (id, email, name, colour, role, status)
    values ('u1', 'u1@example.com', 'Una', 'red', 'owner', 'active')`);
  await pool.query(`insert into watchfloor.session (id, user_id, ip, user_agent)
    values ('hash of a session', 'u1', '', '')`);
  await pool.query(`insert into watchfloor.display (id, name, token_hash)
    values ('d1', 'Hall', 'hash of a display')`);
  await pool.query(`insert into watchfloor.api_token (id, name, hash, prefix, created_by)
    values ('t1', 'Sync', 'hash of a token', 'wf', 'u1')`);
  await writeBackup(environment.database, file, "1.2.3");
  bytes = await readFile(file);
});
afterAll(async () => {
  await environment?.[Symbol.asyncDispose]();
  folder?.drop();
});

/** What is said of a file with other contents. */
async function refusalOf(changed: Buffer): Promise<string> {
  const path = `${folder.path}/changed`;
  await writeFile(path, changed);
  const { message } = await checkBackup(path).then(
    () => ({ message: "accepted" }),
    (error: Error) => error,
  );
  return message.replace(path, "FILE");
}

/** The backup with another manifest, and with a digest that fits. */
function withManifest(edit: (manifest: Manifest) => object): Buffer {
  const text = gunzipSync(bytes);
  const end = text.indexOf("\n");
  const { watchfloor } = JSON.parse(text.subarray(0, end).toString());
  const rows = text.subarray(end, text.lastIndexOf('{"sha256"'));
  const body = Buffer.concat([Buffer.from(JSON.stringify({ watchfloor: edit(watchfloor) })), rows]);
  const sha256 = createHash("sha256").update(body).digest("hex");
  return gzipSync(Buffer.concat([body, Buffer.from(`${JSON.stringify({ sha256 })}\n`)]));
}

describe("a backup's file", () => {
  it("holds the rows of every table that it names", async () => {
    const { manifest, rows } = await checkBackup(file);
    expect(manifest).toMatchObject({ version: "1.2.3", modelVersion: 1, encrypted: null });
    const counted = Object.fromEntries(manifest.tables.map(({ name }, at) => [name, rows[at]]));
    expect(counted).toMatchObject({ incidents: 2_000, change: 2_000, model: 1, user: 1 });
  });

  it("names a secret of a provider by which a restore sees whether it has the key", async () => {
    const { pool, kysely } = environment.database;
    await pool.query(`insert into watchfloor.identity_provider
      (id, name, issuer, client_id, client_secret, options)
      values ('company', 'Company', 'https://sso.example.com', 'desk', 'encrypted', '{}')`);
    expect(await readEncrypted(kysely)).toEqual({ secret: "encrypted", owner: "provider:company" });
    await pool.query("delete from watchfloor.identity_provider");
    expect(await readEncrypted(kysely)).toBeNull();
  });

  it("holds the platform's tables that were decided on, and nothing that signs anybody in", async () => {
    const { tables } = (await checkBackup(file)).manifest;
    const platform = tables.filter(({ schema }) => schema === "watchfloor");
    // A new table belongs here, or in `leftOut` (read-manifest.ts).
    expect(platform.map(({ name }) => name).toSorted()).toEqual([
      "api_token",
      "change",
      "change_set",
      "change_set_op",
      "change_set_reject",
      "comment",
      "comment_read",
      "delivery",
      "display",
      "feed",
      "former_epoch",
      "former_part",
      "identity_provider",
      "inbox_entry",
      "inbox_position",
      "known_device",
      "linked_account",
      "model",
      "mutation",
      "notification_settings",
      "numbering",
      "passkey",
      "platform",
      "record_rank",
      "recovery_code",
      "role",
      "security_event",
      "tile_acknowledgement",
      "totp",
      "user",
      "view",
      "wallboard",
      "watch",
      "webhook",
    ]);
    const text = gunzipSync(bytes).toString();
    for (const secret of ["hash of a display", "hash of a token", "hash of a session"]) {
      expect(text).not.toContain(secret);
    }
  });

  it("is written beside the part that a killed process of the same number has left", async () => {
    const again = `${folder.path}/again`;
    const part = `${again}.${process.pid}.partial`;
    await writeFile(part, "cut off");
    await writeBackup(environment.database, again, "1.2.3");
    expect((await checkBackup(again)).manifest.version).toBe("1.2.3");
    expect(await readFile(part, "utf8")).toBe("cut off");
    await rm(part);
  });

  it("is refused if a flipped byte changes anything in it", async () => {
    const text = gunzipSync(bytes);
    const spread = Array.from({ length: 30 }, (_, n) => Math.floor(((bytes.length - 1) * n) / 29));
    for (const at of [1, 2, 3, 4, ...spread]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      const refusal = await refusalOf(changed);
      // A few bits of a gzip stream mean nothing.
      if (refusal === "accepted") expect(gunzipSync(changed).equals(text)).toBe(true);
      else expect(refusal).toMatch(/^FILE (is (damaged|incomplete|not a)|was written by a newer)/);
    }
  });

  it("is refused if it was truncated, or something follows it", async () => {
    for (const length of [1, 9, 40, 5_000, bytes.length >> 1, bytes.length - 9, bytes.length - 1]) {
      expect(await refusalOf(bytes.subarray(0, length)), `${length} bytes`).toMatch(
        /^FILE is (incomplete: it ends before its end\. It can't be restored|not a backup of Watchfloor)\.$/,
      );
    }
    expect(await refusalOf(Buffer.alloc(0))).toBe("FILE is empty.");
    expect(await refusalOf(Buffer.concat([bytes, bytes]))).toMatch(/^FILE is damaged/);
    const text = gunzipSync(bytes);
    expect(await refusalOf(gzipSync(text.subarray(0, text.length - 90)))).toMatch(
      /^FILE is incomplete/,
    );
  });

  it("is refused if something else is in it", async () => {
    const foreign = "FILE is not a backup of Watchfloor.";
    expect(await refusalOf(Buffer.from("select 1;"))).toBe(foreign);
    expect(await refusalOf(gzipSync("--\n-- PostgreSQL database dump\n--\n"))).toBe(foreign);
    expect(await refusalOf(gzipSync('{"watchfloor":"export"}\n'))).toBe(foreign);
    expect(await refusalOf(withManifest((manifest) => ({ ...manifest, tables: [] })))).toMatch(
      /^FILE is damaged/,
    );
    await expect(checkBackup(folder.path)).rejects.toThrow(/ is a folder\.$/);
    await expect(checkBackup(`${folder.path}/none`)).rejects.toThrow(
      / can't be read \(ENOENT\)\.$/,
    );
  });

  it("is refused if a newer version wrote it", async () => {
    const newer = "FILE was written by a newer Watchfloor (9.0.0): restore it with that version.";
    expect(
      await refusalOf(withManifest((manifest) => ({ ...manifest, version: "9.0.0", format: 2 }))),
    ).toBe(newer);
    const migrated = withManifest((manifest) => ({
      ...manifest,
      version: "9.0.0",
      migrations: [...manifest.migrations, "9999-of-the-future"],
    }));
    expect(await refusalOf(migrated)).toBe(newer);
    expect(await refusalOf(withManifest((manifest) => manifest))).toBe("accepted");
  });

  it("is read in bounded memory, whatever it unpacks to", async () => {
    const gzip = createGzip();
    const packed = gzip.toArray();
    const zeros = Buffer.alloc(1_048_576);
    for (let megabytes = 0; megabytes < 512; megabytes++) {
      if (!gzip.write(zeros)) await new Promise((resolve) => gzip.once("drain", resolve));
    }
    gzip.end();
    const bomb = Buffer.concat(await packed);
    const before = process.memoryUsage().rss;
    expect(await refusalOf(bomb)).toBe("FILE is not a backup of Watchfloor.");
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it("replaces an earlier one only when it is complete", async () => {
    const target = `${folder.path}/replaced`;
    await copyFile(file, target);
    const { pool } = environment.database;
    await pool.query("alter table incidents rename to elsewhere");
    await expect(writeBackup(environment.database, target, "1.2.3")).rejects.toThrow("incidents");
    await pool.query("alter table elsewhere rename to incidents");
    expect((await readFile(target)).equals(bytes)).toBe(true);
    expect((await readdir(folder.path)).filter((name) => name.includes("partial"))).toEqual([]);
    await truncate(target, 10);
    const { bytes: size } = await writeBackup(environment.database, target, "1.2.3");
    expect((await stat(target)).size).toBe(size);
    await expect(writeBackup(environment.database, `${folder.path}/no/such`, "1")).rejects.toThrow(
      /no\/such can't be written \(ENOENT\)\.$/,
    );
  });

  it("takes the place of no device and no folder", async () => {
    const device = `${folder.path}/device`;
    await symlink("/dev/null", device);
    for (const target of [device, folder.path]) {
      await expect(writeBackup(environment.database, target, "1.2.3")).rejects.toThrow(
        "is not a regular file",
      );
    }
    expect((await lstat(device)).isSymbolicLink()).toBe(true);
  });
});
