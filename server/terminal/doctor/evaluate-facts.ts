import type { ScheduledBackup } from "../../store/backup/scheduled-backup.ts";
import type { DatabaseFacts, OpenTransaction } from "../../store/doctor/read-facts.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** What facts of a database mean. Each function is pure. */

const VERSION_MIN = 150_000;
/** A server's pools, its writer, relay, listeners, webhooks and maintenance. */
const CONNECTIONS_PER_SERVER = 30;
const CLOCK_WARNING_MS = 2_000;
const CLOCK_FAULT_MS = 30_000;
/** Postgres stops at 2.1 billion; autovacuum starts at 200 million. */
const TRANSACTION_AGE_FAULT = 1_000_000_000;
const SLOT_FAULT_BYTES = 1024 ** 3;

const settingProblems: Readonly<Record<string, string>> = {
  fsync: "after a power failure the database may be damaged",
  full_page_writes: "after a power failure the database may be damaged",
  synchronous_commit: "an acknowledged edit may be lost",
  autovacuum: "tables grow without end",
  track_counts: "autovacuum does not run, and tables grow without end",
};

export function evaluateServer(facts: DatabaseFacts): Finding[] {
  const { fault, warning } = findingsOf("postgres");
  const found: Finding[] = [];
  const { version, versionText, role, encoding, maxConnections, transactionAge } = facts;
  if (version < VERSION_MIN) {
    found.push(fault(`Postgres ${versionText} is too old.`, "Use Postgres 15 or newer."));
  }
  if (facts.isStandby) {
    const message = "Postgres is a read-only standby.";
    found.push(fault(message, "Let DATABASE_URL name the primary, or promote this one."));
  }
  if (encoding !== "UTF8") {
    const advice = "Create a database with encoding UTF8, and restore a backup into it.";
    found.push(fault(`The database's encoding is ${encoding}.`, advice));
  }
  if (facts.isSuperuser) {
    const message = `The server's role ${role} is a superuser: a fault of the server could reach files of the machine.`;
    const advice =
      "Give the server an ordinary role (docs/guides/running.md, Use your own Postgres).";
    found.push(warning(message, advice));
  }
  for (const { name } of facts.settings) {
    const advice = `Set ${name} to on, and reload Postgres.`;
    found.push(fault(`Postgres runs with ${name} = off: ${settingProblems[name]}.`, advice));
  }
  if (maxConnections < CONNECTIONS_PER_SERVER) {
    const message = `Postgres accepts ${maxConnections} connections; one server needs up to ${CONNECTIONS_PER_SERVER}.`;
    found.push(fault(message, "Raise max_connections, and restart Postgres."));
  }
  if (transactionAge > TRANSACTION_AGE_FAULT) {
    const message = `The oldest row versions are ${Math.floor(transactionAge / 1e6)} million transactions old: Postgres stops at 2,100 million.`;
    found.push(fault(message, "Find what holds vacuum (see below), then run: vacuum freeze"));
  }
  return found;
}

/** Sessions, codes and expiry use the database's clock, logs and certificates that of the machine. */
export function evaluateClock(databaseMs: number, machineMs: number): Finding[] {
  const ahead = databaseMs - machineMs;
  const { fault, warning } = findingsOf("clock");
  if (Math.abs(ahead) < CLOCK_WARNING_MS) return [];
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  const message = `The database's clock is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} this machine's.`;
  const advice = "Let both machines set their clocks by NTP.";
  return [Math.abs(ahead) < CLOCK_FAULT_MS ? warning(message, advice) : fault(message, advice)];
}

export function evaluateTransactions(
  open: readonly OpenTransaction[],
  prepared: readonly string[],
): Finding[] {
  const { fault, warning } = findingsOf("transactions");
  const advice = (pid: number) =>
    `Find out what it does. To end it: select pg_terminate_backend(${pid});`;
  return [
    ...open.map(({ pid, role, program, isIdle, seconds }) => {
      const state = isIdle ? "is open and idle" : "runs";
      const message = `A transaction of ${program || "a program"} as ${role ?? "another role"} ${state} for ${seconds} s: vacuum can't remove old row versions.`;
      return warning(message, advice(pid));
    }),
    ...prepared.map((gid) =>
      fault(
        `The prepared transaction "${gid}" was never ended: vacuum can't remove old row versions.`,
        `Run: commit prepared or rollback prepared '${gid}';`,
      ),
    ),
  ];
}

export function evaluateSlots(slots: readonly { name: string; bytes: number }[]): Finding[] {
  const { fault, warning } = findingsOf("replication");
  return slots.map(({ name, bytes }) => {
    const size = `${Math.ceil(bytes / 1024 ** 2).toLocaleString("en-GB")} MiB`;
    const message = `Nobody reads the replication slot "${name}": Postgres retains ${size} of its log for it, until the disk is full.`;
    const advice = `Start its reader again, or run: select pg_drop_replication_slot('${name}');`;
    return bytes > SLOT_FAULT_BYTES ? fault(message, advice) : warning(message, advice);
  });
}

interface BackupState {
  last: ScheduledBackup | null;
  isScheduled: boolean;
  intervalMs: number;
  nowMs: number;
}

export function evaluateBackup({ last, isScheduled, intervalMs, nowMs }: BackupState): Finding[] {
  const { fault, warning } = findingsOf("backup");
  const advice = "See the server's log for the reason, and docs/guides/backup.md.";
  if (!isScheduled) {
    const message = "The server makes no backups: WATCHFLOOR_BACKUP_DIR is not set.";
    const how =
      "Set it to a folder on another disk, unless something else backs up the database (docs/guides/backup.md).";
    return [warning(message, how)];
  }
  const { succeededAt = null, failed = false } = last ?? {};
  if (failed) return [fault("The last scheduled backup failed.", advice)];
  if (succeededAt === null) {
    return [
      warning(
        "There is no scheduled backup yet.",
        "A running server makes the first one within a minute after the set-up.",
      ),
    ];
  }
  const age = nowMs - succeededAt * 1_000;
  if (age <= 2 * intervalMs) return [];
  const hours = Math.floor(age / 3_600_000).toLocaleString("en-GB");
  return [fault(`The last scheduled backup is ${hours} hours old.`, advice)];
}
