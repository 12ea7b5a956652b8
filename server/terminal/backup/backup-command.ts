import { buildVersion } from "../../config/version.ts";
import { describeContent, writeBackup } from "../../store/backup/write-backup.ts";
import { defineCommand, oneFile } from "../command.ts";
import { withStore } from "./open-store.ts";

/** `watchfloor backup`: writes everything that Watchfloor stores to a file. */

const usage = `watchfloor backup <file>     writes everything that Watchfloor stores, as it is at one moment, in one file

It reads the database of this environment (DATABASE_URL, or the one in DATA_DIR), also while servers run and
users edit. The file contains password hashes: only you may read it. Restore it with watchfloor restore.`;

async function run({ positionals }: { positionals: string[] }): Promise<number> {
  const file = oneFile(positionals);
  const written = await withStore({ beside: true }, ({ database }) =>
    writeBackup(database, file, buildVersion),
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

export const command = defineCommand({ usage, options: {}, maxArguments: 1, run });
