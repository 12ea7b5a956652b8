import { expect } from "vitest";
import { findTable, type Table } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { PresenceMessage } from "../../shared/protocol/presence.ts";
import type { RoleInfo } from "../../shared/protocol/roles.ts";
import { SeededRandom } from "../convergence/seeded-random.ts";
import type { TestInstallation } from "../harness/test-installation.ts";
import { addToken, addUser } from "../harness/test-user.ts";
import { until } from "../harness/until.ts";
import type { MailReceiver } from "../notifications/mail-receiver.ts";
import { CanaryChangeSets } from "./canary-change-sets.ts";
import { CanaryComments } from "./canary-comments.ts";
import { CanaryInbox } from "./canary-inbox.ts";
import { hiddenTable, namedField, publishNames } from "./canary-names.ts";
import { CanaryPrograms } from "./canary-programs.ts";
import { CanaryRecords } from "./canary-records.ts";
import { readPaths, refusedOps } from "./canary-requests.ts";
import { CanaryViews } from "./canary-views.ts";
import { CanaryWallboards } from "./canary-wallboards.ts";
import { CanaryWrites } from "./canary-writes.ts";
import { HandlingDelays } from "./handling-delays.ts";
import { Knowledge } from "./knowledge.ts";
import { canaryFields, groups, randomGrants } from "./random-role.ts";
import { type Tap, TappedLine } from "./tapped-line.ts";
import { TappedUser } from "./tapped-user.ts";
import type { Watcher } from "./watcher.ts";

const RECONNECTS = 0.1;
const WAITS = 5;
const ROLES = 12;
const RIGHTS_CHANGE_EVERY = 25;
/** One in so many roles may change wallboards, one may have webhooks, and one may read the activity. */
const RIGHTS = [["wallboards"], ["webhooks"], ["webhooks", "activity", "tokens"]];
const AT_ONCE = 6;
/** This many characters around a leak are reported. */
const LEAK_CONTEXT_LENGTH = 300;
const CATCH_UP_TIMEOUT_MS = 120_000;

export interface WorldSize {
  seed: number;
  /** Connections. */
  people: number;
  changes: number;
  /** The servers that the connections are spread over. */
  urls: readonly string[];
  /** Where their mail arrives. */
  mails: MailReceiver;
}

/**
 * Many users with random rights on one table, all connections tapped, and random events: edits by random
 * authors, requests of every kind, changing rights.
 */
export class World {
  readonly watchers: Watcher[] = [];
  readonly leaks: string[] = [];
  done = 0;
  received = 0;
  /** How often a user was shown on a record. */
  presenceCount = 0;
  readonly #installation: TestInstallation;
  readonly #random: SeededRandom;
  readonly #knowledge: Knowledge;
  readonly #table: Table;
  readonly #records: CanaryRecords;
  readonly #changeSets: CanaryChangeSets;
  readonly #size: WorldSize;
  readonly #roles: Role[] = [];
  readonly #writes: CanaryWrites;
  readonly #comments: CanaryComments;
  readonly #delays = new HandlingDelays();
  #wallboards!: CanaryWallboards;
  #views!: CanaryViews;
  #programs!: CanaryPrograms;
  #inbox!: CanaryInbox;

  private constructor(installation: TestInstallation, size: WorldSize) {
    this.#installation = installation;
    this.#size = size;
    this.#table = findTable(installation.ownerUser.model, "incidents") as Table;
    this.#random = new SeededRandom(size.seed);
    const { model } = installation.ownerUser;
    this.#knowledge = new Knowledge(model, () => WAITS * this.#delays.longest());
    const { name: field } = namedField;
    this.#knowledge.addNames(JSON.stringify(namedField), { table: "incidents", field });
    this.#knowledge.addNames(hiddenTable, { table: hiddenTable });
    const setting = {
      ...{ installation, random: this.#random },
      ...{ knowledge: this.#knowledge, table: this.#table },
    };
    this.#records = new CanaryRecords(setting);
    this.#comments = new CanaryComments(setting);
    const owner = new TappedLine(
      { url: installation.server.url, token: installation.ownerUser.token },
      () => {},
    );
    this.#changeSets = new CanaryChangeSets(this.#random);
    const { applied: changeSets } = this.#changeSets;
    this.#writes = new CanaryWrites({ ...setting, owner, records: this.#records, changeSets });
  }

  static async open(installation: TestInstallation, size: WorldSize): Promise<World> {
    await publishNames(installation);
    const world = new World(installation, size);
    await world.#records.insertAll();
    await world.#addWallboards();
    for (let index = 0; index < ROLES; index++) await world.#addRole(index);
    for (let index = 0; index < size.people; index++) await world.#addWatcher(index);
    return world;
  }

  async play(): Promise<void> {
    const random = this.#random;
    for (let made = 0; made < this.#size.changes && this.leaks.length === 0; made += AT_ONCE) {
      if (random.next() < RECONNECTS) await this.#reconnect(random.pick(this.watchers));
      else await this.#changeSome();
      if (random.next() < 0.1) await this.#records.rename();
      await this.#comments.add(this.#records.any());
      if (random.next() < 0.7) await this.#requestAll(random.pick(this.watchers));
      await this.#programs.requestAll();
      await this.#inbox.requestAll(this.#records.any());
      if (
        Math.floor(made / RIGHTS_CHANGE_EVERY) !==
        Math.floor((made + AT_ONCE) / RIGHTS_CHANGE_EVERY)
      ) {
        await (random.next() < 0.5 ? this.#changeRole() : this.#changeUser());
        if (random.next() < 0.3) await this.#wallboards.republish();
      }
    }
  }

  /** The wallboard that everybody looks at. */
  get wallboard(): string {
    return this.#wallboards.wallboard;
  }

  /** What the programs of the users received, and what they were notified of. */
  get programs(): CanaryPrograms["counts"] & CanaryInbox["counts"] {
    return { ...this.#programs.counts, ...this.#inbox.counts };
  }

  async close(): Promise<void> {
    await this.#programs.close();
    this.#delays.stop();
    for (const { tapped } of this.watchers) tapped.close();
    this.#wallboards.close();
  }

  async #addRole(index: number): Promise<void> {
    const rights = RIGHTS[index % RIGHTS.length];
    const call = { name: `Canary ${index}`, rights, grants: randomGrants(this.#random) };
    const role = await this.#installation.ownerUser.call<RoleInfo>("POST", "/roles", call);
    this.#roles.push(asRole(role));
  }

  async #addWatcher(index: number): Promise<void> {
    const { server, ownerUser } = this.#installation;
    const { urls } = this.#size;
    const role = this.#roles[index % ROLES] as Role;
    const attributes = { group: this.#random.pick(groups) };
    const user = await addUser(server.url, ownerUser, `Canary ${index}`, role.id);
    await ownerUser.call("PATCH", `/users/${user.info.id}`, { attributes });
    const { id } = user.info;
    this.#knowledge.expectRights(id, role, attributes);
    this.#knowledge.applyRights(id);
    const url = urls[index % urls.length] as string;
    // Two of three connect by an API token: without a role, or with one that the user's bounds.
    const call = index % 3 === 2 ? { role: "owner" } : {};
    const { token } = index % 3 === 0 ? user : await addToken(user, call);
    const line = { id, url, token };
    const tapped = await TappedUser.connect(line, this.#tapOf(id));
    tapped.onPresence((message) => this.#verifyPresence(id, message));
    const watcher = { tapped, role, attributes };
    await this.#wallboards.follow(watcher);
    this.watchers.push(watcher);
    await this.#programs.add(user, token);
    await this.#inbox.add(url, user);
  }

  async #addWallboards(): Promise<void> {
    const setting = {
      ...{ installation: this.#installation, knowledge: this.#knowledge, random: this.#random },
      tapOf: (id: string) => this.#tapOf(id),
    };
    this.#wallboards = await CanaryWallboards.open(setting);
    this.#views = await CanaryViews.open(setting);
    this.#programs = await CanaryPrograms.open({ ...setting, urls: this.#size.urls });
    this.#inbox = new CanaryInbox({ ...setting, mails: this.#size.mails });
  }

  #tapOf(id: string): Tap {
    return (bytes, from) => {
      this.received += 1;
      for (const leak of this.#knowledge.leaksIn(bytes, id, from)) {
        const at = Math.max(0, bytes.indexOf(leak) - LEAK_CONTEXT_LENGTH);
        const around = bytes.slice(at, at + 2 * LEAK_CONTEXT_LENGTH);
        this.leaks.push(`${leak} by ${from}: ${this.#knowledge.explainLeak(leak, id)}\n${around}`);
      }
    };
  }

  /** Nobody is shown on a record or field that the reader may not see. */
  #verifyPresence(reader: string, { table, people }: PresenceMessage): void {
    for (const { record, field, name } of people) {
      this.presenceCount += record === undefined ? 0 : 1;
      if (record === undefined || this.#knowledge.maySeePresence(reader, table, record, field))
        continue;
      const why = this.#knowledge.explainPresence(reader, table, record);
      this.leaks.push(`${name} on ${record} ${field} by presence to ${reader}: ${why}`);
    }
  }

  /** Changes of several records at once, by random authors, half of them with all rights. */
  async #changeSome(): Promise<void> {
    const random = this.#random;
    const records = new Set(Array.from({ length: AT_ONCE }, () => this.#records.any()));
    const writes = [...records].map(async (record) => {
      const author = random.next() < 0.5 ? null : random.pick(this.watchers);
      if (await this.#writes.make(author, record)) this.done += 1;
    });
    await Promise.all(writes);
  }

  /**
   * A connection is lost and made again; what was changed meanwhile is replayed, as far as its user could see
   * it.
   */
  async #reconnect(watcher: Watcher): Promise<void> {
    const others = this.watchers.filter((one) => one !== watcher);
    await watcher.tapped.reconnect(async () => {
      this.watchers.splice(0, this.watchers.length, ...others);
      await this.#changeSome();
      this.watchers.push(watcher);
    });
    await this.#wallboards.follow(watcher);
  }

  /** All requests, on one record and on all. */
  async #requestAll(watcher: Watcher): Promise<void> {
    const { tapped } = watcher;
    const record = this.#records.any();
    const field = this.#random.pick(canaryFields);
    const caller = this.#records.anyCaller();
    const paths = readPaths({ record, field, caller });
    await tapped.rest("GET", this.#random.pick(paths));
    await tapped.call("mutate", { id: crypto.randomUUID(), ops: refusedOps(record) });
    const message = { table: "incidents", record, field, mode: "editing" };
    await tapped.call("presence", message);
    await tapped.call("query", { table: "incidents", limit: 100, search: "cnry" });
    await this.#wallboards.requestAll(watcher);
    await this.#views.requestAll(watcher);
    await this.#comments.requestAll(watcher, record);
    await this.#changeSets.requestAll(tapped, field);
  }

  async #changeRole(): Promise<void> {
    const index = this.#random.below(ROLES);
    const before = this.#roles[index] as Role;
    const after: Role = { ...before, grants: randomGrants(this.#random) };
    this.#roles[index] = after;
    const have = this.watchers.filter(({ role }) => role.id === before.id);
    await this.#changeRights(have, after, null, async () => {
      const grants = { "*": null, incidents: null, people: null, ...after.grants };
      const { ownerUser } = this.#installation;
      const now = await ownerUser.call<RoleInfo>("PATCH", `/roles/${before.id}`, { grants });
      expect(asRole(now)).toEqual(after);
    });
  }

  async #changeUser(): Promise<void> {
    const watcher = this.#random.pick(this.watchers);
    const role = this.#random.pick(this.#roles);
    const attributes = { group: this.#random.pick(groups) };
    const call = { role: role.id, attributes };
    await this.#changeRights([watcher], role, attributes, async () => {
      await this.#installation.ownerUser.call("PATCH", `/users/${watcher.tapped.id}`, call);
    });
  }

  /**
   * The rights are effective when the call is answered; every connection stays open through the change. What
   * was in flight on a connection meanwhile has arrived when the connection answers again, however slow the
   * machine is.
   */
  async #changeRights(
    watchers: readonly Watcher[],
    role: Role,
    attributes: Record<string, string> | null,
    call: () => Promise<void>,
  ): Promise<void> {
    for (const one of watchers) {
      this.#knowledge.expectRights(one.tapped.id, role, attributes ?? one.attributes);
    }
    await call();
    for (const one of watchers) {
      await one.tapped.call("query", { table: "incidents", limit: 1 });
      this.#knowledge.applyRights(one.tapped.id);
      Object.assign(one, { role, attributes: attributes ?? one.attributes });
      const { socket } = one.tapped;
      await until("the connection holds", CATCH_UP_TIMEOUT_MS, () => socket.connected);
    }
  }
}

function asRole({ id, name, rights = [], grants = {} }: RoleInfo): Role {
  return { id, name, rights, grants } as Role;
}
