import { randomUUID } from "node:crypto";
import type { Limits } from "../../shared/limits.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import {
  type PresenceCall,
  type PresenceMessage,
  type PresenceUser,
  wallboardOfPlace,
} from "../../shared/protocol/presence.ts";
import type { UserProfile } from "../../shared/protocol/users.ts";
import type { MessageBus } from "../messaging/bus-channel.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import { every } from "../store/every.ts";
import type { LogChange } from "../store/log-change.ts";
import { PRESENCE_CHANNEL, type PresenceEntry, type PresenceEvent } from "./presence-entry.ts";
import { PresenceRegistry } from "./presence-registry.ts";
import { type ReadValues, RecordVisibility } from "./record-visibility.ts";

/** The connections with an equal scope on a table. */
interface Audience {
  readonly scope: CompiledScope;
  sendPresence(message: PresenceMessage): void;
}

interface Caller {
  user: UserProfile;
  subject: Subject;
}

/** Tiles are not records: users who may design a wallboard may see all of them. */
function designerEntry({ connection, person, record, mode }: PresenceEntry): PresenceUser {
  return { connection, ...person, mode, ...(record !== undefined && { record }) };
}

const EXPIRY_CHECK_MS = 1_000;
/** Places of one user that others are shown: somebody with more tabs is at the latest ones. */
const PLACES_PER_USER = 5;

/** The latest places of each user. Tabs at the same record and field are one place, shown by the latest of them. */
function placesOf(entries: readonly PresenceEntry[]): PresenceEntry[] {
  const places = new Map<string, Map<string, PresenceEntry>>();
  for (const entry of entries.toReversed()) {
    const { person, record = "", field = "", mode } = entry;
    const own = places.get(person.id) ?? new Map<string, PresenceEntry>();
    places.set(person.id, own);
    const key = JSON.stringify([record, field, mode]);
    if (!own.has(key) && own.size < PLACES_PER_USER) own.set(key, entry);
  }
  return [...places.values()].flatMap((own) => [...own.values()]).reverse();
}

/**
 * Which users are on which table, record and field, on all servers. Everybody who follows a table is sent the
 * full list whenever it changes, projected to their scope: a user on a hidden record or field is shown on the
 * table only. A wallboard's designer is a place like a table: users in it see who else is there.
 */
export class Presence {
  readonly #deps;
  readonly #node = randomUUID();
  readonly #registry: PresenceRegistry;
  readonly #visibility: RecordVisibility;
  readonly #throttle: ThrottleByKey;
  readonly #undo: (() => void)[] = [];

  constructor(deps: {
    bus: MessageBus & { onState(listener: () => void): () => void };
    mayRead: (subject: Subject, table: string) => boolean;
    /** The scope groups of a table on this server, and the one of a connection. */
    groups: (table: string) => Iterable<Audience>;
    groupOf: (connection: string, table: string) => Pick<Audience, "scope"> | undefined;
    /** Sends to those of these connections of this server whose users may still design wallboards. */
    toDesigners: (connections: readonly string[], message: PresenceMessage) => void;
    readValues: ReadValues;
    limits: Limits;
  }) {
    this.#deps = deps;
    const { PRESENCE_TTL_MS, PRESENCE_UPDATES_PER_SECOND } = deps.limits;
    this.#registry = new PresenceRegistry(PRESENCE_TTL_MS);
    this.#throttle = new ThrottleByKey(PRESENCE_UPDATES_PER_SECOND, (table) =>
      this.#sendPresence(table),
    );
    this.#visibility = new RecordVisibility(deps.readValues, (table) =>
      this.#throttle.request(table),
    );
  }

  start(): void {
    const { bus, limits } = this.#deps;
    this.#undo.push(
      bus.subscribe(PRESENCE_CHANNEL, (message) => this.#receive(message)),
      bus.onState(() => this.#requestLists()),
      every(limits.PRESENCE_HEARTBEAT_MS, () => this.#announce()),
      every(EXPIRY_CHECK_MS, () => this.#expire()),
    );
    this.#requestLists();
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#throttle.stop();
  }

  /** Sets the place of a connection's user; also the heartbeat that refreshes it. */
  set(connection: string, { user, subject }: Caller, call: PresenceCall): void {
    if (!this.#deps.mayRead(subject, call.table)) throw new Refusal("not_found");
    if (call.mode === "away") {
      this.leave(connection);
      return;
    }
    const { table, record, field, mode } = call;
    const { id, name, colour } = user;
    const entry: PresenceEntry = { connection, person: { id, name, colour }, table, mode };
    if (record !== undefined) entry.record = record;
    if (record !== undefined && field !== undefined) entry.field = field;
    const changed = this.#registry.set(this.#node, entry);
    if (changed.length > 0) this.#publish({ node: this.#node, set: entry });
    this.#requestUpdates(changed);
  }

  leave(connection: string): void {
    const changed = this.#registry.remove(this.#node, connection);
    if (changed.length > 0) this.#publish({ node: this.#node, gone: connection });
    this.#requestUpdates(changed);
  }

  /** Sends one connection the presence list of a table. */
  sendCurrent(
    peer: { id: string; send(event: "presence", message: PresenceMessage): void },
    table: string,
  ): void {
    const group = this.#deps.groupOf(peer.id, table);
    if (group) peer.send("presence", this.#visibleTo(group, placesOf(this.#registry.on(table))));
  }

  /** Changes of a table's feed: visibility may depend on them. */
  noteChanges(table: string, changes: readonly LogChange[]): void {
    if (this.#visibility.note(table, changes)) this.#throttle.request(table);
  }

  noteReset(table: string): void {
    this.#visibility.forget(table);
  }

  #sendPresence(table: string): void {
    const entries = placesOf(this.#registry.on(table));
    if (wallboardOfPlace(table) !== null) {
      const here = this.#registry.of(this.#node).filter((entry) => entry.table === table);
      const connections = here.map(({ connection }) => connection);
      this.#deps.toDesigners(connections, { table, people: entries.map(designerEntry) });
      return;
    }
    for (const group of this.#deps.groups(table)) {
      group.sendPresence(this.#visibleTo(group, entries));
    }
    const records = entries.flatMap(({ record }) => (record === undefined ? [] : [record]));
    this.#visibility.retain(table, new Set(records));
  }

  #visibleTo(
    { scope }: Pick<Audience, "scope">,
    entries: readonly PresenceEntry[],
  ): PresenceMessage {
    const people = entries.map(({ connection, person, record, field, mode }) => {
      const visibleUser: PresenceUser = { connection, ...person, mode };
      if (record === undefined || !this.#visibility.sees(scope, record)) return visibleUser;
      if (field === undefined || !scope.visible.has(field)) return { ...visibleUser, record };
      return { ...visibleUser, record, field };
    });
    return { table: scope.table, people };
  }

  #receive(event: PresenceEvent): void {
    if (event.node === this.#node) return;
    if ("ask" in event) this.#announce();
    else if ("set" in event) this.#requestUpdates(this.#registry.set(event.node, event.set));
    else if ("gone" in event) this.#requestUpdates(this.#registry.remove(event.node, event.gone));
    else this.#requestUpdates(this.#registry.replace(event.node, event.list));
  }

  #expire(): void {
    for (const { node, entry } of this.#registry.expire()) {
      if (node === this.#node) this.#publish({ node, gone: entry.connection });
      this.#throttle.request(entry.table);
    }
  }

  #requestLists(): void {
    this.#publish({ node: this.#node, ask: true });
    this.#announce();
  }

  #announce(): void {
    this.#publish({ node: this.#node, list: this.#registry.of(this.#node) });
  }

  #publish(event: PresenceEvent): void {
    this.#deps.bus.publish(PRESENCE_CHANNEL, event);
  }

  #requestUpdates(tables: readonly string[]): void {
    for (const table of new Set(tables)) this.#throttle.request(table);
  }
}

/** Runs work for each key at once, and again at a limited rate; the last request is never lost. */
class ThrottleByKey {
  readonly #intervalMs: number;
  readonly #work: (key: string) => void;
  readonly #pausing = new Map<string, NodeJS.Timeout>();
  readonly #waiting = new Set<string>();

  constructor(timesPerSecond: number, work: (key: string) => void) {
    this.#intervalMs = 1_000 / timesPerSecond;
    this.#work = work;
  }

  request(key: string): void {
    if (this.#pausing.has(key)) this.#waiting.add(key);
    else this.#run(key);
  }

  stop(): void {
    for (const timer of this.#pausing.values()) clearTimeout(timer);
    this.#pausing.clear();
    this.#waiting.clear();
  }

  #run(key: string): void {
    const timer = setTimeout(() => {
      this.#pausing.delete(key);
      if (this.#waiting.delete(key)) this.#run(key);
    }, this.#intervalMs);
    this.#pausing.set(key, timer);
    this.#work(key);
  }
}
