import type { ClientLimits } from "../../../../shared/limits.ts";
import type { Model } from "../../../../shared/model/model.ts";
import { fieldKinds } from "../../../../shared/model/model.ts";
import { type ErrorBody, Refusal } from "../../../../shared/protocol/errors.ts";
import type { SubscribeAnswer, SubscribeCall } from "../../../../shared/protocol/feed.ts";
import type { FrameMessage } from "../../../../shared/protocol/frame.ts";
import type { MutateAnswer, MutateCall, WireOp } from "../../../../shared/protocol/mutate.ts";
import type { ResyncMessage } from "../../../../shared/protocol/signals.ts";
import type { CallName, Calls } from "../../transport/transport.ts";
import type { FakeClock } from "./fake-clock.ts";
import { type FakeScope, FakeTable } from "./fake-table.ts";
import { FakeTransport } from "./fake-transport.ts";

const HEADS_EVERY_MS = 5_000;

export const fakeModel: Model = {
  version: 1,
  tables: [
    {
      name: "incidents",
      label: "Incidents",
      recordLabel: "incident",
      display: "title",
      fields: [
        { name: "title", label: "Title", type: "text" },
        { name: "state", label: "State", type: "select" },
        { name: "rank", label: "Rank", type: "integer" },
        { name: "secret", label: "Secret", type: "text" },
      ],
      columns: ["title", "state", "rank"],
      sort: ["rank"],
    },
  ],
};

export const fullScope: FakeScope = { name: "all", filter: null, hidden: [] };

/**
 * A server in miniature that keeps the wire's promises: dense positions, mutation ids answered once,
 * scopes, resync. What goes wrong between it and a client is the line's business.
 */
export class FakeServer {
  readonly clock: FakeClock;
  readonly tables = new Map<string, FakeTable>();
  readonly transports = new Set<FakeTransport>();
  /** The wallboards that there are, each with its last frame. */
  readonly wallboards = new Map<string, FrameMessage>();
  /** How often the ops of each mutation were run: never more than once. */
  readonly runs = new Map<string, number>();
  readonly #answers = new Map<string, MutateAnswer>();
  /** Limits other than the default ones. */
  limits: Partial<ClientLimits> = {};
  /** Set to refuse calls as a server in trouble does. */
  failure: (name: CallName, message: object) => ErrorBody | null = () => null;
  readonly #scopes = new Map<string, FakeScope>();
  /** Users who may read no table, and whether only until one was refused to them. */
  readonly #withoutRights = new Map<string, "briefly" | "longer">();

  constructor(clock: FakeClock) {
    this.clock = clock;
    for (const table of fakeModel.tables)
      this.tables.set(table.name, new FakeTable(fieldKinds(table), () => clock.now()));
    this.#scheduleHeads();
  }

  get incidents(): FakeTable {
    return this.table("incidents");
  }

  #page(transport: FakeTransport, call: Calls["query"]["call"]) {
    const { PAGE_MAX_RECORDS: limit = Number.POSITIVE_INFINITY } = this.limits;
    if ((call.limit ?? 0) > limit) throw new Refusal("too_large", { limit, size: call.limit });
    return this.table(call.table).query(call, this.scopeOf(transport.user));
  }

  table(name: string): FakeTable {
    const table = this.tables.get(name);
    if (!table) throw new Refusal("not_found");
    return table;
  }

  /** A line for a client; connect it, cut it, or make it bad. */
  transport(user: string): FakeTransport {
    const transport = new FakeTransport(this, user);
    this.transports.add(transport);
    return transport;
  }

  scopeOf(user: string): FakeScope {
    return this.#scopes.get(user) ?? fullScope;
  }

  /** Other rights from now on: the lines concerned start over. */
  setScope(user: string, scope: FakeScope): void {
    if (this.scopeOf(user) === scope) return;
    this.#scopes.set(user, scope);
    this.#resync("rights", (transport) => transport.user === user);
  }

  /** Takes all tables from a user, until the first refusal or until they are given back. */
  takeRights(user: string, time: "briefly" | "longer"): void {
    this.#withoutRights.set(user, time);
    this.#resync("rights", (transport) => transport.user === user);
    this.#announceRights(user);
  }

  giveRights(user: string): void {
    this.#withoutRights.delete(user);
    this.#announceRights(user);
  }

  #announceRights(user: string): void {
    for (const transport of this.transports)
      if (transport.user === user) transport.send("model", { version: 1 });
  }

  /** Another history, as after a restore. */
  startEpoch(): void {
    this.publish();
    this.incidents.newEpoch();
    this.#resync("epoch", () => true);
  }

  #resync(reason: ResyncMessage["reason"], affects: (transport: FakeTransport) => boolean): void {
    for (const transport of [...this.transports].filter(affects)) {
      for (const table of transport.following.keys()) transport.send("resync", { table, reason });
      transport.following.clear();
    }
  }

  /** Somebody without a client writes, as another program would. */
  write(run: (table: FakeTable) => void): void {
    run(this.incidents);
    this.publish();
  }

  /** Sends every connection what was committed. */
  publish(): void {
    for (const transport of this.transports) transport.publish();
  }

  answer<K extends CallName>(
    transport: FakeTransport,
    name: K,
    call: Calls[K]["call"],
  ): Calls[K]["answer"] {
    const failure = this.failure(name, call);
    if (failure) throw new Refusal(failure.code, failure);
    const { user } = transport;
    if (this.#withoutRights.has(user) && (name === "subscribe" || name === "query")) {
      if (this.#withoutRights.get(user) === "briefly")
        this.clock.after(0, () => this.giveRights(user));
      throw new Refusal("not_found");
    }
    return this.#handlers[name](transport, call as never) as Calls[K]["answer"];
  }

  readonly #handlers = {
    subscribe: (transport: FakeTransport, call: SubscribeCall) => this.#subscribe(transport, call),
    unsubscribe: (transport: FakeTransport, { table }: Calls["unsubscribe"]["call"]) => {
      transport.following.delete(table);
      return {};
    },
    query: (transport: FakeTransport, call: Calls["query"]["call"]) => this.#page(transport, call),
    mutate: (transport: FakeTransport, call: MutateCall) => this.#mutate(transport, call),
    presence: () => ({}),
    tiles: (_line: FakeTransport, { wallboard }: Calls["tiles"]["call"]) => {
      const frame = this.wallboards.get(wallboard);
      if (!frame) throw new Refusal("not_found");
      return { frame };
    },
    leaveTiles: () => ({}),
  };

  #subscribe(transport: FakeTransport, { table: name, after }: SubscribeCall): SubscribeAnswer {
    const table = this.table(name);
    const scope = this.scopeOf(transport.user);
    const base = { epoch: table.epoch, seq: table.head, scope: scope.name };
    transport.following.set(name, { epoch: table.epoch, seq: table.head });
    const isKnown = after?.epoch === table.epoch && after.scope === scope.name;
    if (!after) return base;
    if (!isKnown || after.seq < table.floor) return { ...base, resync: true };
    return { ...base, replay: table.project(scope, after.seq, table.head) };
  }

  #mutate(transport: FakeTransport, { id, ops }: MutateCall): MutateAnswer {
    const known = this.#answers.get(id);
    if (known) return known;
    this.runs.set(id, (this.runs.get(id) ?? 0) + 1);
    const by = { kind: "user" as const, id: transport.user, name: transport.user };
    const scope = this.scopeOf(transport.user);
    const refused = { ok: false as const, error: new Refusal("not_found").toBody() };
    const run = (op: WireOp) =>
      this.#withoutRights.has(transport.user)
        ? refused
        : this.table(op.table).run(op, id, by, scope);
    const answer = { results: ops.map(run) };
    this.#answers.set(id, answer);
    this.publish();
    return answer;
  }

  #scheduleHeads(): void {
    this.clock.after(HEADS_EVERY_MS, () => {
      for (const transport of this.transports) transport.heads();
      this.#scheduleHeads();
    });
  }
}
