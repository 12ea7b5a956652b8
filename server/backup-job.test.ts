import { readdir, rm, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "../e2e/harness/until.ts";
import { databases } from "../e2e/provision/databases.ts";
import { type TempFolder, tempFolder } from "../e2e/provision/temp-folder.ts";
import { type BackupJobDeps, startBackupJob } from "./backup-job.ts";
import { requireWritableFolder } from "./config/writable-folder.ts";
import { checkBackup } from "./store/backup/restore-backup.ts";
import { readScheduledBackup, type ScheduledBackup } from "./store/backup/scheduled-backup.ts";
import {
  createStoreEnvironment,
  type StoreEnvironment,
} from "./store/testing/store-environment.ts";

const WITHIN_MS = 60_000;
const limits = { BACKUP_INTERVAL_MS: 300, BACKUP_KEEP_FILES: 2 };
const daily = { ...limits, BACKUP_INTERVAL_MS: 86_400_000 };

const addOwner = `insert into watchfloor."user" (id, email, name, role, colour, status)
  values ('o', 'o@example.com', 'O', 'owner', 'blue', 'active')`;

describe.each(databases)("scheduled backups on $name", (kind) => {
  let environment: StoreEnvironment;
  let parent: TempFolder;
  let folder: string;
  const errors: unknown[] = [];
  const stops: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    errors.length = 0;
    environment = await createStoreEnvironment(kind);
    await environment.database.pool.query(addOwner);
    parent = await tempFolder();
    folder = `${parent.path}/backups`;
  });
  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await environment[Symbol.asyncDispose]();
    parent.drop();
  });

  const start = (more: Partial<BackupJobDeps> = {}) => {
    const log = { info: () => undefined, error: (found: unknown) => errors.push(found) };
    const { database } = environment;
    const deps = { database, folder, version: "1", isLeader: () => true, limits, log };
    const stop = startBackupJob({ ...deps, ...more });
    stops.push(stop);
    return stop;
  };
  const files = async () => (await readdir(folder).catch(() => [])).sort();
  const state = () => readScheduledBackup(environment.database.kysely);
  const waitUntil = (what: string, is: () => Promise<unknown>, mayFail = false) =>
    until(what, WITHIN_MS, () => {
      if (!mayFail) expect(errors).toEqual([]);
      return is();
    });
  const reaches = (what: string, is: (last: ScheduledBackup | null) => boolean) =>
    waitUntil(what, async () => is(await state()), true);

  /** As a server leaves it that is killed while it writes. */
  const leavePart = async () => {
    const part = `${folder}/watchfloor-2026-01-01T00-00-00.000Z.backup.7.partial`;
    await writeFile(part, "cut off");
    await utimes(part, 0, 0);
  };
  const waitsForLock = async () => {
    const { rows } = await environment.database.pool.query(
      "select from pg_stat_activity where application_name = 'watchfloor backup' and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  };

  it("are complete, and the oldest are deleted", async () => {
    await requireWritableFolder("WATCHFLOOR_BACKUP_DIR", folder);
    await writeFile(`${folder}/notes.backup`, "of somebody else");
    await leavePart();
    start();
    const whole = async () => (await files()).filter((name) => name.endsWith("Z.backup"));
    const first = await waitUntil("the first backup", async () => (await whole())[0]);
    await waitUntil("two later ones in its place", async () => {
      const names = await whole();
      return names.length === 2 && !names.includes(String(first));
    });
    await Promise.all(stops.splice(0).map((stop) => stop()));
    const [notes, ...ours] = await files();
    expect(notes).toBe("notes.backup");
    expect(ours).toHaveLength(2);
    for (const name of ours) expect((await checkBackup(`${folder}/${name}`)).rows).toBeTruthy();
    expect(await state()).toMatchObject({ failed: false, bytes: expect.any(Number) });
  });

  it("are made by one of several servers, and not before their time", async () => {
    start({ isLeader: () => false });
    for (let server = 0; server < 3; server++) start({ limits: daily });
    await reaches("a backup", (last) => last?.succeededAt != null);
    await Promise.all(stops.splice(0).map((stop) => stop()));
    expect(await files()).toHaveLength(1);
  });

  it("begin when the set-up is finished: the model is published before there is an owner", async () => {
    const { pool } = environment.database;
    await pool.query('delete from watchfloor."user"');
    let rounds = 0;
    start({ isLeader: () => ++rounds > 0 });
    await waitUntil("two rounds", async () => rounds > 2);
    expect([await state(), await files()]).toEqual([null, []]);
    await pool.query(addOwner);
    await reaches("a backup", (last) => last?.succeededAt != null);
  });

  it("are tried again after a failure, which is reported", async () => {
    await writeFile(folder, "not a folder");
    await expect(requireWritableFolder("WATCHFLOOR_BACKUP_DIR", folder)).rejects.toThrow(
      /^WATCHFLOOR_BACKUP_DIR \(.*\) can't be written to \(E\w+\)\.$/,
    );
    start();
    await reaches("a failure", (last) => last?.failed === true);
    expect((await state())?.succeededAt).toBeNull();
    await rm(folder);
    await reaches("a success", (last) => last?.failed === false && last.succeededAt !== null);
  });

  it("end with their server, without a file", async () => {
    const { pool } = environment.database;
    const blocker = await pool.connect();
    await blocker.query("begin; lock table incidents");
    const stop = start();
    await waitUntil("the backup waits", waitsForLock);
    await stop();
    await blocker.query("rollback");
    blocker.release();
    expect(await files()).toEqual([]);
  });

  it("begin by deleting the parts of those that were cut off, and no other file that is written", async () => {
    await requireWritableFolder("WATCHFLOOR_BACKUP_DIR", folder);
    await leavePart();
    const written = "watchfloor-2026-01-02T00-00-00.000Z.backup.8.partial";
    await writeFile(`${folder}/${written}`, "by another server");
    await utimes(`${folder}/${written}`, 10_000_000_000, 10_000_000_000);
    const { pool } = environment.database;
    const blocker = await pool.connect();
    await blocker.query("begin; lock table incidents");
    start();
    await waitUntil("the backup waits", waitsForLock);
    const found = await files();
    await blocker.query("rollback");
    blocker.release();
    expect(found.filter((name) => name < "watchfloor-2026-01-03")).toEqual([written]);
    await reaches("a backup", (last) => last?.succeededAt != null);
    expect(await files()).toContain(written);
  });

  it("end when another server leads, which records its own", async () => {
    const { pool } = environment.database;
    const blocker = await pool.connect();
    await blocker.query("begin; lock table incidents");
    let isLeader = true;
    start({ isLeader: () => isLeader });
    await waitUntil("the backup waits", waitsForLock);
    await pool.query("update watchfloor.scheduled_backup set attempted_at = '2100-01-01'");
    isLeader = false;
    await waitUntil("its part is gone", async () => (await files()).length === 0).finally(() =>
      blocker.release(true),
    );
    await Promise.all(stops.splice(0).map((stop) => stop()));
    expect(errors).toEqual([]);
    expect(await state()).toMatchObject({ succeededAt: null, failed: false });
  });

  it("are made also after the database's clock was set back", async () => {
    const { pool } = environment.database;
    await pool.query(`insert into watchfloor.scheduled_backup (attempted_at, ended_at)
      values ('2100-01-01', '2100-01-01')`);
    start({ limits: daily });
    await reaches("a backup", (last) => last?.succeededAt != null);
    expect(await files()).toHaveLength(1);
  });

  it("take the place of files that were written before the clock was set back", async () => {
    await requireWritableFolder("WATCHFLOOR_BACKUP_DIR", folder);
    for (const day of ["01", "02", "03"])
      await writeFile(`${folder}/watchfloor-2199-01-${day}T00-00-00.000Z.backup`, "earlier");
    start();
    await waitUntil("only the newest are there", async () => {
      const names = await files();
      return (
        names.length === 2 &&
        names.every((name) => name.endsWith("Z.backup") && name < "watchfloor-2199")
      );
    });
  });

  it("are recorded only by the server that has claimed them last", async () => {
    const { pool } = environment.database;
    const blocker = await pool.connect();
    await blocker.query("begin; lock table incidents");
    start({ limits: daily });
    await waitUntil("the backup waits", waitsForLock);
    await pool.query("update watchfloor.scheduled_backup set attempted_at = now()");
    await blocker.query("rollback");
    blocker.release();
    await waitUntil("the file", async () =>
      (await files()).some((name) => name.endsWith("Z.backup")),
    );
    await Promise.all(stops.splice(0).map((stop) => stop()));
    expect(await state()).toMatchObject({ succeededAt: null, failed: false });
  });
});
