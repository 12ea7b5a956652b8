import { resolve } from "node:path";
import type { Logger } from "pino";
import { createAuth } from "./auth/create-auth.ts";
import { createSecretBox } from "./auth/secret-box.ts";
import { ChangeSets } from "./change-sets/change-sets.ts";
import { createCommands } from "./commands/create-commands.ts";
import { Comments } from "./comments/comments.ts";
import type { Config } from "./config/config.ts";
import type { DigestJob } from "./digest-job.ts";
import { createDisplays } from "./displays/create-displays.ts";
import { playerBuild } from "./displays/player-build.ts";
import { applyTemplate, templateBoards, templateViews } from "./model/apply-template.ts";
import { createModels } from "./model/create-models.ts";
import { createCurrentModel } from "./model/current-model.ts";
import { STATEMENT_TIMEOUT_MS, type Stores } from "./open-stores.ts";
import { reportTo } from "./policy/internal-error.ts";
import type { Live } from "./start-live.ts";
import { sweepChangeSets } from "./store/change-sets/change-sets.ts";
import { sweepComments } from "./store/comments.ts";
import { completeTables } from "./store/ddl/complete-tables.ts";
import { sweepRefusals } from "./store/mutations.ts";
import { sweepLog } from "./store/sweep-log.ts";
import {
  type AccessListeners,
  listenForAccessChanges,
} from "./store/users/listen-for-access-changes.ts";
import { sweepViews } from "./store/views/views.ts";
import { sweepDeliveries } from "./store/webhooks/deliveries.ts";
import type { System } from "./system/start-system.ts";
import { BoardCommands } from "./tiles/boards/board-commands.ts";
import { Boards } from "./tiles/boards/boards.ts";
import { installBoards } from "./tiles/boards/install-boards.ts";
import { installViews } from "./views/install-views.ts";
import { Views } from "./views/views.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

/** Webhooks follow the log on their own: nobody's edit waits for them. */
const WEBHOOK_CONNECTIONS = 3;
export const clientDir = resolve(import.meta.dirname, "../client/dist");

/** The services between the store and the outside. They notify `live` once it exists. */
export async function createServices(
  config: Config,
  log: Logger,
  { database, maintenance }: Stores,
  built: AsyncDisposableStack,
) {
  const { limits, secretKey } = config;
  const started: { live: Live | null; digests: DigestJob | null; system: System | null } = {
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
    onReport: () => started.live?.listChanged("displays"),
  });
  auth.onRevoked(displays.onRevoked);
  const others: AccessListeners = {
    onHealth: (display) => started.live?.displayHealth(display),
    onEvent: () => started.live?.eventWritten(),
  };
  built.defer(listenForAccessChanges(database, auth.receiveRevocation, others));
  const commands = createCommands({
    database,
    model: model.get,
    refreshModel: model.refresh,
    limits,
    onCommit: (feeds) => started.live?.committed(feeds),
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
    onChange: (change) => started.live?.commentsChanged(change),
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
    onDelivery: () => started.live?.listChanged("webhooks"),
    limits,
  };
  built.defer(() => webhookDeps.database.close());
  const webhooks = new Webhooks(webhookDeps);
  return Object.assign(started, {
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
