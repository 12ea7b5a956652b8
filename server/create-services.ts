import { resolve } from "node:path";
import type { Logger } from "pino";
import type { TextOrder } from "../shared/filter/text-order.ts";
import { nameSchema } from "../shared/protocol/record.ts";
import type { ExampleName } from "../shared/protocol/session.ts";
import { identify } from "./auth/authenticate.ts";
import { createAuth, sweepAuth } from "./auth/create-auth.ts";
import { createSecretBox } from "./auth/secret-box.ts";
import type { Template } from "./auth/setup.ts";
import { ChangeSets } from "./change-sets/change-sets.ts";
import { Commands } from "./commands/commands.ts";
import { REFUSAL_KEEP_MS } from "./commands/committer.ts";
import { type Config, mailOff } from "./config/config.ts";
import { createDisplays } from "./displays/create-displays.ts";
import { PAIRING_TTL_MS } from "./displays/pairing.ts";
import { playerBuild } from "./displays/player-build.ts";
import {
  applyTemplate,
  publishExample,
  templateViews,
  templateWallboards,
} from "./model/apply-template.ts";
import { createNotifications } from "./notifications/create-notifications.ts";
import { openBus } from "./open-bus.ts";
import { STATEMENT_TIMEOUT_MS, type Stores } from "./open-stores.ts";
import { reportTo } from "./policy/internal-error.ts";
import { openFeedLog } from "./relay/feed-log.ts";
import { Relay } from "./relay/relay.ts";
import type { StartedParts } from "./started-parts.ts";
import { AdvisoryLock } from "./store/advisory-lock.ts";
import { ChangeNotifier } from "./store/change-notifier.ts";
import { sweepChangeSets } from "./store/change-sets/change-sets.ts";
import { sweepComments } from "./store/comments.ts";
import { createCurrentModel } from "./store/current-model.ts";
import { completeTables } from "./store/ddl/complete-tables.ts";
import { sweepDeliveries } from "./store/deliveries.ts";
import { deleteOldPairings } from "./store/displays/pairings.ts";
import { every } from "./store/every.ts";
import { sweepInbox } from "./store/inbox.ts";
import { readInstallation } from "./store/installation.ts";
import { sweepRefusals } from "./store/mutations.ts";
import { sweepLog } from "./store/sweep-log.ts";
import { sweepViews } from "./store/views/views.ts";
import { installWallboards } from "./tiles/wallboards/install-wallboards.ts";
import { WallboardCache } from "./tiles/wallboards/wallboard-cache.ts";
import { requireWallboardsForDisplay } from "./tiles/wallboards/wallboard-commands.ts";
import { installViews } from "./views/install-views.ts";
import { createWebhooks } from "./webhooks/create-webhooks.ts";

/** How long deliveries that are over are listed; and how many of one webhook. */
const WEBHOOK_DELIVERY_KEEP_MS = 2_592_000_000;
const WEBHOOK_MAX_DELIVERIES = 10_000;

/** Webhooks, mail and the inbox follow the log on connections of their own, so that no edit waits for them. */
const FOLLOWER_CONNECTIONS = 4;
const INBOX_KEEP_MS = 90 * 86_400_000;
export const clientDir = resolve(import.meta.dirname, "../client/dist");

export type Services = Awaited<ReturnType<typeof createServices>>;

/** The services between the store and the outside. They announce changes by the notifier, and those of records by the relay. */
export async function createServices(
  config: Config,
  log: Logger,
  { database, maintenance }: Stores,
  built: StartedParts,
  textOrder: TextOrder,
) {
  const { limits, secretKey } = config;
  const bus = await openBus(config, database, log);
  built.defer("the bus", () => bus.close());
  const notifier = new ChangeNotifier();
  built.defer("notifications of changes", () => notifier.stop());
  const feedLog = openFeedLog(database);
  const lock = new AdvisoryLock(database);
  built.defer("the leader's lock", () => lock.close());
  // Of what other programs commit. What is missed is found by the relay's poll.
  const listen = (wake: (table: string | null) => void) =>
    notifier.on("feed", ({ id }) => {
      if (id === null || nameSchema.safeParse(id).success) wake(id);
    });
  const relay = new Relay({ log: feedLog, bus, lock, logger: log, limits, listen });
  const model = await createCurrentModel(database);
  /** What shows a template's tables, once they are there. */
  const installLooks = async (template: Template) => {
    await model.refresh();
    await installWallboards(database, model(), templateWallboards(template));
    await installViews(database, templateViews(template));
  };
  const auth = createAuth({
    db: database.kysely,
    limits,
    secretKey,
    publicUrl: config.publicUrl,
    notifier,
    mailsLinks: mailOff(config) === null,
    async applyTemplate(name, zone) {
      await applyTemplate(maintenance, name, zone);
      await installLooks(name);
    },
  });
  notifier.on("model", () => model.refresh());
  // Before anything is done by the new model: what is held by names of the former one is not to be read by those of now.
  model.onChange(() => notifier.changed("model"));
  const wallboardCache = new WallboardCache(database, notifier);
  await wallboardCache.start();
  built.defer("wallboards", () => wallboardCache.stop());
  const context = { database, model, limits, textOrder };
  const { busKey: secret } = await readInstallation(database);
  const commands = new Commands({
    ...context,
    secret,
    onCommit(feeds) {
      for (const { table, span } of feeds) relay.hint(table, span);
    },
    onError: reportTo(log, "command"),
  });
  const { reads } = commands;
  const wallboards = { ...context, reads, wallboardCache };
  const player = playerBuild(clientDir);
  const displays = createDisplays({
    db: database.kysely,
    limits,
    requireWallboards: (me, ids) => requireWallboardsForDisplay(wallboards, me, ids),
    build: () => player,
    notifier,
  });
  notifier.on(["user", "role", "token", "model"], (change) => commands.rightsChanged(change));
  let isStopping = false;
  built.defer("completion of large tables", () => {
    isStopping = true;
  });
  let completed = Promise.resolve();
  const complete = () => {
    completed = completed
      .then(() => completeTables(maintenance, model))
      .catch((err: unknown) => {
        if (!isStopping) log.warn({ err }, "large tables were not completed");
      });
    return completed;
  };
  model.onChange(() => void complete());
  void complete();
  built.defer(
    "deletion of old data",
    sweepPeriodically(config, log, () => [
      sweepAuth(auth),
      deleteOldPairings(database.kysely, PAIRING_TTL_MS),
      sweepLog(maintenance, limits.LOG_KEEP_MS, config.logArchiveDir),
      sweepRefusals(maintenance, REFUSAL_KEEP_MS),
      sweepViews(maintenance.kysely),
      sweepComments(maintenance.kysely),
      sweepChangeSets(maintenance.kysely, limits.LOG_KEEP_MS),
      sweepInbox(maintenance.kysely, INBOX_KEEP_MS),
      sweepDeliveries(maintenance.kysely, WEBHOOK_DELIVERY_KEEP_MS, WEBHOOK_MAX_DELIVERIES),
      complete(),
    ]),
  );
  const models = { database: maintenance, limits, onSaved: model.refresh };
  const useExample = async (name: ExampleName, author: Parameters<typeof publishExample>[2]) => {
    const plan = await publishExample(models, name, author);
    await installLooks(name);
    return plan;
  };
  const changeSets = new ChangeSets({
    database,
    model,
    limits,
    commands,
    identify: (author: { kind: string; id: string }) => identify(database.kysely, author),
    onError: (err) => log.error({ err }, "a change set was not applied"),
  });
  const comments = {
    ...context,
    ...{ reads, database: reads.database },
  };
  const followers = database.separatePool(FOLLOWER_CONNECTIONS, {
    timeoutMs: STATEMENT_TIMEOUT_MS,
  });
  built.defer("statements of webhooks and notifications", () => followers.close());
  const notifications = createNotifications(config, {
    ...context,
    ...{ auth, comments, database: followers },
  });
  const webhooks = createWebhooks({
    ...context,
    database: followers,
    identify: (author) => identify(database.kysely, author),
    box: createSecretBox(secretKey),
    allowPrivate: config.webhookAllowPrivate,
    notifier,
  });
  return {
    ...context,
    bus,
    notifier,
    feedLog,
    relay,
    webhooks,
    auth,
    displays,
    commands,
    changeSets,
    wallboardCache,
    models,
    useExample,
    wallboards,
    comments,
    notifications,
  };
}

/** Deletes old data; each kind of it also when another one fails. Returns a function that stops. */
function sweepPeriodically(
  { limits }: Config,
  log: Logger,
  sweep: () => Promise<unknown>[],
): () => void {
  let isStopped = false;
  const warn = (err: unknown) => {
    if (!isStopped) log.warn({ err }, "old data was not deleted");
  };
  const stop = every(limits.LOG_SWEEP_INTERVAL_MS, () => {
    for (const part of sweep()) void part.catch(warn);
  });
  return () => {
    isStopped = true;
    stop();
  };
}
