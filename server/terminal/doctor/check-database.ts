import { Refusal } from "../../../shared/protocol/errors.ts";
import { unreadableSecrets } from "../../auth/stored-secrets.ts";
import type { Config } from "../../config/config.ts";
import { startFailure } from "../../start-failure.ts";
import { BackupError } from "../../store/backup/backup-error.ts";
import { readScheduledBackup } from "../../store/backup/scheduled-backup.ts";
import { disabledTriggers, tablesWithoutCapture } from "../../store/capture-check.ts";
import { type Database, type Db, openDatabase } from "../../store/database.ts";
import {
  countInterruptions,
  readCreations,
  readDatabaseFacts,
  readForbiddenTables,
  readForeignTables,
  readIdleSlots,
  readLongTransactions,
  readPreparedTransactions,
  readRefusedReceivers,
} from "../../store/doctor/read-facts.ts";
import { readInstallation } from "../../store/installation.ts";
import { tablesOfOthers } from "../../store/managed-tables.ts";
import { readMisfits, sentenceOf } from "../../store/model-fit.ts";
import { hasSchema, isSetUp, readModel } from "../../store/models.ts";
import { requireOwnSchema } from "../../store/schema/migrate.ts";
import { openEmbedded } from "../backup/open-store.ts";
import { checkProviders } from "./check-providers.ts";
import { checkOwnerPassword } from "./check-settings.ts";
import {
  evaluateBackup,
  evaluateClock,
  evaluateServer,
  evaluateSlots,
  evaluateTransactions,
} from "./evaluate-facts.ts";
import { type Finding, findingsOf, hostOf } from "./finding.ts";

/** Faults of the database. It is only read. */

const LONG_TRANSACTION_SECONDS = 300;
const INTERRUPTED_DAYS = 7;
const NAMED_MAX = 5;

const unknownAuthority = [
  "nobody whom this server knows has signed its certificate",
  "With a certificate authority of your own, name its file in NODE_EXTRA_CA_CERTS and restart the server.",
] as const;
/** By the error of a delivery: what is wrong with a receiver's certificate, and what to do. */
const certificateProblems: Readonly<Record<string, readonly [string, string]>> = {
  certificate: unknownAuthority,
  certificate_expired: [
    "its certificate has expired, or is not valid yet",
    "Have the certificate renewed, and check the clock of this machine.",
  ],
  certificate_name: [
    "its certificate is for another name",
    "Enter the address by a name that is in the certificate, or have that name added.",
  ],
};

interface DatabaseReport {
  findings: Finding[];
  /** The id of the installation; null if it could not be read. */
  installation: string | null;
}

export async function checkDatabase(
  config: Config,
  clock: () => number = Date.now,
): Promise<DatabaseReport> {
  await using opened = new AsyncDisposableStack();
  const found: Finding[] = [];
  const report = (installation: string | null) => ({ findings: found, installation });
  try {
    const url = config.databaseUrl ?? (await openEmbedded(config, { beside: true }, opened));
    const database = open(url, opened);
    const owner = config.databaseOwnerUrl ? open(config.databaseOwnerUrl, opened) : database;
    const facts = await readDatabaseFacts(database.kysely);
    const machine = clock();
    found.push(...evaluateServer(facts), ...evaluateClock(facts.now, machine));
    found.push(...(await checkActivity(database.kysely)));
    found.push(...(await checkCreations(config, owner)));
    if (!(await hasSchema(owner.kysely))) return report(null);
    await requireOwnSchema(owner);
    found.push(...(await checkTables(config, database.kysely, owner.kysely)));
    if (found.some(({ check, level }) => check === "rights" && level === "fault")) {
      return report(null);
    }
    found.push(...(await checkContent(config, database, machine)));
    return report((await readInstallation(database)).id);
  } catch (error) {
    found.push(describe(error, config));
    return report(null);
  }
}

function open(connectionString: string, opened: AsyncDisposableStack): Database {
  const database = openDatabase({ connectionString, poolSize: 1, onError: () => {} });
  opened.defer(() => database.close());
  return database;
}

function describe(error: unknown, config: Config): Finding {
  if (error instanceof BackupError) {
    return findingsOf("postgres").warning(
      error.message,
      "Start the server once, or set DATABASE_URL.",
    );
  }
  const reason = startFailure(error, config);
  if (error instanceof Refusal) {
    return findingsOf("schema").fault(error.message, "See docs/guides/upgrading.md.");
  }
  const message = typeof reason === "string" ? reason : (error as Error).message;
  const advice =
    "Check that Postgres runs, its address, the role and its password, and what pg_hba.conf allows.";
  return findingsOf("postgres").fault(message, advice);
}

async function checkActivity(db: Db): Promise<Finding[]> {
  const open = await readLongTransactions(db, LONG_TRANSACTION_SECONDS);
  const prepared = await readPreparedTransactions(db, LONG_TRANSACTION_SECONDS);
  return [...evaluateTransactions(open, prepared), ...evaluateSlots(await readIdleSlots(db))];
}

/** What the server creates at the start and with the model, and what is there already. */
async function checkCreations({ databaseOwnerUrl }: Config, owner: Database): Promise<Finding[]> {
  const found: Finding[] = [];
  const may = await readCreations(owner.kysely);
  const role = `The role of ${databaseOwnerUrl ? "DATABASE_OWNER_URL" : "DATABASE_URL"}`;
  const advice = "As a superuser, run: alter database … owner to …; (docs/guides/running.md)";
  const { fault } = findingsOf("rights");
  if (!may.schema) {
    found.push(fault(`${role} may not create schema watchfloor: the server can't start.`, advice));
  }
  if (!may.tables) {
    const message = `${role} may not create tables in schema public: no table can be added to the model.`;
    found.push(fault(message, "As its owner, run: grant create on schema public to …;"));
  }
  const others = (await isSetUp(owner)) ? [] : await tablesOfOthers(owner.kysely);
  if (others.length > 0) {
    const message = `The database holds tables of other programs: ${named(others)}.`;
    const how =
      "Give Watchfloor a database of its own. If it is to work beside them, WATCHFLOOR_TEMPLATE=empty installs no tables.";
    found.push(findingsOf("schema").warning(message, how));
  }
  return found;
}

/** Owner and rights of the tables, and their triggers. */
async function checkTables({ databaseOwnerUrl }: Config, db: Db, owner: Db): Promise<Finding[]> {
  const found: Finding[] = [];
  const { fault } = findingsOf("rights");
  const foreign = await readForeignTables(owner);
  if (foreign.length > 0) {
    const variable = databaseOwnerUrl ? "DATABASE_OWNER_URL" : "DATABASE_URL";
    const names = named(foreign.map(({ table, owner: role }) => `${table} (${role})`));
    const message = `Tables belong to another role than that of ${variable}: ${names}. Upgrades and changes of the model fail.`;
    const advice =
      "As a superuser, run for each: alter table … owner to …; or: reassign owned by … to …;";
    found.push(fault(message, advice));
  }
  const forbidden = await readForbiddenTables(db);
  if (forbidden.length > 0) {
    const message = `The role of DATABASE_URL may not read and write: ${named(forbidden)}.`;
    const advice = databaseOwnerUrl
      ? "Start the server: it grants its role what it needs, as the owner."
      : "Make the role the owner of the tables, or set DATABASE_OWNER_URL.";
    found.push(fault(message, advice));
  }
  for (const misfit of await readMisfits(owner, await readModel(owner))) {
    const advice =
      "Another program has changed the table. Give the column its name and type again; or remove the field from the model, then add it anew.";
    found.push(findingsOf("model").fault(sentenceOf(misfit), advice));
  }
  const uncaptured = await tablesWithoutCapture(owner);
  if (uncaptured.length > 0) {
    const message = `Changes are not captured: triggers of ${named(uncaptured)} are missing or disabled. Screens and history miss what other programs write.`;
    const advice =
      "A running server installs them again within seconds, and every screen reads the records again. Find out who disabled them.";
    found.push(findingsOf("capture").fault(message, advice));
  }
  const disabled = await disabledTriggers(owner);
  if (disabled.length > 0) {
    const message = `Triggers of Watchfloor's own tables are disabled: ${named(disabled)}. Screens and history miss changes, or users keep rights that they have lost.`;
    const advice =
      "A running server enables them within seconds and publishes what was missed. Find out who disabled them.";
    found.push(findingsOf("capture").fault(message, advice));
  }
  return found;
}

async function checkContent(config: Config, database: Database, nowMs: number): Promise<Finding[]> {
  const db = database.kysely;
  const found = checkOwnerPassword(config, await isSetUp(database));
  const interruptions = await countInterruptions(db, INTERRUPTED_DAYS);
  if (interruptions > 0) {
    const message = `In the last ${INTERRUPTED_DAYS} days, triggers were found disabled, or enabled again, ${interruptions} times: changes may be missing in the history.`;
    const advice =
      "Administration, Security events names the tables. Find the program that disables triggers.";
    found.push(findingsOf("capture").warning(message, advice));
  }
  found.push(
    ...evaluateBackup({
      last: await readScheduledBackup(db),
      isScheduled: config.backupDir !== undefined,
      intervalMs: config.limits.BACKUP_INTERVAL_MS,
      nowMs,
    }),
  );
  found.push(...(await checkProviders(config, db)), ...(await checkReceivers(db)));
  const unreadable = await unreadableSecrets(db, config.secretKey);
  if (unreadable !== null) {
    const message = `The secret key (WATCHFLOOR_SECRET_KEY, or secret-key in DATA_DIR) is not the key that these were encrypted with: ${unreadable}. They can't be used: authenticator apps are refused, and webhooks stop.`;
    const advice =
      "Set WATCHFLOOR_SECRET_KEY to the former key, and leave the file secret-key as it is: what was stored with its key since is then encrypted with the former one. If that is lost, reset second factors and replace the secrets.";
    found.push(findingsOf("secret-key").fault(message, advice));
  }
  return found;
}

/** Receivers of webhooks whose certificates this server does not accept, as its last attempt to deliver found. */
async function checkReceivers(db: Db): Promise<Finding[]> {
  const { warning } = findingsOf("webhooks");
  const refused = await readRefusedReceivers(db);
  return refused.map(({ name, url, error }) => {
    const [problem, advice] = certificateProblems[error] ?? unknownAuthority;
    return warning(`Webhook ${name} can't deliver to ${hostOf(url)}: ${problem}.`, advice);
  });
}

function named(names: readonly string[]): string {
  const rest = names.length - NAMED_MAX;
  const shown = names.slice(0, NAMED_MAX).join(", ");
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
