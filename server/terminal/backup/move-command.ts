import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { readKeyFile, secretKeyFile } from "../../config/secret-key.ts";
import { buildVersion } from "../../config/version.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import { requireTarget } from "../../store/backup/clear-target.ts";
import { checkBackup, excludeServers, restoreBackup } from "../../store/backup/restore-backup.ts";
import {
  describeContent,
  type WrittenBackup,
  writeBackup,
} from "../../store/backup/write-backup.ts";
import { type Database, openDatabase } from "../../store/database.ts";
import { defineCommand } from "../command.ts";
import { UsageError } from "../server-call.ts";
import { type OpenStore, openEmbedded, withStore } from "./open-store.ts";
import { afterwards } from "./restore-command.ts";

/** `watchfloor move`: a backup of this environment's database, restored into another one. */

const EMBEDDED = "embedded";

const usage = `watchfloor move --to <address> [--replace]     moves the installation to another database

  --to <address>    another Postgres, 15 or newer, with an empty database: postgres://user:password@host/database.
                    WATCHFLOOR_MOVE_TO keeps it out of the list of processes. "${EMBEDDED}" is the one in DATA_DIR
  --replace         deletes the installation that is in the other database

Stop all servers first. What is moved is the database of this environment: that of DATABASE_URL, or the one in
DATA_DIR. It is left as it was. A backup of it is written to a temporary folder (TMPDIR), checked, restored in the
other database in one transaction, and deleted.`;

async function run(to: string | undefined, replace: boolean): Promise<number> {
  if (to !== EMBEDDED && !/^postgres(ql)?:\/\//.test(to ?? "")) {
    throw new UsageError(`Name the other database with --to: postgres://… or ${EMBEDDED}.`);
  }
  const moved = await withStore({ beside: false, mustExist: true }, async (source) => ({
    content: await move(source, to ?? "", replace),
    keyFile: await keyFileOf(source.config),
    from: source.config.databaseUrl ? "DATABASE_URL" : `DATA_DIR (${source.config.dataDir})`,
  }));
  if (!moved) return 1;
  const change = to === EMBEDDED ? "Remove DATABASE_URL" : "Set DATABASE_URL to the other database";
  console.log(`Moved ${describeContent(moved.content)}.
${change} in the settings of every server, then start them. Until then they use the
former database, that of ${moved.from}, which is as it was.

${afterwards}`);
  if (moved.keyFile !== null) {
    console.log(
      `Set WATCHFLOOR_SECRET_KEY on every server, too, to the content of ${moved.keyFile}: stored secrets are encrypted with it.`,
    );
  }
  return 0;
}

/** The file of the key that the source is encrypted with; null if the settings name it, which stay. */
async function keyFileOf(config: Config): Promise<string | null> {
  const isUsed = config.secretKey === undefined && (await readKeyFile(config)) !== undefined;
  return isUsed ? secretKeyFile(config) : null;
}

async function move(
  { database: source, config }: OpenStore,
  to: string,
  replace: boolean,
): Promise<WrittenBackup> {
  await using opened = new AsyncDisposableStack();
  // Until the end: what a server stored after the backup would be lost.
  await excludeServers(source, opened);
  const target = await openTarget(to, config, opened);
  await requireTarget(target.kysely, { replace }).catch(unusable);
  const folder = await mkdtemp(join(tmpdir(), "watchfloor-move-"));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "move.backup");
  const written = await writeBackup(source, file, buildVersion);
  await checkBackup(file);
  await restoreBackup(target, file, { replace });
  return written;
}

async function openTarget(
  to: string,
  config: Config,
  opened: AsyncDisposableStack,
): Promise<Database> {
  const isSource =
    to === EMBEDDED
      ? config.databaseUrl === undefined
      : to === config.databaseUrl || to === config.databaseOwnerUrl;
  if (isSource) throw new BackupError("The installation is in that database already.");
  const connectionString =
    to === EMBEDDED ? await openEmbedded(config, { beside: false, mustExist: false }, opened) : to;
  const target = openDatabase({ connectionString, poolSize: 1, onError: () => {} });
  opened.defer(() => target.close());
  return target;
}

function unusable(error: unknown): never {
  if (error instanceof BackupError) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  throw new BackupError(`The database of --to can't be used: ${reason}. Nothing was changed.`);
}

export const command = defineCommand({
  usage,
  options: { to: { type: "string" }, replace: { type: "boolean" } },
  run: ({ values }) => run(values.to ?? process.env.WATCHFLOOR_MOVE_TO, values.replace === true),
});
