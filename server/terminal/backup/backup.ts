import { version } from "../../config/version.ts";
import { describeContent, writeBackup } from "../../store/backup/write-backup.ts";
import { runCommand } from "../run-command.ts";
import { readBackupArguments } from "./backup-arguments.ts";
import { withStore } from "./open-store.ts";

/** `npm run backup`: writes everything that Watchfloor stores to a file. */

const usage = `npm run backup -- <file>     everything that Watchfloor stores, as it is at one moment, in one file

It reads the database of this environment (DATABASE_URL, or the one in DATA_DIR), also while servers run and
users edit. The file contains password hashes: only you may read it. Restore it with npm run restore.`;

async function run(): Promise<number> {
  const { file } = readBackupArguments(process.argv.slice(2), []);
  const written = await withStore({ beside: true }, ({ database }) =>
    writeBackup(database, file, version),
  );
  if (!written) return 1;
  const kilobytes = Math.ceil(written.bytes / 1_000).toLocaleString("en-GB");
  console.log(`${file} (${kilobytes} kB) holds ${describeContent(written)}.`);
  const { omitted } = written.manifest;
  if (omitted.length) {
    console.log(`Not in the backup, because the model does not have them: ${omitted.join(", ")}.`);
  }
  return 0;
}

runCommand(run, usage);
