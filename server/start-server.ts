import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { unavailable } from "../shared/protocol/errors.ts";
import { createAuth } from "./auth/create-auth.ts";
import { validatePassword } from "./auth/password-rules.ts";
import { createRateLimits } from "./auth/rate-limits.ts";
import { createSecretBox } from "./auth/secret-box.ts";
import { startBackupJob } from "./backup-job.ts";
import { ChangeSets } from "./change-sets/change-sets.ts";
import { createCommands } from "./commands/create-commands.ts";
import { Comments } from "./comments/comments.ts";
import type { Config } from "./config/config.ts";
import { version } from "./config/version.ts";
import { requireWritableFolder } from "./config/writable-folder.ts";
import { type DigestJob, startDigestJob } from "./digest-job.ts";
import { createDisplays } from "./displays/create-displays.ts";
import { playerBuild } from "./displays/player-build.ts";
import { addressOf } from "./http/address-of.ts";
import { limitBodyTime } from "./http/body-deadline.ts";
import { createApp } from "./http/create-app.ts";
import { stopServer } from "./http/stop-server.ts";
import {
  applyTemplate,
  requireCapacityFor,
  templateBoards,
  templateViews,
} from "./model/apply-template.ts";
import { createModels } from "./model/create-models.ts";
import { createCurrentModel } from "./model/current-model.ts";
import { reportTo } from "./policy/internal-error.ts";
import { type Live, startLive } from "./start-live.ts";
import { readScheduledBackup } from "./store/backup/scheduled-backup.ts";
import { sweepChangeSets } from "./store/change-sets/change-sets.ts";
import { sweepComments } from "./store/comments.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { completeTables } from "./store/ddl/complete-tables.ts";
import { startEmbeddedPostgres } from "./store/embedded/start-embedded-postgres.ts";
import { moveForeignTransactions } from "./store/foreign-transactions.ts";
import { migrate, requireOwnSchema } from "./store/migrations/migrate.ts";
import { isSetUp } from "./store/models.ts";
import { sweepRefusals } from "./store/mutations.ts";
import { grantServerRights, isSuperuser } from "./store/server-rights.ts";
import { underStartLock } from "./store/start-lock.ts";
import { StatementTimes } from "./store/statement-times.ts";
import { countOpenDeliveries } from "./store/store-state.ts";
import { sweepLog } from "./store/sweep-log.ts";
import {
  type AccessListeners,
  listenForAccessChanges,
} from "./store/users/listen-for-access-changes.ts";
import { sweepViews } from "./store/views/views.ts";
import { sweepDeliveries } from "./store/webhooks/deliveries.ts";
import { ErrorCounts } from "./system/error-counts.ts";
import { readDisks } from "./system/node-status.ts";
import { type System, startSystem } from "./system/start-system.ts";
import { BoardCommands } from "./tiles/boards/board-commands.ts";
import { Boards } from "./tiles/boards/boards.ts";
import { installBoards } from "./tiles/boards/install-boards.ts";
import { noTileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { installViews } from "./views/install-views.ts";
import { Views } from "./views/views.ts";
import { Deliverer } from "./webhooks/deliverer.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

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

/** Reads have their own (server/commands/reads.ts). */
const POOL_CONNECTIONS = 12;
/** For work that may take long: migrations, changes of tables, sweeps. */
const MAINTENANCE_CONNECTIONS = 3;
/** Webhooks follow the log on their own: nobody's edit waits for them. */
const WEBHOOK_CONNECTIONS = 3;
/** The time-out of a request's statement; a connection that does not even report it is dropped. */
const STATEMENT_TIMEOUT_MS = 8_000;
const clientDir = resolve(import.meta.dirname, "../client/dist");
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
  const inner = await underStartLock(maintenance, log, () => prepare(config, log, stores, built));
  const { auth, displays } = inner;
  const rates = createRateLimits(config.limits.RATE_WINDOW_MS);
  const tileMetrics = noTileMetrics();
  const errors = new ErrorCounts();
  let stopping = false;
  const app = createApp({
    ...inner,
    model: inner.model.get,
    rates,
    config,
    log,
    version,
    clientDir,
    stopping: () => stopping,
    errors,
    system: (subject) => requireStarted(inner.system).read(subject),
    gauges: {
      sockets: () => inner.live?.connections() ?? 0,
      tiles: () => tileMetrics,
      busRejected: () => inner.live?.bus.rejected() ?? {},
      isLeader: () => inner.live?.isLeader() ?? false,
      waitingMutations: inner.commands.waiting,
      disks: () => readDisks(config),
      errors: () => errors.byCode(),
      openDeliveries: () => countOpenDeliveries(database.kysely),
      bypassed: () => inner.digests?.bypassed() ?? {},
      backup: () => readScheduledBackup(database.kysely),
      feedLag: async () => (await inner.live?.feedLag()) ?? {},
    },
    checks: {
      store: () => database.pool.query("select 1").then(() => true),
      writer: inner.commands.isReady,
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
  const live = await startLive({ ...inner, ...beside });
  inner.live = live;
  const { isLeader, connections, feedLag, bus } = live;
  inner.system = startSystem({
    ...{ config, database, model: inner.model.get, bus, log, errors, statements },
    ...{ isLeader, connections, feedLag, waitingMutations: inner.commands.waiting },
  });
  inner.digests = startDigestJob({
    database: stores.maintenance,
    model: inner.model.get,
    isLeader: live.isLeader,
    limits: config.limits,
    log,
  });
  const deliverer = new Deliverer({ ...inner.webhookDeps, isLeader: live.isLeader, log });
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
  built.defer(() => inner.system?.stop());
  built.defer(() => inner.digests?.stop());
  built.defer(() => inner.commands.close());
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
  const inner = await buildInner(config, log, stores, built);
  if (owner) await inner.auth.setup.ensureOwner({ ...owner, template });
  return inner;
}

/**
 * One database by two pools: statements of requests have a time-out, those of maintenance have none and may
 * run as another role, which owns the tables.
 */
interface Stores {
  database: Database;
  maintenance: Database;
}

/** The services between the store and the outside. They notify `live` once it exists. */
async function buildInner(
  config: Config,
  log: Logger,
  { database, maintenance }: Stores,
  built: AsyncDisposableStack,
) {
  const { limits, secretKey } = config;
  const liveHolder: { live: Live | null; digests: DigestJob | null; system: System | null } = {
    live: null,
    digests: null,
    system: null,
  };
  const model = await createCurrentModel(database);
  const auth = createAuth({
    db: database.kysely,
    limits,
    secretKey,
    async applyTemplate(name, zone) {
      await applyTemplate(maintenance, name);
      await model.refresh();
      await installBoards(database, model.get(), templateBoards(name), zone);
      await installViews(database, templateViews(name));
    },
  });
  const player = playerBuild(clientDir);
  const displays = createDisplays({
    db: database.kysely,
    limits,
    requireBoards: (me, ids) => wallboards.requireForDisplay(me, ids),
    build: () => player,
    announce: auth.receiveRevocation,
    onReport: () => liveHolder.live?.listChanged("displays"),
  });
  auth.onRevoked(displays.onRevoked);
  const others: AccessListeners = {
    onHealth: (display) => liveHolder.live?.displayHealth(display),
    onEvent: () => liveHolder.live?.eventWritten(),
  };
  built.defer(listenForAccessChanges(database, auth.receiveRevocation, others));
  const commands = createCommands({
    database,
    model: model.get,
    refreshModel: model.refresh,
    limits,
    onCommit: (feeds) => liveHolder.live?.committed(feeds),
    onError: reportTo(log, "command"),
  });
  auth.onRevoked(commands.rightsChanged);
  built.defer(
    sweepPeriodically(config, log, () => [
      auth.sweep(),
      displays.sweep(),
      sweepLog(maintenance, limits.LOG_KEEP_MS, config.logArchiveDir),
      sweepRefusals(maintenance, limits.REFUSAL_KEEP_MS),
      sweepViews(maintenance.kysely),
      sweepComments(maintenance.kysely),
      sweepChangeSets(maintenance.kysely, limits.LOG_KEEP_MS),
      sweepDeliveries(
        maintenance.kysely,
        limits.WEBHOOK_DELIVERY_KEEP_MS,
        limits.WEBHOOK_MAX_DELIVERIES,
      ),
    ]),
  );
  const boards = new Boards(database, (err) => log.warn({ err }, "the wallboards can't be read"));
  await boards.start();
  built.defer(() => boards.stop());
  const models = createModels(maintenance, limits, () => model.refresh());
  const complete = () =>
    completeTables(maintenance, model.get()).catch((err: unknown) =>
      log.warn({ err }, "a large table lacks an index or a validated link"),
    );
  model.onChange(() => void complete());
  void complete();
  const wallboards = new BoardCommands({ database, boards, model: model.get, limits });
  const changeSets = new ChangeSets({
    database,
    model: model.get,
    limits,
    commands,
    identify: auth.identify,
    onError: (err) => log.error({ err }, "a change set was not applied"),
  });
  built.defer(changeSets.start());
  const comments = new Comments({
    database,
    model: model.get,
    refreshModel: model.refresh,
    onChange: (change) => liveHolder.live?.commentsChanged(change),
    limits,
  });
  const views = new Views({ database, model: model.get, refreshModel: model.refresh, limits });
  const webhookDeps = {
    database: database.separatePool(WEBHOOK_CONNECTIONS, { timeoutMs: STATEMENT_TIMEOUT_MS }),
    model: model.get,
    refreshModel: model.refresh,
    identify: auth.identify,
    box: createSecretBox(secretKey),
    allowPrivate: config.webhookAllowPrivate,
    onDelivery: () => liveHolder.live?.listChanged("webhooks"),
    limits,
  };
  built.defer(() => webhookDeps.database.close());
  const webhooks = new Webhooks(webhookDeps);
  return Object.assign(liveHolder, {
    webhooks,
    webhookDeps,
    model,
    auth,
    displays,
    commands,
    changeSets,
    boards,
    models,
    wallboards,
    comments,
    views,
  });
}

/** Deletes old data. Returns a function that stops. */
function sweepPeriodically(
  { limits }: Config,
  log: Logger,
  sweep: () => Promise<unknown>[],
): () => void {
  const sweeping = setInterval(() => {
    Promise.all(sweep()).catch((err) => log.warn({ err }, "what is old was not swept"));
  }, limits.LOG_SWEEP_INTERVAL_MS);
  return () => clearInterval(sweeping);
}

/** The database: the configured one, else the embedded one. */
async function openStores(
  config: Config,
  log: Logger,
  built: AsyncDisposableStack,
  times: StatementTimes,
): Promise<Stores> {
  let connectionString = config.databaseUrl;
  if (!connectionString) {
    const embedded = await startEmbeddedPostgres({
      dataDir: resolve(config.dataDir),
      log,
      orphanGraceMs: config.limits.EMBEDDED_ORPHAN_GRACE_MS,
      // Its Postgres was away and another server took the folder: two must not write to it.
      onLost(reason) {
        log.fatal({ err: reason }, "the data folder belongs to another server now");
        process.exit(1);
      },
    });
    built.defer(() => embedded.stop());
    connectionString = embedded.connection;
  }
  // The driver attaches its whole client to the error, with the key that cancels its queries.
  const onError = ({ message }: Error) => {
    log.warn({ reason: message }, "a database connection broke");
  };
  const maintenance = openDatabase({
    connectionString: config.databaseOwnerUrl ?? connectionString,
    poolSize: MAINTENANCE_CONNECTIONS,
    onError,
    times,
  });
  built.defer(() => maintenance.close());
  const database = openDatabase({
    connectionString,
    poolSize: POOL_CONNECTIONS,
    timeoutMs: STATEMENT_TIMEOUT_MS,
    onError,
    times,
  });
  built.defer(() => database.close());
  return { database, maintenance };
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
