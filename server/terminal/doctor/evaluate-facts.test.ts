import { describe, expect, it } from "vitest";
import { readConfig } from "../../config/config.ts";
import { checkDisk } from "./check-machine.ts";
import { evaluateBackup, evaluateServer, evaluateSlots } from "./evaluate-facts.ts";

/** Faults that a test can't plant: what facts mean is evaluated apart from reading them. */

describe("watchfloor doctor takes for a fault", () => {
  it("an old version, a standby, unsafe settings, too few connections, old transactions", () => {
    const facts = {
      version: 140_011,
      versionText: "14.11",
      role: "postgres",
      isSuperuser: true,
      isStandby: true,
      encoding: "SQL_ASCII",
      settings: [{ name: "fsync", value: "off" }],
      maxConnections: 20,
      now: 0,
      transactionAge: 1_900_000_000,
    };
    const texts = evaluateServer(facts).map(({ message }) => message);
    expect(texts).toEqual([
      "Postgres 14.11 is too old.",
      "Postgres is a read-only standby.",
      "The database's encoding is SQL_ASCII.",
      expect.stringContaining("postgres is a superuser"),
      expect.stringContaining("fsync = off: after a power failure"),
      expect.stringContaining("accepts 20 connections"),
      expect.stringContaining("1900 million transactions old"),
    ]);
  });

  it("a disk that is nearly full", async () => {
    const config = readConfig({ DATA_DIR: "/data", WATCHFLOOR_BACKUP_DIR: "/backups" });
    const gib = 1024 ** 3;
    const space = async (bytes: number) => ({ freeBytes: bytes, totalBytes: 100 * gib });
    expect(await checkDisk(config, () => space(50 * gib))).toEqual([]);
    expect(await checkDisk(config, () => space(4 * gib))).toMatchObject([
      { level: "warning" },
      { level: "warning" },
    ]);
    const [full] = await checkDisk(config, () => space(100 * 1024 ** 2));
    expect(full).toMatchObject({ level: "fault", check: "disk" });
    expect(full?.message).toBe("The disk of DATA_DIR (/data) has 100 MiB left.");
  });

  it("slots of replication that nobody reads", () => {
    const slots = evaluateSlots([
      { name: "small", bytes: 10 },
      { name: "large", bytes: 4e9 },
    ]);
    expect(slots.map(({ level }) => level)).toEqual(["warning", "fault"]);
  });
});

describe("watchfloor doctor finds of backups", () => {
  const hour = 3_600_000;
  const state = { isScheduled: true, intervalMs: 24 * hour, nowMs: 100 * hour };
  const last = { succeededAt: 90 * 3_600, seconds: 1, bytes: 1, failed: false };

  it("none, an old one, and a failed one", () => {
    expect(evaluateBackup({ ...state, last })).toEqual([]);
    expect(evaluateBackup({ ...state, last: { ...last, succeededAt: 0 } })).toMatchObject([
      { level: "fault", message: "The last scheduled backup is 100 hours old." },
    ]);
    expect(evaluateBackup({ ...state, last: { ...last, failed: true } })).toMatchObject([
      { level: "fault", message: "The last scheduled backup failed." },
    ]);
    expect(evaluateBackup({ ...state, last: null })).toMatchObject([{ level: "warning" }]);
    expect(evaluateBackup({ ...state, isScheduled: false, last: null })).toMatchObject([
      { level: "warning", message: expect.stringContaining("WATCHFLOOR_BACKUP_DIR is not set") },
    ]);
  });
});
