import type { IncomingMessage, Server } from "node:http";
import type { Logger } from "pino";
import { findTable } from "../shared/model/model.ts";
import { type Subject, scopeOf } from "../shared/policy/scope.ts";
import { boardOfPlace } from "../shared/protocol/presence.ts";
import type { Auth } from "./auth/create-auth.ts";
import { networkOf } from "./auth/network-of.ts";
import type { RateLimits } from "./auth/rate-limits.ts";
import { hasRight } from "./auth/require-right.ts";
import type { Commands } from "./commands/create-commands.ts";
import { originOf } from "./commands/mutate.ts";
import { CommentNotices } from "./comments/comment-notices.ts";
import type { Config } from "./config/config.ts";
import type { Displays } from "./displays/create-displays.ts";
import { followModel } from "./follow-model.ts";
import { readCredential } from "./http/credential.ts";
import { isSameOrigin } from "./http/same-origin.ts";
import type { CurrentModel } from "./model/current-model.ts";
import { compileScopeOf } from "./policy/compiled-scope.ts";
import { reportTo } from "./policy/internal-error.ts";
import { toRefusal } from "./policy/to-refusal.ts";
import { Presence, type PresenceDeps } from "./presence/presence.ts";
import type { Bus } from "./relay/bus/bus.ts";
import { createInProcessBus } from "./relay/bus/in-process-bus.ts";
import { FanOut } from "./relay/fan-out.ts";
import { readingInTime } from "./relay/feed-log.ts";
import { FeedTails } from "./relay/feed-tails.ts";
import { Relay } from "./relay/relay.ts";
import { ScopeTokens } from "./relay/scope-tokens.ts";
import {
  boardNotice,
  type ChangedList,
  changedListChannel,
  displayNotice,
  mentionsNotice,
  viewsNotice,
} from "./socket/notices.ts";
import { broadcasterOf, openSockets } from "./socket/open-sockets.ts";
import { type SocketDeps, Sockets } from "./socket/serve-sockets.ts";
import { startTiles, type TilesDeps } from "./start-tiles.ts";
import type { CommentChange } from "./store/comments.ts";
import type { Database } from "./store/database.ts";
import { abandonEpoch, holdsPosition, readFeedStates, readSpan } from "./store/feed-log.ts";
import type { FinalizedFeed } from "./store/finalized-change.ts";
import { followClock, readInstallation } from "./store/installation.ts";
import { listenForFeeds } from "./store/listen-for-feeds.ts";
import { readStoredRecord } from "./store/records.ts";
import { RelayLock } from "./store/relay-lock.ts";
import { listenForViews } from "./store/views/listen-for-views.ts";
import type { ErrorCounts } from "./system/error-counts.ts";
import type { Boards } from "./tiles/boards/boards.ts";
import type { TileMetrics } from "./tiles/engine/evaluator-deps.ts";

export interface LiveDeps {
  /** The sockets share the port of HTTP. */
  server: Server;
  database: Database;
  rates: RateLimits;
  /** The client address of a request, also behind a proxy. */
  addressOf: (request: IncomingMessage) => string;
  config: Pick<Config, "redisUrl" | "limits" | "publicUrl" | "trustProxy">;
  log: Logger;
  auth: Pick<Auth, "authenticate" | "identify" | "onRevoked">;
  displays: Pick<Displays, "authenticate" | "identify" | "health" | "watch">;
  commands: Pick<Commands, "readPage" | "mutate">;
  model: CurrentModel;
  boards: Boards;
  tileMetrics: TileMetrics;
  /** Counts refused calls and handshakes. */
  errors: Pick<ErrorCounts, "note">;
}

/** The live half of a running server: from the change log to the screens. */
export interface Live {
  bus: Bus;
  tails: FeedTails;
  /** What this server has just added to the log. */
  committed(feeds: readonly FinalizedFeed[]): void;
  connections(): number;
  /** Notifies connected users who manage displays that a display went offline or came back. */
  displayHealth(display: string): void;
  /** Notifies the users of all servers who manage what the list is of. */
  listChanged(list: ChangedList): void;
  /** A security event was written, which every server hears of: users, displays or webhooks may have changed. */
  eventWritten(): void;
  /** Comments were changed or read on this server. */
  commentsChanged(change: CommentChange): void;
  isLeader(): boolean;
  /** Per table, the number of changes in the log that this server has not seen yet. */
  feedLag(): Promise<Record<string, number>>;
  /** Sends goodbye to everybody. New connections are refused from then on. */
  closeSockets(): Promise<void>;
  /** Closes bus and log; after the sockets and before the database. */
  stop(): Promise<void>;
}

/** How often displays are checked for being offline. */
const DISPLAY_WATCH_MS = 2_000;

/** Builds the services from the log to the screens and connects them. */
export async function startLive(deps: LiveDeps): Promise<Live> {
  const tokens = new ScopeTokens((await readInstallation(deps.database)).busKey);
  const rooms = createServices(deps, await createBus(deps), tokens);
  const disconnect = connectServices(deps, rooms);
  const { bus, tails, fanOut, presence, relay, tiles, served, lock, commentNotices } = rooms;
  await tails.start();
  fanOut.start();
  presence.start();
  commentNotices.start();
  relay.start();
  return {
    bus,
    tails,
    committed: (feeds) => {
      for (const { table, span } of feeds) relay.hint(table, span);
    },
    connections: () => served.count(),
    displayHealth(id) {
      deps.displays.health(id).then(
        (display) => display && served.notify(displayNotice(display)),
        (err) => deps.log.debug({ err }, "a display notice could not be sent"),
      );
    },
    listChanged: (list) => bus.publish(changedListChannel, list),
    eventWritten() {
      for (const list of changedListChannel.schema.options) served.listChanged(list);
    },
    commentsChanged: (change) => commentNotices.publish(change),
    isLeader: () => relay.isLeader(),
    async feedLag() {
      const states = await readFeedStates(deps.database);
      const lag = (table: string, head: number) => head - (tails.get(table)?.seq ?? head);
      return Object.fromEntries(states.map(({ table, head }) => [table, lag(table, head)]));
    },
    closeSockets: () => served.close(),
    async stop() {
      disconnect();
      presence.stop();
      commentNotices.stop();
      fanOut.stop();
      await tiles.stop();
      tails.stop();
      await relay.stop();
      await lock.close();
      await bus.close();
    },
  };
}

type LiveServices = ReturnType<typeof createServices>;

/** Each service with what it needs of the others. */
function createServices(deps: LiveDeps, bus: Bus, tokens: ScopeTokens) {
  const { server, database, config, log, model } = deps;
  const { limits } = config;
  const feedLog = readingInTime({
    readFeedStates: () => readFeedStates(database),
    readSpan: (table, after, limit) => readSpan(database, table, after, limit),
    holds: (table, position) => holdsPosition(database, table, position),
    abandonEpoch: (table, epoch) => abandonEpoch(database, table, epoch),
  });
  const lock = new RelayLock(database);
  const listen = (wake: (table: string) => void) => listenForFeeds(database, wake);
  const relay = new Relay({ log: feedLog, bus, lock, logger: log, limits, listen });
  const tails = new FeedTails({ log: feedLog, bus, logger: log, limits });
  const sockets = openSockets(server, limits);
  const broadcaster = broadcasterOf(sockets);
  const scopeOf = (subject: Subject, name: string) => {
    const table = findTable(model.get(), name);
    return table ? compileScopeOf(subject, table) : null;
  };
  const fanOut = new FanOut({ tails, broadcaster, tokens, scopeOf, logger: log, limits });
  const toDesigners: PresenceDeps["toDesigners"] = (ids, message) =>
    served.toDesigners(ids, message);
  const presence = createPresence(deps, bus, fanOut, scopeOf, broadcaster, toDesigners);
  const metrics = deps.tileMetrics;
  const sharedDeps = { tails, bus, broadcaster, metrics, limits };
  const identify: TilesDeps["identify"] = (reader) =>
    reader.kind === "display" ? deps.displays.identify(reader.id) : deps.auth.identify(reader);
  const tiles = startTiles({ ...deps, ...sharedDeps, identify });
  const served = new Sockets({
    ...socketDepsOf(deps),
    sockets,
    fanOut,
    boardSubscriptions: tiles.boardSubscriptions,
    presence,
    degradedReason: () => (tails.isOutdated ? "store" : bus.state() === "degraded" ? "bus" : null),
  });
  const commentNotices = new CommentNotices({
    bus,
    database,
    model: model.get,
    groups: (table) => fanOut.groups(table),
    toRoom: (room, notice) => broadcaster.toRoom(room, "notice", notice),
    toMentioned: (users) => served.notify(mentionsNotice(users)),
    log,
  });
  return { bus, lock, relay, tails, fanOut, presence, tiles, served, commentNotices };
}

/** What the sockets need of the other services: identities, rate limits, rights. */
function socketDepsOf({
  addressOf,
  rates,
  config,
  log,
  auth,
  displays,
  commands,
  model,
  errors,
}: LiveDeps) {
  const { limits, publicUrl, trustProxy } = config;
  const networkAt = (request: IncomingMessage) => networkOf(addressOf(request));
  return {
    readPage: commands.readPage,
    mutate: (identity, call) =>
      commands.mutate(identity, { ...call, origin: originOf(identity, call.origin, "grid") }),
    authenticate: (token, kind, options) =>
      kind === "display" ? displays.authenticate(token) : auth.authenticate(token, options),
    addressOf: networkAt,
    countConnectionAttempt: (request) =>
      rates.take(`handshake from ${networkAt(request)}`, limits.HANDSHAKES_PER_ADDRESS),
    countHandshake: ({ subject, token }) =>
      rates.take(`handshake ${token?.id ?? subject.id}`, limits.HANDSHAKES_PER_USER),
    onRevoked: auth.onRevoked,
    readCredential: (headers, kind) => readCredential(headers, { kind, publicUrl }),
    isSameOrigin: (headers) => isSameOrigin(headers, { publicUrl, behindProxy: trustProxy !== 0 }),
    toRefusal(error, during) {
      const refusal = toRefusal(error, reportTo(log, during));
      errors.note(refusal.code);
      return refusal;
    },
    modelVersion: () => model.get().version,
    log,
    limits,
  } satisfies Partial<SocketDeps>;
}

function mayReadBy(model: CurrentModel) {
  return (subject: Subject, name: string) => {
    const table = findTable(model.get(), name);
    return table !== undefined && scopeOf(subject, table) !== null;
  };
}

/** Connects the events with their subscribers. Returns a function that disconnects them. */
function connectServices(
  deps: LiveDeps,
  { bus, tails, presence, tiles, served }: LiveServices,
): () => void {
  const { auth, boards, displays, log, model, rates } = deps;
  const mayRead = mayReadBy(model);
  bus.onState(() => served.healthChanged());
  tails.onOutdatedChange(() => served.healthChanged());
  model.onChange(({ version }) => served.modelChanged(version));
  tails.onEvent((change) => {
    if (change.kind === "changes") presence.noteChanges(change.tail.table, change.changes);
    else presence.noteReset(change.tail.table);
  });
  const displayTimer = setInterval(() => {
    displays.watch().catch((err) => log.debug({ err }, "displays could not be watched"));
  }, DISPLAY_WATCH_MS);
  const undo = [
    rates.connect(bus),
    followModel(model, bus, log),
    bus.subscribe(changedListChannel, (list) => served.listChanged(list)),
    boards.onChange((changes) => {
      for (const change of changes) served.notify(boardNotice(change));
    }),
    listenForViews(deps.database, (change) => served.notify(viewsNotice(change, mayRead))),
    auth.onRevoked(({ kind }) => {
      if (kind === "user" || kind === "all") tiles.refreshUserNames();
      if (kind === "user" || kind === "role" || kind === "all") served.listChanged("people");
      if (kind === "display" || kind === "all") served.listChanged("displays");
    }),
    () => clearInterval(displayTimer),
  ];
  return () => {
    for (const stop of undo) stop();
  };
}

async function createBus({ config, database, log }: LiveDeps): Promise<Bus> {
  const { redisUrl } = config;
  if (!redisUrl) return createInProcessBus(log);
  const { id, busKey } = await readInstallation(database);
  const clock = await followClock(database);
  // Imported late: Redis' client is a third of all modules, and most installations run without it.
  const { createRedisBus } = await import("./relay/bus/redis-bus.ts");
  return createRedisBus({ url: redisUrl, namespace: id, key: busKey, clock, log });
}

function createPresence(
  { database, config, model, boards }: LiveDeps,
  bus: Bus,
  fanOut: FanOut,
  scopeOf: (subject: Subject, table: string) => object | null,
  broadcaster: ReturnType<typeof broadcasterOf>,
  toDesigners: PresenceDeps["toDesigners"],
): Presence {
  return new Presence({
    bus,
    mayRead(subject, place) {
      const board = boardOfPlace(place);
      if (board === null) return scopeOf(subject, place) !== null;
      return hasRight(subject, "wallboards") && boards.get(board) !== undefined;
    },
    groups: (table) => fanOut.groups(table),
    groupOf: (connection, table) => fanOut.groupOf(connection, table),
    toRoom: (room, message) => broadcaster.toRoom(room, "presence", message),
    toDesigners,
    async readValues(name, record) {
      const table = findTable(model.get(), name);
      const found = table && (await readStoredRecord(database, table, record));
      return found?.values ?? null;
    },
    limits: config.limits,
  });
}
