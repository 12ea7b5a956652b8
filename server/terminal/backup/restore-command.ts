import { createSecretBox } from "../../auth/secret-box.ts";
import { unreadableSecrets } from "../../auth/stored-secrets.ts";
import { withStoredKey } from "../../config/secret-key.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import type { Manifest } from "../../store/backup/manifest.ts";
import { checkBackup, restoreBackup } from "../../store/backup/restore-backup.ts";
import { describeContent } from "../../store/backup/write-backup.ts";
import { defineCommand, oneFile } from "../command.ts";
import { printable } from "../print-table.ts";
import { withStore } from "./open-store.ts";

/** `watchfloor restore`: puts a backup into an empty database, or in place of an installation. */

const usage = `watchfloor restore <file> [--replace]     restores a backup into the database of this environment

  --replace    deletes the installation that is in the database, and restores the backup in its place

Stop all servers first. The database is that of DATABASE_URL, or the one in DATA_DIR. The file is checked before
anything is written; if the restore fails, the database is as it was.`;

/** What a restored installation lacks. */
export const afterwards = `Everybody has to sign in again, and displays have to be paired again. API tokens, invitations and password
reset links are void: create new ones. Webhooks are paused: resume those that shall send from here.`;

async function run(positionals: string[], replace: boolean): Promise<number> {
  const file = oneFile(positionals);
  const content = await checkBackup(file).catch((error: unknown) => {
    if (!(error instanceof BackupError)) throw error;
    console.error(error.message);
  });
  if (!content) return 1;
  const done = await withStore({ beside: false }, async ({ database, config }) => {
    const { secretKey } = await withStoredKey(config);
    await restoreBackup(database, file, { replace });
    const lost = await unreadableSecrets(database.kysely, secretKey);
    if (lost !== null)
      console.error(`${keyProblem(content.manifest, secretKey)} ${printable(lost)}.`);
    return true;
  });
  if (!done) return 1;
  const { createdAt, version, omitted } = content.manifest;
  console.log(`Restored ${describeContent(content)}.
The backup was made at ${createdAt} by Watchfloor ${version}. ${afterwards}`);
  if (omitted.length) {
    console.log(
      `These columns were not in it, because the model has none such: ${omitted.join(", ")}.`,
    );
  }
  return 0;
}

/** Secrets are restored as they are; without their key nobody can use an authenticator app, and webhooks stop. What is lost follows. */
function keyProblem({ encrypted }: Manifest, key: string | undefined): string {
  const isOfOne =
    encrypted && createSecretBox(key).decrypt(encrypted.secret, encrypted.owner) !== null;
  const found = !key
    ? "is not there, and it was when the backup was made"
    : isOfOne
      ? "is not the only one that secrets of the backup were encrypted with"
      : "is another one than when the backup was made";
  return `The secret key (WATCHFLOOR_SECRET_KEY, or secret-key in DATA_DIR) ${found}: start the server with WATCHFLOOR_SECRET_KEY set to the former key, or set up again what was encrypted with it:`;
}

export const command = defineCommand({
  usage,
  options: { replace: { type: "boolean" } },
  maxArguments: 1,
  run: ({ values, positionals }) => run(positionals, values.replace === true),
});
