import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { io, type ManagerOptions, type SocketOptions } from "socket.io-client";
import type { Limits } from "../../../shared/limits.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import { Refusal } from "../../../shared/protocol/errors.ts";
import { PROTOCOL_VERSION } from "../../../shared/protocol/socket.ts";
import type { Identity } from "../../auth/identity.ts";
import { readCredential } from "../../http/credential.ts";
import { isSameOrigin } from "../../http/same-origin.ts";
import { ClientConnections } from "../../load/client-connections.ts";
import { compileScopeOf } from "../../policy/compiled-scope.ts";
import { reportTo } from "../../policy/internal-error.ts";
import { toRefusal } from "../../policy/to-refusal.ts";
import { Presence } from "../../presence/presence.ts";
import { FanOut } from "../../relay/fan-out.ts";
import { ScopeTokens } from "../../relay/scope-tokens.ts";
import {
  FanOutEnvironment,
  limits,
  subjectOf,
  table,
} from "../../relay/testing/fan-out-environment.ts";
import { silentLog } from "../../relay/testing/silent-log.ts";
import { ChangeNotifier } from "../../store/change-notifier.ts";
import { broadcasterOf, openSockets, type SocketServer } from "../open-sockets.ts";
import { type SocketDeps, Sockets } from "../serve-sockets.ts";
import { TestClient } from "./test-client.ts";

/**
 * For tests: real sockets over loopback, the real fan-out and presence, over a log in memory. The test
 * controls the identity of each token, and whether the store is available.
 */
export class SocketNode {
  readonly world = new FanOutEnvironment();
  readonly identities = new Map<string, Identity>();
  readonly notifier = new ChangeNotifier();
  readonly clients: TestClient[] = [];
  readonly errors: unknown[] = [];
  readonly warnings: unknown[] = [];
  readonly sockets: SocketServer;
  readonly served: Sockets;
  readonly fanOut: FanOut;
  modelVersion = 1;
  trouble: "bus" | "store" | null = null;
  isStoreUnavailable = false;
  /** Whether addresses have made too many handshakes. */
  refusedConnections = false;
  readonly server: Server;
  readonly #presence: Presence;

  constructor(overrides: Partial<SocketDeps> = {}, moreLimits: Partial<Limits> = {}) {
    this.server = createServer();
    const all = {
      ...limits,
      REQUEST_BODY_MAX_BYTES: 100_000,
      PUBLIC_BODY_MAX_BYTES: 16_384,
      STRANGERS_CONNECTIONS: 1_500,
      CONNECTIONS_PER_USER: 500,
      SOCKETS_PER_USER: 300,
      // Longer than a test: a client that is paused does not answer.
      SOCKET_PING_MS: 300_000,
      SOCKET_MESSAGES_PER_SECOND: 200,
      RIGHTS_CHECK_INTERVAL_MS: 3_600_000,
      HANDSHAKES_PER_ADDRESS: 5_000,
      HANDSHAKE_TIMEOUT_MS: 300_000,
      PRESENCE_TTL_MS: 25_000,
      PRESENCE_UPDATES_PER_SECOND: 1_000,
      PRESENCE_HEARTBEAT_MS: 8_000,
      ...moreLimits,
    };
    this.sockets = openSockets(all);
    const addressOf = ({ socket }: Pick<IncomingMessage, "socket">) => socket.remoteAddress ?? "";
    const connections = new ClientConnections(addressOf, all);
    const broadcaster = broadcasterOf(this.sockets);
    const compiledScope = (subject: Subject, name: string) =>
      name === "t" ? compileScopeOf(subject, table) : null;
    const { tails } = this.world;
    const tokens = new ScopeTokens("a key of this installation");
    const rest = { tokens, compiledScope, logger: silentLog, limits: all };
    this.fanOut = new FanOut({ tails, broadcaster, ...rest });
    this.#presence = new Presence({
      bus: this.world.bus,
      mayRead: (subject, name) => compiledScope(subject, name) !== null,
      groups: (name) => this.fanOut.groups(name),
      groupOf: (connection, name) => this.fanOut.groupOf(connection, name),
      toDesigners: () => {},
      readValues: async (name, record) => this.world.log.records(name).get(record) ?? null,
      limits: all,
    });
    const log = {
      ...silentLog,
      error: (error: unknown) => void this.errors.push(error),
      warn: (warning: unknown) => void this.warnings.push(warning),
    };
    this.served = new Sockets({
      sockets: this.sockets,
      fanOut: this.fanOut,
      wallboardSubscriptions: noScreens,
      presence: this.#presence,
      readPage: async () => ({ records: [], total: 0, totalExact: true, seq: 0, epoch: "e1" }),
      mutate: async () => ({ results: [] }),
      authenticate: (token) => this.#authenticate(token),
      connections,
      addressOf,
      countConnectionAttempt: () => {
        if (this.refusedConnections) throw new Refusal("rate_limited", { retryAfter: 7 });
      },
      countHandshake: () => undefined,
      notifier: this.notifier,
      readCredential: (headers, kind) => readCredential(headers, { kind, publicUrl: undefined }),
      isSameOrigin: (headers) => isSameOrigin(headers, { behindProxy: false }),
      toRefusal: (error, during) => toRefusal(error, reportTo(log, during)),
      modelVersion: () => this.modelVersion,
      degradedReason: () => this.trouble,
      log,
      limits: all,
      ...overrides,
    });
    this.served.attach(this.server);
    connections.watch(this.server);
  }

  async start(): Promise<this> {
    await this.world.start();
    this.fanOut.start();
    this.#presence.start();
    this.server.listen(0, "127.0.0.1");
    await new Promise((resolve) => this.server.once("listening", resolve));
    return this;
  }

  async stop(): Promise<void> {
    for (const client of this.clients) client.socket.disconnect();
    this.#presence.stop();
    this.fanOut.stop();
    this.world.stop();
    await this.sockets.close();
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** A user who sees the records of a group, and their token. */
  user(group: string, expiresInMs = 3_600_000): string {
    const token = randomUUID();
    const subject: Subject = { ...subjectOf(group), id: `user of ${token}` };
    this.identities.set(token, {
      user: { id: subject.id, name: group, colour: "red", email: "a@example.com" },
      subject,
      actor: `user:${subject.id}`,
      session: `session of ${token}`,
      holder: `session of ${token}`,
      expires: new Date(Date.now() + expiresInMs).toISOString(),
    });
    return token;
  }

  /** Changes the rights of a connected user, as an administrator would. */
  changeUser(token: string, group: string): void {
    const identity = this.identities.get(token) as Identity;
    const { id } = identity.subject;
    this.identities.set(token, { ...identity, subject: { ...subjectOf(group), id } });
    this.notifier.changed("user", id);
  }

  client(auth: object, options: Partial<ManagerOptions & SocketOptions> = {}): TestClient {
    const socket = io(this.url, {
      transports: ["websocket"],
      forceNew: true,
      reconnection: false,
      auth: { protocol: PROTOCOL_VERSION, ...auth },
      ...options,
    });
    const client = new TestClient(socket);
    this.clients.push(client);
    return client;
  }

  /** A connected client of a user. */
  async connect(token: string): Promise<TestClient> {
    const client = this.client({ token });
    await client.connected();
    return client;
  }

  async #authenticate(token: string): Promise<Identity | null> {
    if (this.isStoreUnavailable) throw new Refusal("unavailable");
    const identity = this.identities.get(token);
    return identity && Date.parse(identity.expires) > Date.now() ? identity : null;
  }
}

/** A server without wallboards: their tests have a database (e2e/tiles). */
const noScreens: SocketDeps["wallboardSubscriptions"] = {
  open: () => Promise.reject(new Refusal("not_found")),
  close: () => undefined,
  leave: () => undefined,
  hold: () => undefined,
  release: () => undefined,
};
