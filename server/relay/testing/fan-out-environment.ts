import { setTimeout as sleep } from "node:timers/promises";
import { defaultLimits } from "../../../shared/limits.ts";
import type { Table, Values } from "../../../shared/model/model.ts";
import { valuesOf } from "../../../shared/model/pick-values.ts";
import type { Subject } from "../../../shared/policy/scope.ts";
import type {
  ChangesMessage,
  HeadsMessage,
  SubscribeAnswer,
  SubscribeCall,
  WireChange,
} from "../../../shared/protocol/feed.ts";
import type { MessageOf, Peer, ServerEvent } from "../../messaging/peer.ts";
import { compileScopeOf, isInScope } from "../../policy/compiled-scope.ts";
import type { LogSpan } from "../../store/log-change.ts";
import { createInProcessBus } from "../bus/in-process-bus.ts";
import { FanOut } from "../fan-out.ts";
import { FEEDS_CHANNEL } from "../feed-messages.ts";
import { FeedTails } from "../feed-tails.ts";
import { createMarkKey } from "../mark-of.ts";
import { ScopeTokens } from "../scope-tokens.ts";
import { ArrayLog } from "./array-log.ts";
import { silentLog } from "./silent-log.ts";

/** For tests: one server with its fan-out over a log in memory, and clients that check what they receive. */

export const table: Table = {
  name: "t",
  label: "T",
  recordLabel: "t",
  display: "title",
  fields: ["title", "group", "hidden"].map((name) => ({ name, label: name, type: "text" })),
  columns: ["title"],
  sort: [],
};

/** A user who sees the records of one group without `hidden`, or with "*" everything. */
export function subjectOf(group: string): Subject {
  const filter = { field: "group", op: "eq" as const, value: "$me.group" };
  const read = group === "*" ? true : { filter, hide: ["hidden"] };
  const role = { id: "r", name: "R", rights: [], grants: { t: { read } } };
  return { id: "u", role, attributes: { group } };
}

export const limits = {
  ...defaultLimits,
  FAN_OUT_TICK_MS: 2,
  HEADS_INTERVAL_MS: 60_000,
  REPLAY_MAX_CHANGES: 60,
  SLOW_CLIENT_BUFFER_BYTES: 1_000,
  RING_MAX_CHANGES: 40,
  RING_MAX_BYTES: 1_000_000,
  RELAY_POLL_MS: 60_000,
};

export class FanOutEnvironment {
  readonly log: ArrayLog;
  readonly bus = createInProcessBus(silentLog);
  readonly clients = new Set<Client>();
  readonly tails: FeedTails;
  readonly fanOut: FanOut;
  broadcasts = 0;
  #published = 0;

  constructor(log = new ArrayLog("t"), secret = Buffer.from("of this installation")) {
    this.log = log;
    const { bus } = this;
    this.tails = new FeedTails({
      log,
      bus,
      logger: silentLog,
      markKey: createMarkKey(secret),
      limits,
    });
    this.fanOut = new FanOut({
      tails: this.tails,
      broadcaster: { toRoom: (room, event, message) => this.#toRoom(room, event, message) },
      logger: silentLog,
      tokens: new ScopeTokens(secret),
      compiledScope: (subject, name) => (name === "t" ? compileScopeOf(subject, table) : null),
      limits,
    });
  }

  async start(): Promise<this> {
    await this.tails.start();
    this.fanOut.start();
    return this;
  }

  stop(): void {
    this.fanOut.stop();
    this.tails.stop();
  }

  /** The next run of the server, on the same log. */
  restarted(): Promise<FanOutEnvironment> {
    return new FanOutEnvironment(this.log).start();
  }

  connect(group: string): Client {
    return this.join(new Client(this, group));
  }

  /** A client, perhaps one of a former run. */
  join(client: Client): Client {
    client.world = this;
    this.clients.add(client);
    this.fanOut.connect(client, client.subject, client.holder);
    return client;
  }

  /** A client that follows the table. */
  async subscribed(group: string): Promise<Client> {
    const client = this.connect(group);
    await client.subscribe();
    return client;
  }

  /** Writes a change, or deletes the record, and waits until it is sent. */
  async write(record: string, values: Record<string, string> | null): Promise<void> {
    this.log.write("t", record, values);
    await this.publish();
    await sleep(limits.FAN_OUT_TICK_MS * 2);
  }

  /** Publishes everything new as the relay would; with `lost`, the message does not arrive. */
  async publish(lost = false): Promise<void> {
    const span = (await this.log.readSpan("t", this.#published, 500)) as LogSpan;
    this.#published = span.to;
    if (!lost) this.bus.publish(FEEDS_CHANNEL, { span });
  }

  async publishRelayHeads(): Promise<void> {
    this.bus.publish(FEEDS_CHANNEL, { heads: await this.log.readFeedStates() });
    await this.tails.get("t")?.catchUp();
  }

  newEpoch(epoch: string): void {
    this.log.create("t", epoch);
    this.#published = 0;
  }

  #toRoom<E extends ServerEvent>(room: string, event: E, message: MessageOf<E>): void {
    this.broadcasts += 1;
    for (const client of this.clients) if (client.joined.has(room)) client.send(event, message);
  }
}

let clients = 0;

/** A client that holds what it was sent and records every violation of the rules. */
export class Client implements Peer {
  readonly id = `c${++clients}`;
  readonly joined = new Set<string>();
  readonly records = new Map<string, Values>();
  readonly violations: string[] = [];
  readonly resyncs: string[] = [];
  readonly frames: ChangesMessage[] = [];
  readonly received: WireChange[] = [];
  at: NonNullable<SubscribeCall["after"]> | null = null;
  subject: Subject;
  holder = `session of ${this.id}`;
  buffered = 0;
  world: FanOutEnvironment;

  constructor(world: FanOutEnvironment, group: string) {
    this.world = world;
    this.subject = subjectOf(group);
  }

  join = (room: string) => void this.joined.add(room);
  leave = (room: string) => void this.joined.delete(room);
  bufferedBytes = () => this.buffered;

  send<E extends ServerEvent>(event: E, message: MessageOf<E>): void {
    if (event === "changes") this.#take(message as ChangesMessage);
    if (event === "heads") this.#compare(message as HeadsMessage);
    if (event === "resync") {
      this.resyncs.push((message as MessageOf<"resync">).reason);
      this.at = null;
    }
  }

  /** Follows the table, from its position if it has one. */
  async subscribe(after = this.at): Promise<SubscribeAnswer> {
    const answered = Promise.withResolvers<SubscribeAnswer>();
    const call = { table: "t", ...(after && { after }) };
    await this.world.fanOut.subscribe(this.id, call, (answer) => {
      this.#start(answer, after !== null);
      answered.resolve(answer);
    });
    return answered.promise;
  }

  disconnect(): void {
    this.world.fanOut.disconnect(this.id);
    this.world.clients.delete(this);
  }

  /** What a fresh query under its own rights returns. */
  visible(at?: number): Map<string, Values> {
    const found = new Map<string, Values>();
    const scope = compileScopeOf(this.subject, table);
    for (const [record, values] of this.world.log.records("t", at)) {
      if (!scope || !isInScope(scope, record, values)) continue;
      found.set(record, valuesOf(values, scope.fields));
    }
    return found;
  }

  /** What arrived during the call is dropped from the replay, as every client must. */
  #start({ epoch, seq, scope, mark, replay, resync }: SubscribeAnswer, returning: boolean): void {
    const known = returning && !resync ? this.at : null;
    this.at = { epoch, seq, scope, mark };
    if (known) {
      for (const change of replay ?? []) if (change.seq > known.seq) this.#apply(change);
      return;
    }
    this.records.clear();
    for (const [record, values] of this.visible(seq)) this.records.set(record, values);
  }

  #take(frame: ChangesMessage): void {
    this.frames.push(frame);
    if (!this.at) {
      this.violations.push("a frame without a subscription");
      return;
    }
    if (frame.from !== this.at.seq || frame.epoch !== this.at.epoch) {
      this.violations.push(`frame ${frame.from}–${frame.to} at ${this.at.seq}`);
    }
    this.at = { ...this.at, seq: frame.to, mark: frame.mark };
    for (const change of frame.changes) this.#apply(change);
  }

  /** An insert of an existing record, or an update of a missing one, reveals a gap or a duplicate. */
  #apply(change: WireChange): void {
    this.received.push(change);
    const known = this.records.get(change.record);
    if ((change.kind === "insert") === (known !== undefined)) {
      this.violations.push(`${change.kind} of ${change.record} at ${change.seq}`);
    }
    if (change.kind === "delete") this.records.delete(change.record);
    else this.records.set(change.record, { ...known, ...change.set });
  }

  /** Heads that leave out what a client follows make it subscribe again, like those that say something else. */
  #compare({ tables }: HeadsMessage): void {
    const seq = tables.t?.seq;
    if (this.at && seq !== this.at.seq) this.violations.push(`heads say ${seq} at ${this.at.seq}`);
  }
}
