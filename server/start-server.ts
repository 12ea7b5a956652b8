import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { unavailable } from "../shared/protocol/errors.ts";
import { validatePassword } from "./auth/password-rules.ts";
import { createRateLimits } from "./auth/rate-limits.ts";
import { startBackupJob } from "./backup-job.ts";
import type { Config } from "./config/config.ts";
import { version } from "./config/version.ts";
import { requireWritableFolder } from "./config/writable-folder.ts";
import { clientDir, createServices } from "./create-services.ts";
import { startDigestJob } from "./digest-job.ts";
import { addressOf } from "./http/address-of.ts";
import { limitBodyTime } from "./http/body-deadline.ts";
import { createApp } from "./http/create-app.ts";
import { stopServer } from "./http/stop-server.ts";
import { requireCapacityFor } from "./model/apply-template.ts";
import { openStores, type Stores } from "./open-stores.ts";
import { startLive } from "./start-live.ts";
import { readScheduledBackup } from "./store/backup/scheduled-backup.ts";
import { moveForeignTransactions } from "./store/foreign-transactions.ts";
import { migrate, requireOwnSchema } from "./store/migrations/migrate.ts";
import { isSetUp } from "./store/models.ts";
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
  stop(): Promise<void>;
}

const SUPERUSER_WARNING =
  "The server's role in Postgres is a superuser. Use an ordinary one: see docs/guides/running.md, Your own Postgres.";
const STOP_GRACE_MS = 10_000;
/** Longer than load balancers hold an idle connection, so that they are the ones to close it. */
const KEEP_ALIVE_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** How often Node checks for requests that are late. */
const LATE_CHECK_MS = 2_000;

/**
 * Builds and connects all parts: the only place that knows them all. `stop`, or a failure of a later part,
 * takes them down in the opposite order.
 */
export async function startServer(config: Config, log: Logger): Promise<RunningServer> {
  const built = new AsyncDisposableStack();
  try {
    return await build(config, log, built);
  } catch (error) {
    await built.disposeAsync();
    throw error;
  }
}

async function build(
  config: Config,
  log: Logger,
  built: AsyncDisposableStack,
): Promise<RunningServer> {
  const statements = new StatementTimes();
  const stores = await openStores(config, log, built, statements);
  const { database, maintenance } = stores;
  const services = await underStartLock(maintenance, log, () =>
    prepare(config, log, stores, built),
  );
  const { auth, displays } = services;
  const rates = createRateLimits(config.limits.RATE_WINDOW_MS);
  const tileMetrics = noTileMetrics();
  const errors = new ErrorCounts();
  let stopping = false;
  const app = createApp({
    ...services,
    model: services.model.get,
    rates,
    config,
    log,
    version,
    clientDir,
    stopping: () => stopping,
    errors,
    system: (subject) => requireStarted(services.system).read(subject),
    gauges: {
      sockets: () => services.live?.connections() ?? 0,
      tiles: () => tileMetrics,
      busRejected: () => services.live?.bus.rejected() ?? {},
      isLeader: () => services.live?.isLeader() ?? false,
      waitingMutations: services.commands.waiting,
      disks: () => readDisks(config),
      errors: () => errors.byCode(),
      openDeliveries: () => countOpenDeliveries(database.kysely),
      bypassed: () => services.digests?.bypassed() ?? {},
      backup: () => readScheduledBackup(database.kysely),
      feedLag: async () => (await services.live?.feedLag()) ?? {},
    },
    checks: {
      store: () => database.pool.query("select 1").then(() => true),
      writer: services.commands.isReady,
    },
  });
  const token = await auth.setup.issueToken();
  const server = createServer(
    {
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      // The longest that any request may take; all except imports have less (body-deadline.ts).
      requestTimeout: config.limits.IMPORT_TIMEOUT_MS,
      connectionsCheckingInterval: LATE_CHECK_MS,
    },
    app,
  );
  const beside = {
    server,
    addressOf: addressOf(app),
    database,
    rates,
    config,
    log,
    tileMetrics,
    errors,
  };
  const live = await startLive({ ...services, ...beside });
  services.live = live;
  const { isLeader, connections, feedLag, bus } = live;
  services.system = startSystem({
    ...{ config, database, model: services.model.get, bus, log, errors, statements },
    ...{ isLeader, connections, feedLag, waitingMutations: services.commands.waiting },
  });
  services.digests = startDigestJob({
    database: stores.maintenance,
    model: services.model.get,
    isLeader: live.isLeader,
    limits: config.limits,
    log,
  });
  const deliverer = new Deliverer({ ...services.webhookDeps, isLeader: live.isLeader, log });
  built.defer(() => deliverer.stop());
  built.defer(live.tails.onEvent(({ tail }) => deliverer.wake(tail.table)));
  if (config.backupDir) {
    const stopBackups = startBackupJob({
      ...{ database: maintenance, version, log, isLeader: live.isLeader },
      ...{ folder: resolve(config.backupDir), limits: config.limits },
    });
    built.defer(stopBackups);
  }
  limitBodyTime(server, config.limits.PUBLIC_BODY_TIMEOUT_MS);
  built.defer(() => live.stop());
  built.defer(() => services.system?.stop());
  built.defer(() => services.digests?.stop());
  built.defer(() => services.commands.close());
  built.defer(() => stopServer(server, STOP_GRACE_MS));
  built.defer(() => live.closeSockets());
  const port = await listen(server, config);
  const url = config.publicUrl ?? `http://localhost:${port}`;
  return {
    url,
    setupLink: token && `${url}/setup#token=${token}`,
    signInPath: (user, to) => `/api/v1/sign-in/${auth.links.issue({ user, to })}`,
    displayPath: async (display) => `/api/v1/display/open/${await displays.issueLink(display)}`,
    async stop() {
      stopping = true;
      await built.disposeAsync();
    },
  };
}

/**
 * Brings the database up to date and, on a first start with an owner in the environment, sets it up.
 * Obstacles are found before anything is written.
 */
async function prepare(config: Config, log: Logger, stores: Stores, built: AsyncDisposableStack) {
  const { owner, template = "service-desk", backupDir, logArchiveDir } = config;
  const { database, maintenance } = stores;
  if (backupDir) await requireWritableFolder("WATCHFLOOR_BACKUP_DIR", backupDir);
  if (logArchiveDir) await requireWritableFolder("WATCHFLOOR_LOG_ARCHIVE_DIR", logArchiveDir);
  await requireOwnSchema(maintenance);
  if (owner && !(await isSetUp(maintenance))) {
    await validatePassword(owner.password, [owner.email]);
    await requireCapacityFor(maintenance, template);
  }
  await migrate(maintenance);
  await moveForeignTransactions(maintenance);
  await grantServerRights(maintenance, database);
  if (await isSuperuser(database)) log.warn(SUPERUSER_WARNING);
  const services = await createServices(config, log, stores, built);
  if (owner) await services.auth.setup.ensureOwner({ ...owner, template });
  return services;
}

/** Requests can arrive only after everything was started. */
function requireStarted<T>(part: T | null): T {
  if (part === null) throw unavailable();
  return part;
}

/** Listens on the port; rejects if that is taken. */
async function listen(server: Server, { port, host }: Config): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  });
  return (server.address() as AddressInfo).port;
}
