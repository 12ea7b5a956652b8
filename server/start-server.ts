import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { storeEnvironmentProvider } from "./auth/identity-providers.ts";
import { networkOf } from "./auth/network-of.ts";
import { validatePassword } from "./auth/password-rules.ts";
import { ensureOwner, issueSetupToken } from "./auth/setup.ts";
import { encryptStoredSecrets, unreadableSecrets } from "./auth/stored-secrets.ts";
import { startBackupJob } from "./backup-job.ts";
import { startCaptureJob } from "./capture-job.ts";
import { type Config, mailOff } from "./config/config.ts";
import { readKeyFile, withSecretKey } from "./config/secret-key.ts";
import { buildVersion, version } from "./config/version.ts";
import { requireWritableFolder } from "./config/writable-folder.ts";
import { clientDir, createServices } from "./create-services.ts";
import { issueDisplayLink } from "./displays/create-displays.ts";
import { addressOf } from "./http/address-of.ts";
import { limitBodyTime } from "./http/body-deadline.ts";
import { createApp } from "./http/create-app.ts";
import { stopServer } from "./http/stop-server.ts";
import { ClientConnections } from "./load/client-connections.ts";
import { createRateLimits } from "./load/rate-limits.ts";
import { UnreadAnswers } from "./load/unread-answers.ts";
import { LeaderWork } from "./messaging/leader-work.ts";
import { requireCapacityFor, templateOfFirstStart } from "./model/apply-template.ts";
import { ChangeFollower } from "./notifications/follow-changes.ts";
import { MailSender } from "./notifications/mail-sender.ts";
import { openStores, type Stores } from "./open-stores.ts";
import { startLive } from "./start-live.ts";
import { LATE_MS, StartedParts } from "./started-parts.ts";
import { readScheduledBackup } from "./store/backup/scheduled-backup.ts";
import { countTablesOff } from "./store/capture-check.ts";
import { moveForeignTransactions } from "./store/foreign-transactions.ts";
import { proveWrite } from "./store/installation.ts";
import { isSetUp } from "./store/models.ts";
import { migrate, requireOwnSchema } from "./store/schema/migrate.ts";
import { grantServerRights, isSuperuser } from "./store/server-rights.ts";
import { underStartLock } from "./store/start-lock.ts";
import { StatementTimes } from "./store/statement-times.ts";
import { countOpenDeliveries } from "./store/store-state.ts";
import { ErrorCounts } from "./system/error-counts.ts";
import { readDisks } from "./system/node-status.ts";
import { startSystem } from "./system/start-system.ts";
import { noTileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { Deliverer } from "./webhooks/deliverer.ts";

/** A running server. `stop` drains it: accepted work is finished, clients are notified. */
export interface RunningServer {
  url: string;
  /** The one-time link of the first run; null if there is an owner already. */
  setupLink: string | null;
  /** The path of a link that signs a user in by one click, once, and leads to a page. */
  signInPath(user: string, to: string): string;
  /** The path of a link that makes a browser the screen of a display, once; creates the display if necessary. */
  displayPath(display: { id: string; name: string; boards: string[] }): Promise<string>;
  /** What a stop that is cut short leaves behind: parts by name, and mutations that were not answered. */
  unfinished(): { parts: string[]; mutations: number };
  /** False if something did not end in time and was cut off; it is named in the log. */
  stop(): Promise<boolean>;
}

const SUPERUSER_WARNING =
  "The server's role in Postgres is a superuser. Use an ordinary one: see docs/guides/running.md, Your own Postgres.";
const NO_PUBLIC_URL_WARNING =
  "SMTP_URL is set, but PUBLIC_URL is not: no mail is sent, because its links would lead nowhere.";
const NO_ICU_WARNING =
  "This Postgres was built without ICU: texts are sorted by their code points and not by a language.";
const OTHERS_WARNING =
  "The database holds tables of other programs: no template is installed beside them. Set WATCHFLOOR_TEMPLATE to have one.";
const NO_KEY_WARNING =
  "WATCHFLOOR_SECRET_KEY is not set: secrets of authenticator apps, webhooks and providers are stored readable.";
const OTHER_KEY_WARNING =
  "Some stored secrets were encrypted with another key and can't be read: set WATCHFLOOR_SECRET_KEY to the former one and start again, or set these up again.";
const PROVIDER_OFF_WARNING =
  "WATCHFLOOR_OIDC_ISSUER is set and PUBLIC_URL is not: nobody can sign in with the company's account. Set PUBLIC_URL.";
/** Of the time to stop: for requests in flight, and for all work. The rest is for the embedded Postgres. */
export const GRACE_SHARE = 0.4;
export const WORK_SHARE = 0.6;
/** Longer than load balancers hold an idle connection, so that they are the ones to close it. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node checks for requests that are late. */
const LATE_CHECK_MS = 2_000;

/**
 * Builds and connects all parts: the only place that knows them all. `stop`, or a failure of a later part,
 * takes them down in the opposite order. So does a `stopping` that is aborted during the start, which then fails with its reason;
 * other servers that start learn of it at any time.
 */
export async function startServer(
  config: Config,
  log: Logger,
  stopping: AbortSignal = new AbortController().signal,
): Promise<RunningServer> {
  const built = new StartedParts();
  try {
    return await build(config, log, built, stopping);
  } catch (error) {
    return await built.stopAfter(error, workMsOf(config), (err) =>
      log.error({ err }, "what was started did not stop cleanly"),
    );
  }
}

async function build(
  config: Config,
  log: Logger,
  built: StartedParts,
  stopRequest: AbortSignal,
): Promise<RunningServer> {
  const statements = new StatementTimes();
  const stores = await openStores(config, log, built, statements, stopRequest);
  stopRequest.throwIfAborted();
  const { database, maintenance } = stores;
  const services = await underStartLock(maintenance, log, () =>
    prepare(config, log, stores, built),
  );
  stopRequest.throwIfAborted();
  const { auth, bus, commands, displays, notifications, relay, webhooks } = services;
  const model = services.model;
  const { limits } = config;
  const rates = createRateLimits(limits.RATE_WINDOW_MS);
  const tileMetrics = noTileMetrics();
  const errors = new ErrorCounts();
  const addressAt = addressOf(config.trustProxy);
  const connections = new ClientConnections((request) => networkOf(addressAt(request)), limits);
  const answers = new UnreadAnswers(limits);
  const shared = { database, config, log, rates, connections, tileMetrics, errors };
  const live = await startLive(services, shared);
  const { sockets, tails } = live;
  const isLeader = () => relay.isLeader();
  const socketCount = () => sockets.count();
  const feedLag = () => tails.lag();
  const system = startSystem({
    ...{ config, database, model, bus, log, errors, statements },
    ...{ isLeader, connections: socketCount, feedLag, waitingMutations: () => commands.waiting() },
  });
  const capture = startCaptureJob({ database: maintenance, model, isLeader, log });
  const followers = [
    new Deliverer(webhooks, log),
    new ChangeFollower(notifications, (table, after) => tails.recent(table, after)),
    ...(notifications.mail ? [new MailSender(notifications, notifications.mail, log)] : []),
  ].map((source) => new LeaderWork(source, isLeader, log));
  const unfollow = tails.onEvent(({ tail }) => {
    for (const one of followers) one.wake(tail.table);
  });
  built.defer("webhook deliveries, notifications and mail", async () => {
    unfollow();
    await Promise.all(followers.map((one) => one.stop()));
  });
  if (config.backupDir) {
    const folder = resolve(config.backupDir);
    const job = startBackupJob({
      ...{ database: maintenance, version: buildVersion, log, isLeader, folder, limits },
    });
    built.defer("the scheduled backup", job);
  }
  let stopping = false;
  const app = createApp({
    ...services,
    ...{ rates, connections, answers, config, log, version, clientDir, errors },
    stopping: () => stopping,
    system: system.read,
    gauges: {
      sockets: socketCount,
      tiles: () => tileMetrics,
      busRejected: () => bus.rejected(),
      isLeader,
      waitingMutations: () => commands.waiting(),
      disks: () => readDisks(config),
      errors: () => errors.byCode(),
      openDeliveries: () => countOpenDeliveries(database.kysely),
      interruptions: () => capture.interruptions(),
      tablesOff: () => countTablesOff(database.kysely),
      backup: () => readScheduledBackup(database.kysely),
      feedLag,
    },
    checks: {
      store: () => proveWrite(database).then(() => true),
      writer: () => commands.isReady(),
    },
  });
  const token = await issueSetupToken(auth);
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // Each body has a time of its own, and that of an import grows with it (body-deadline.ts).
      requestTimeout: 0,
      connectionsCheckingInterval: LATE_CHECK_MS,
      // Any other upgrade, as `h2c` of a client that tries HTTP/2, is answered as if it had not been asked for.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    app,
  );
  sockets.attach(server);
  limitBodyTime(server, limits.PUBLIC_BODY_TIMEOUT_MS);
  answers.watch(server);
  connections.watch(server);
  built.defer("live updates", () => live.stop());
  built.defer("system status", () => system.stop());
  built.defer("the check of triggers", () => capture.stop());
  built.defer("edits and reads", () => commands.close());
  built.defer("change sets", services.changeSets.start());
  const onCut = (connections: number) =>
    log.warn({ connections }, "requests that did not end in time were cut off");
  const graceMs = GRACE_SHARE * limits.STOP_TIMEOUT_MS;
  built.defer("requests", () => stopServer(server, graceMs, onCut), graceMs + LATE_MS);
  built.defer("sockets", () => sockets.close());
  const port = await listen(server, config);
  const url = config.publicUrl ?? `http://localhost:${port}`;
  const unfinished = () => ({ parts: built.unfinished, mutations: commands.waiting() });
  return {
    url,
    setupLink: token && `${url}/setup#token=${token}`,
    signInPath: (user, to) => `/api/v1/sign-in/${auth.links.issue({ user, to })}`,
    displayPath: async (display) =>
      `/api/v1/display/open/${await issueDisplayLink(displays, display)}`,
    unfinished,
    async stop() {
      stopping = true;
      await built.stop(workMsOf(config), () =>
        log.warn(unfinished(), "stopped before these had ended"),
      );
      return built.unfinished.length === 0;
    },
  };
}

/**
 * Brings the database up to date and, on a first start with an owner in the environment, sets it up.
 * Obstacles are found before anything is written.
 */
async function prepare(config: Config, log: Logger, stores: Stores, built: StartedParts) {
  const { owner, backupDir, logArchiveDir } = config;
  const { database, maintenance } = stores;
  if (backupDir) await requireWritableFolder("WATCHFLOOR_BACKUP_DIR", backupDir);
  if (logArchiveDir) await requireWritableFolder("WATCHFLOOR_LOG_ARCHIVE_DIR", logArchiveDir);
  await requireOwnSchema(maintenance);
  const { template, others } = await templateOfFirstStart(maintenance, config.template);
  if (owner && others.length > 0) log.warn({ tables: others.slice(0, 5) }, OTHERS_WARNING);
  if (owner && !(await isSetUp(maintenance))) {
    await validatePassword(owner.password, [owner.email]);
    await requireCapacityFor(maintenance, template);
  }
  const textOrder = await migrate(maintenance, config.language);
  if (textOrder === null) log.warn(NO_ICU_WARNING);
  await moveForeignTransactions(maintenance);
  await grantServerRights(maintenance, database);
  if (await isSuperuser(database)) log.warn(SUPERUSER_WARNING);
  if (mailOff(config) === "no_public_url") log.warn(NO_PUBLIC_URL_WARNING);
  const keyed = await withSecretKey(config);
  const { secretKey } = keyed;
  if (secretKey === undefined) log.warn(NO_KEY_WARNING);
  await encryptStoredSecrets(maintenance.kysely, secretKey, await readKeyFile(config));
  const services = await createServices(keyed, log, stores, built, textOrder);
  if (owner) await ensureOwner(services.auth, { ...owner, template });
  await storeEnvironmentProvider(services.auth, config.provider);
  if (config.provider && config.publicUrl === undefined) log.warn(PROVIDER_OFF_WARNING);
  const unreadable = await unreadableSecrets(maintenance.kysely, secretKey);
  if (unreadable !== null) log.warn({ unreadable }, OTHER_KEY_WARNING);
  return services;
}

const workMsOf = ({ limits }: Config) => WORK_SHARE * limits.STOP_TIMEOUT_MS;

/** Listens on the port; rejects if that is taken. */
async function listen(server: Server, { port, host }: Config): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  });
  return (server.address() as AddressInfo).port;
}
