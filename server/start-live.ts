import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { findTable } from "../shared/model/model.ts";
import { type Subject, scopeOf } from "../shared/policy/scope.ts";
import { wallboardOfPlace } from "../shared/protocol/presence.ts";
import { identify } from "./auth/authenticate.ts";
import { networkOf } from "./auth/network-of.ts";
import { hasRight } from "./auth/require-right.ts";
import { originOf } from "./commands/op.ts";
import { CommentNotices } from "./comments/comment-notices.ts";
import type { Config } from "./config/config.ts";
import type { Services } from "./create-services.ts";
import { displayHealth } from "./displays/create-displays.ts";
import { addressOf } from "./http/address-of.ts";
import { readCredential } from "./http/credential.ts";
import { isSameOrigin } from "./http/same-origin.ts";
import type { ClientConnections } from "./load/client-connections.ts";
import type { RateLimits } from "./load/rate-limits.ts";
import type { Broadcaster } from "./messaging/peer.ts";
import { compileScopeOf } from "./policy/compiled-scope.ts";
import { reportTo } from "./policy/internal-error.ts";
import { toRefusal } from "./policy/to-refusal.ts";
import { Presence } from "./presence/presence.ts";
import { FanOut } from "./relay/fan-out.ts";
import { FeedTails } from "./relay/feed-tails.ts";
import { createMarkKey } from "./relay/mark-of.ts";
import { ScopeTokens } from "./relay/scope-tokens.ts";
import { LabelNotices } from "./socket/label-notices.ts";
import {
  accountNotice,
  displayNotice,
  inboxNotice,
  mentionsNotice,
  viewsNotice,
  wallboardNotice,
} from "./socket/notices.ts";
import { broadcasterOf, openSockets } from "./socket/open-sockets.ts";
import { type SocketDeps, Sockets } from "./socket/serve-sockets.ts";
import { AdvisoryLock } from "./store/advisory-lock.ts";
import type { Database } from "./store/database.ts";
import { markDark } from "./store/displays/displays.ts";
import { every } from "./store/every.ts";
import { readInstallation } from "./store/installation.ts";
import { readStoredRecord } from "./store/records.ts";
import type { ErrorCounts } from "./system/error-counts.ts";
import type { TileMetrics } from "./tiles/engine/evaluator-deps.ts";
import { LiveWallboards } from "./tiles/live/live-wallboards.ts";
import { type IdentifyReader, WallboardPlans } from "./tiles/live/wallboard-plans.ts";
import { WallboardSubscriptions } from "./tiles/live/wallboard-subscriptions.ts";

/** What the live services share with the rest of the server. */
interface Shared {
  database: Database;
  config: Config;
  log: Logger;
  rates: RateLimits;
  connections: ClientConnections;
  tileMetrics: TileMetrics;
  /** Counts refused calls and handshakes. */
  errors: ErrorCounts;
}

const TILE_CONNECTIONS = 6;
/** How often displays are checked for being offline. */
const DISPLAY_WATCH_MS = 2_000;

/**
 * Builds the services from the log to the screens, and connects them. `sockets` are attached to a port, and closed, by
 * the caller; `stop` ends the rest after them and before the database.
 */
export async function startLive(services: Services, shared: Shared) {
  const { database, log } = shared;
  const { relay, notifier } = services;
  const { busKey } = await readInstallation(database);
  const live = createLive(services, shared, busKey);
  const disconnect = connectLive(services, shared, live);
  const { tails, fanOut, presence, tiles, sockets, commentNotices } = live;
  relay.onOwnCommit((span) => tails.acceptOwn(span));
  await tails.start();
  fanOut.start();
  presence.start();
  commentNotices.start();
  relay.start();
  notifier.start(database, (err, topic) =>
    log.warn({ err, ...(topic && { topic }) }, "changes could not be read"),
  );
  return {
    tails,
    sockets,
    async stop() {
      disconnect();
      presence.stop();
      commentNotices.stop();
      fanOut.stop();
      await tiles.stop();
      tails.stop();
      await relay.stop();
    },
  };
}

/** Each service with what it needs of the others. */
function createLive(services: Services, shared: Shared, secret: Buffer) {
  const { wallboardCache, bus, feedLog, model, notifier } = services;
  const { database, log } = shared;
  const { limits } = shared.config;
  const tokens = new ScopeTokens(secret);
  const markKey = createMarkKey(secret);
  const tails = new FeedTails({ log: feedLog, bus, logger: log, markKey, limits });
  const server = openSockets(limits);
  const broadcaster = broadcasterOf(server);
  const compiledScope = (subject: Subject, name: string) => {
    const table = findTable(model(), name);
    return table ? compileScopeOf(subject, table) : null;
  };
  const fanOut = new FanOut({ tails, broadcaster, tokens, compiledScope, logger: log, limits });
  const presence = new Presence({
    bus,
    mayRead(subject, place) {
      const wallboard = wallboardOfPlace(place);
      if (wallboard === null) return compiledScope(subject, place) !== null;
      return isDesigner(subject) && wallboardCache.get(wallboard) !== undefined;
    },
    groups: (table) => fanOut.groups(table),
    groupOf: (connection, table) => fanOut.groupOf(connection, table),
    toDesigners: (connections, message) =>
      fanOut.sendTo(connections, isDesigner, "presence", message),
    async readValues(name, record) {
      const table = findTable(model(), name);
      const found = table && (await readStoredRecord(database, table, record, null));
      return found?.values ?? null;
    },
    limits,
  });
  const tiles = startTiles(services, shared, tails, broadcaster);
  const sockets = new Sockets({
    ...socketDepsOf(services, shared),
    sockets: server,
    connections: shared.connections,
    fanOut,
    wallboardSubscriptions: tiles.wallboardSubscriptions,
    presence,
    degradedReason: () => tails.degradedReason(),
  });
  const commentNotices = new CommentNotices({
    notifier,
    database,
    model,
    groups: (table) => fanOut.groups(table),
    toRoom: (room, notice) => broadcaster.toRoom(room, "notice", notice),
  });
  return { tails, fanOut, presence, tiles, sockets, commentNotices };
}

/** Tiles query on connections of their own: edits and pages don't wait for them. */
function startTiles(
  { wallboardCache, bus, displays, model, textOrder }: Services,
  { database, log, tileMetrics: metrics, config: { limits } }: Shared,
  tails: FeedTails,
  sender: Broadcaster,
) {
  const own = database.separatePool(TILE_CONNECTIONS, { timeoutMs: limits.TILE_QUERY_TIMEOUT_MS });
  const lock = new AdvisoryLock(database, "tiles");
  const identifyReader: IdentifyReader = (reader) =>
    reader.kind === "display" ? displays.identify(reader.id) : identify(database.kysely, reader);
  const plans = new WallboardPlans(wallboardCache, model, identifyReader, textOrder);
  const parts = { database: own, plans, model, tails, wallboardCache, bus, lock, sender };
  const live = new LiveWallboards({ ...parts, metrics, limits, log });
  const wallboardSubscriptions = new WallboardSubscriptions(wallboardCache, plans, live, limits);
  live.start();
  return {
    wallboardSubscriptions,
    /** User names may have changed. */
    refreshUserNames: () => live.refresh({ users: true }),
    async stop() {
      wallboardSubscriptions.stop();
      await live.stop();
      await lock.close();
      await own.close();
    },
  };
}

const isDesigner = (subject: Subject) => hasRight(subject, "wallboards");

/** What the sockets need of the other services: identities, rate limits, rights. */
function socketDepsOf(
  { auth, commands, displays, model, notifier }: Services,
  { rates, config, log, errors }: Shared,
) {
  const { limits, publicUrl, trustProxy } = config;
  const addressAt = addressOf(trustProxy);
  const networkAt = (request: IncomingMessage) => networkOf(addressAt(request));
  return {
    readPage: (identity, call) => commands.answerPage(identity, call),
    mutate: (identity, call) =>
      commands.mutate(identity, { ...call, origin: originOf(identity, call.origin, "grid") }),
    authenticate: (token, kind, options) =>
      kind === "display" ? displays.authenticate(token) : auth.authenticate(token, options),
    addressOf: networkAt,
    countConnectionAttempt: (request) =>
      rates.take(`handshake from ${networkAt(request)}`, limits.HANDSHAKES_PER_ADDRESS),
    countHandshake: ({ subject, token }) =>
      rates.take(`handshake ${token?.id ?? subject.id}`, limits.HANDSHAKES_PER_USER),
    notifier,
    readCredential: (headers, kind) => readCredential(headers, { kind, publicUrl }),
    isSameOrigin: (headers) => isSameOrigin(headers, { publicUrl, behindProxy: trustProxy !== 0 }),
    toRefusal(error, during) {
      const refusal = toRefusal(error, reportTo(log, during));
      errors.note(refusal.code);
      return refusal;
    },
    modelVersion: () => model().version,
    log,
    limits,
  } satisfies Partial<SocketDeps>;
}

/** Connects the events with their subscribers. Returns a function that disconnects them. */
function connectLive(
  { bus, displays, model, notifier, wallboardCache }: Services,
  { log, rates, config: { limits } }: Shared,
  { tails, presence, tiles, sockets }: ReturnType<typeof createLive>,
): () => void {
  const mayRead = (subject: Subject, name: string) => {
    const table = findTable(model(), name);
    return table !== undefined && scopeOf(subject, table) !== null;
  };
  const labelNotices = new LabelNotices(model, (notice) => sockets.notify(notice));
  tails.onDegradedChange(() => sockets.healthChanged());
  model.onChange(({ version }) => sockets.modelChanged(version));
  tails.onEvent((change) => {
    if (change.kind === "changes") {
      presence.noteChanges(change.tail.table, change.changes);
      labelNotices.note(change.tail.table, change.changes);
    } else presence.noteReset(change.tail.table);
  });
  const undo = [
    rates.connect(bus),
    wallboardCache.onChange((changes) => {
      for (const change of changes) sockets.notify(wallboardNotice(change));
    }),
    notifier.on("views", ({ id }) => sockets.notify(viewsNotice(id, mayRead))),
    notifier.on("account", ({ id }) => sockets.notify(accountNotice(id))),
    notifier.on("mentions", ({ id }) => sockets.notify(mentionsNotice(id))),
    notifier.on("inbox", ({ id }) => sockets.notify(inboxNotice(id))),
    notifier.on("changeSets", () => sockets.listChanged("changeSets")),
    notifier.on("user", () => tiles.refreshUserNames()),
    notifier.on(["user", "role"], () => sockets.listChanged("users")),
    notifier.on(["display", "displayHealth", "displayReport", "event"], () =>
      sockets.listChanged("displays"),
    ),
    notifier.on(["delivery", "event"], () => sockets.listChanged("webhooks")),
    notifier.on("event", () => sockets.listChanged("security")),
    notifier.on("displayHealth", async ({ id }) => {
      const display = id === null ? null : await displayHealth(displays, id);
      if (display) sockets.notify(displayNotice(display));
    }),
    every(DISPLAY_WATCH_MS, () => {
      markDark(displays.db, limits.DISPLAY_DARK_MS).catch((err) =>
        log.debug({ err }, "displays could not be watched"),
      );
    }),
  ];
  return () => {
    labelNotices.stop();
    for (const stop of undo) stop();
  };
}
