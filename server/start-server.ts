import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import type { Logger } from "pino";
import { createAuth } from "./auth/create-auth.ts";
import { createRateLimits } from "./auth/rate-limits.ts";
import { createCommands } from "./commands/create-commands.ts";
import type { Config } from "./config/config.ts";
import { version } from "./config/version.ts";
import { createDisplays } from "./displays/create-displays.ts";
import { playerBuild } from "./displays/player-build.ts";
import { addressOf } from "./http/address-of.ts";
import { createApp } from "./http/create-app.ts";
import { stopServer } from "./http/stop-server.ts";
import { applyTemplate, templateBoards, templateViews } from "./model/apply-template.ts";
import { createModels } from "./model/create-models.ts";
import { createCurrentModel } from "./model/current-model.ts";
import { type Live, startLive } from "./start-live.ts";
import { type Database, openDatabase } from "./store/database.ts";
import { startEmbeddedPostgres } from "./store/embedded/start-embedded-postgres.ts";
import { migrate } from "./store/migrations/migrate.ts";
import { listenForPeople, type OtherNews } from "./store/people/listen-for-people.ts";
import { sweepLog } from "./store/sweep-log.ts";
import { sweepViews } from "./store/views/views.ts";
import { BoardCommands } from "./tiles/boards/board-commands.ts";
import { Boards } from "./tiles/boards/boards.ts";
import { installBoards } from "./tiles/boards/install-boards.ts";
import { noTileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { installViews } from "./views/install-views.ts";
import { Views } from "./views/views.ts";

/** A server that answers. `stop` drains it: what was accepted is finished, clients are told. */
export interface RunningServer {
  url: string;
  /** The one-time link of the first run; null where there is an owner already. */
  setupLink: string | null;
  /** The path of a link that signs a user in by one click, once, and leads to a page. */
  signInPath(user: string, to: string): string;
  /** The path of a link that makes a browser the screen of a display, once; the display is made where it is not there. */
  displayPath(display: { id: string; name: string; boards: string[] }): Promise<string>;
  stop(): Promise<void>;
}

const POOL_CONNECTIONS = 20;
const clientDir = resolve(import.meta.dirname, "../client/dist");
const STOP_GRACE_MS = 10_000;
/** Longer than balancers keep an idle connection, so that it is they who close it. */
const KEEP_ALIVE_MS = 75_000;
/** A file to import may take its time: it is read no faster than its rows are written. */
const REQUEST_TIMEOUT_MS = 1_800_000;

/**
 * Builds every room and connects them: the only place that knows them all. What was built is taken
 * down in the opposite order, by `stop` or when a later part fails.
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
  const database = await openStore(config, log, built);
  const inner = await buildInner(config, log, database, built);
  const { auth, displays } = inner;
  const rates = createRateLimits(config.limits.RATE_WINDOW_MS);
  const tileMetrics = noTileMetrics();
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
    gauges: {
      sockets: () => inner.live?.connections() ?? 0,
      tiles: () => tileMetrics,
      feedLag: async () => (await inner.live?.feedLag()) ?? {},
    },
    checks: { store: () => database.pool.query("select 1").then(() => true) },
  });
  if (config.owner) {
    await auth.setup.ensureOwner({ ...config.owner, template: config.template ?? "service-desk" });
  }
  const token = await auth.setup.issueToken();
  const timeouts = { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_TIMEOUT_MS };
  const server = createServer(timeouts, app);
  const beside = { server, addressOf: addressOf(app), database, rates, config, log, tileMetrics };
  const live = await startLive({ ...inner, ...beside });
  inner.live = live;
  built.defer(() => live.stop());
  built.defer(() => inner.commands.close());
  built.defer(() => stopServer(server, STOP_GRACE_MS));
  built.defer(() => live.closeSockets());
  const url = config.publicUrl ?? `http://localhost:${await listen(server, config)}`;
  return {
    url,
    setupLink: token && `${url}/setup?token=${token}`,
    signInPath: (user, to) => `/api/v1/sign-in/${auth.links.issue({ user, to })}`,
    displayPath: async (display) => `/api/v1/display/open/${await displays.issueLink(display)}`,
    async stop() {
      stopping = true;
      await built.disposeAsync();
    },
  };
}

/** The rooms between the store and the outside. They tell `live` what they do, as soon as it is there. */
async function buildInner(
  config: Config,
  log: Logger,
  database: Database,
  built: AsyncDisposableStack,
) {
  const { limits, secretKey } = config;
  const told: { live: Live | null } = { live: null };
  const model = await createCurrentModel(database);
  const auth = createAuth({
    db: database.kysely,
    limits,
    secretKey,
    async applyTemplate(name, zone) {
      await applyTemplate(database, name);
      await model.refresh();
      await installBoards(database, model.get(), templateBoards(name), zone);
      await installViews(database, templateViews(name));
    },
  });
  const player = playerBuild(clientDir);
  const displays = createDisplays({
    db: database.kysely,
    limits,
    build: () => player,
    announce: auth.receiveRevocation,
  });
  auth.onRevoked(displays.onRevoked);
  const others: OtherNews = {
    onHealth: (display) => told.live?.displayHealth(display),
    onEvent: () => told.live?.peopleChanged(),
  };
  built.defer(listenForPeople(database, auth.receiveRevocation, others));
  const commands = createCommands({
    database,
    model: model.get,
    refreshModel: model.refresh,
    limits,
    onCommit: (feeds) => told.live?.committed(feeds),
    onError: (error) => log.error({ err: error }, "a command failed"),
  });
  built.defer(
    sweepNowAndThen(config, log, () => [
      auth.sweep(),
      displays.sweep(),
      sweepLog(database, limits.LOG_KEEP_MS),
      sweepViews(database.kysely),
    ]),
  );
  const boards = new Boards(database, (err) => log.warn({ err }, "the wallboards can't be read"));
  await boards.start();
  built.defer(() => boards.stop());
  const models = createModels(database, limits, () => model.refresh());
  const wallboards = new BoardCommands({ database, boards, model: model.get });
  const views = new Views({ database, model: model.get, refreshModel: model.refresh, limits });
  return Object.assign(told, {
    model,
    auth,
    displays,
    commands,
    boards,
    models,
    wallboards,
    views,
  });
}

/** Forgets what is old. Returns the way to stop. */
function sweepNowAndThen(
  { limits }: Config,
  log: Logger,
  sweep: () => Promise<unknown>[],
): () => void {
  const sweeping = setInterval(() => {
    Promise.all(sweep()).catch((err) => log.warn({ err }, "what is old was not swept"));
  }, limits.LOG_SWEEP_INTERVAL_MS);
  return () => clearInterval(sweeping);
}

/** The database with its schema: one's own where configured, else the one brought along. */
async function openStore(
  config: Config,
  log: Logger,
  built: AsyncDisposableStack,
): Promise<Database> {
  let connectionString = config.databaseUrl;
  if (!connectionString) {
    const embedded = await startEmbeddedPostgres({
      dataDir: resolve(config.dataDir),
      log,
      // Its Postgres was away and another server took the folder: two must not write to it.
      onLost(reason) {
        log.fatal({ err: reason }, "the data folder belongs to another server now");
        process.exit(1);
      },
    });
    built.defer(() => embedded.stop());
    connectionString = embedded.connection;
  }
  const database = openDatabase({
    connectionString,
    poolSize: POOL_CONNECTIONS,
    // The driver hangs its whole client on the error, with the key by which its queries are cancelled.
    onError: ({ message }) => log.warn({ reason: message }, "a database connection broke"),
  });
  built.defer(() => database.close());
  await migrate(database);
  return database;
}

/** Listens and answers the port; rejects where that is taken. */
async function listen(server: Server, { port, host }: Config): Promise<number> {
  await new Promise<void>((done, fail) => {
    server.once("error", fail);
    server.listen(port, host, done);
  });
  return (server.address() as AddressInfo).port;
}
