import { randomUUID } from "node:crypto";
import type { Subject } from "../../shared/policy/scope.ts";
import type { MessageBus } from "../../shared/protocol/bus-channel.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import {
  boardOfPlace,
  type PresenceCall,
  type PresenceMessage,
  type PresentPerson,
} from "../../shared/protocol/presence.ts";
import type { Person } from "../../shared/protocol/session.ts";
import type { CompiledScope } from "../policy/compiled-scope.ts";
import type { LogChange } from "../store/log-change.ts";
import { PRESENCE_CHANNEL, type PresenceEntry, type PresenceNews } from "./presence-entry.ts";
import { type ReadValues, RecordSight } from "./record-sight.ts";
import { Roster } from "./roster.ts";
import { ThrottleByKey } from "./throttle-by-key.ts";

/** A room of people who see a table alike. */
export interface Audience {
  readonly name: string;
  readonly scope: CompiledScope;
}

interface Caller {
  person: Person;
  subject: Subject;
}

export interface PresenceDeps {
  bus: MessageBus & { onState(listener: () => void): () => void };
  mayRead: (subject: Subject, table: string) => boolean;
  /** The rooms of a table on this node, and the one in which a connection is. */
  rooms: (table: string) => Iterable<Audience>;
  roomOf: (connection: string, table: string) => Audience | undefined;
  toRoom: (room: string, message: PresenceMessage) => void;
  /** Tells those of these connections of this node whose people may still design wallboards. */
  toDesigners: (connections: readonly string[], message: PresenceMessage) => void;
  readValues: ReadValues;
  limits: {
    PRESENCE_TTL_MS: number;
    PRESENCE_UPDATES_PER_SECOND: number;
    PRESENCE_HEARTBEAT_MS: number;
  };
}

/** Tiles are no records: who may design a board may know of all of them. */
function designer({ connection, person, record, mode }: PresenceEntry): PresentPerson {
  return { connection, ...person, mode, ...(record !== undefined && { record }) };
}

const EXPIRY_CHECK_MS = 1_000;

/**
 * Who is on which table, record and field, on all nodes. Everybody who follows a table is told the
 * full list whenever it changes, as far as their scope goes: somebody on a record or field that they
 * may not see is simply on the table. A wallboard's designer is a place like a table: who is in it is
 * told who else is.
 */
export class Presence {
  readonly #deps: PresenceDeps;
  readonly #node = randomUUID();
  readonly #roster: Roster;
  readonly #sight: RecordSight;
  readonly #telling: ThrottleByKey;
  readonly #undo: (() => void)[] = [];

  constructor(deps: PresenceDeps) {
    this.#deps = deps;
    const { PRESENCE_TTL_MS, PRESENCE_UPDATES_PER_SECOND } = deps.limits;
    this.#roster = new Roster(PRESENCE_TTL_MS);
    this.#telling = new ThrottleByKey(PRESENCE_UPDATES_PER_SECOND, (table) => this.#tell(table));
    this.#sight = new RecordSight(deps.readValues, (table) => this.#telling.request(table));
  }

  start(): void {
    const { bus, limits } = this.#deps;
    const announcing = setInterval(() => this.#announce(), limits.PRESENCE_HEARTBEAT_MS);
    const expiring = setInterval(() => this.#expire(), EXPIRY_CHECK_MS);
    this.#undo.push(
      bus.subscribe(PRESENCE_CHANNEL, (message) => this.#hear(message)),
      bus.onState(() => this.#ask()),
      () => clearInterval(announcing),
      () => clearInterval(expiring),
    );
    this.#ask();
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
    this.#telling.stop();
  }

  /** Where a connection's person is; also the heartbeat that keeps them there. */
  set(connection: string, { person, subject }: Caller, call: PresenceCall): void {
    if (!this.#deps.mayRead(subject, call.table)) throw new Refusal("not_found");
    if (call.mode === "away") {
      this.leave(connection);
      return;
    }
    const { table, record, field, mode } = call;
    const { id, name, colour } = person;
    const entry: PresenceEntry = { connection, person: { id, name, colour }, table, mode };
    if (record !== undefined) entry.record = record;
    if (record !== undefined && field !== undefined) entry.field = field;
    const changed = this.#roster.set(this.#node, entry);
    if (changed.length > 0) this.#say({ node: this.#node, set: entry });
    this.#changed(changed);
  }

  leave(connection: string): void {
    const changed = this.#roster.remove(this.#node, connection);
    if (changed.length > 0) this.#say({ node: this.#node, gone: connection });
    this.#changed(changed);
  }

  /** Tells one connection who is on a table. */
  greet(
    peer: { id: string; send(event: "presence", message: PresenceMessage): void },
    table: string,
  ): void {
    const room = this.#deps.roomOf(peer.id, table);
    if (room) peer.send("presence", this.#seenBy(room, this.#roster.on(table)));
  }

  /** What the change feed tells of a table: who is seen may depend on it. */
  noteChanges(table: string, changes: readonly LogChange[]): void {
    if (this.#sight.note(table, changes)) this.#telling.request(table);
  }

  noteReset(table: string): void {
    this.#sight.forget(table);
  }

  #tell(table: string): void {
    const entries = this.#roster.on(table);
    if (boardOfPlace(table) !== null) {
      const here = this.#roster.of(this.#node).filter((entry) => entry.table === table);
      const connections = here.map(({ connection }) => connection);
      this.#deps.toDesigners(connections, { table, people: entries.map(designer) });
      return;
    }
    for (const room of this.#deps.rooms(table)) {
      this.#deps.toRoom(room.name, this.#seenBy(room, entries));
    }
    const records = entries.flatMap(({ record }) => (record === undefined ? [] : [record]));
    this.#sight.keepOnly(table, new Set(records));
  }

  #seenBy({ scope }: Audience, entries: readonly PresenceEntry[]): PresenceMessage {
    const people = entries.map(({ connection, person, record, field, mode }) => {
      const seen: PresentPerson = { connection, ...person, mode };
      if (record === undefined || !this.#sight.sees(scope, record)) return seen;
      if (field === undefined || !scope.visible.has(field)) return { ...seen, record };
      return { ...seen, record, field };
    });
    return { table: scope.table, people };
  }

  #hear(news: PresenceNews): void {
    if (news.node === this.#node) return;
    if ("ask" in news) this.#announce();
    else if ("set" in news) this.#changed(this.#roster.set(news.node, news.set));
    else if ("gone" in news) this.#changed(this.#roster.remove(news.node, news.gone));
    else this.#changed(this.#roster.replace(news.node, news.list));
  }

  #expire(): void {
    for (const { node, entry } of this.#roster.expire()) {
      if (node === this.#node) this.#say({ node, gone: entry.connection });
      this.#telling.request(entry.table);
    }
  }

  #ask(): void {
    this.#say({ node: this.#node, ask: true });
    this.#announce();
  }

  #announce(): void {
    this.#say({ node: this.#node, list: this.#roster.of(this.#node) });
  }

  #say(news: PresenceNews): void {
    this.#deps.bus.publish(PRESENCE_CHANNEL, news);
  }

  #changed(tables: readonly string[]): void {
    for (const table of new Set(tables)) this.#telling.request(table);
  }
}
