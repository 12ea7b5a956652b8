import { expect } from "vitest";
import { findTable, type Table } from "../../shared/model/model.ts";
import type { Role } from "../../shared/policy/role.ts";
import type { PresenceMessage } from "../../shared/protocol/presence.ts";
import type { RoleInfo } from "../../shared/protocol/roles.ts";
import { Dice } from "../convergence/dice.ts";
import type { Desk } from "../harness/desk.ts";
import { addPerson } from "../harness/person.ts";
import { until } from "../harness/until.ts";
import { CanaryBoards } from "./canary-boards.ts";
import { CanaryMoves } from "./canary-moves.ts";
import { pathsToAsk, refusedOps } from "./canary-questions.ts";
import { CanaryRecords } from "./canary-records.ts";
import { CanaryViews } from "./canary-views.ts";
import { Knowledge } from "./knowledge.ts";
import { canaryFields, groups, randomGrants } from "./random-role.ts";
import { type Tap, TappedLine } from "./tapped-line.ts";
import { TappedPerson } from "./tapped-person.ts";
import type { Watcher } from "./watcher.ts";

const RECONNECTS = 0.1;
/** The delays of received messages on this machine, sampled; the largest of so many counts. */
const SAMPLE_EVERY_MS = 50;
const SAMPLES = 200;
const WAITS = 5;
const ROLES = 12;
const RIGHTS_CHANGE_EVERY = 25;
/** Of the roles, one in so many may change wallboards. */
const DESIGNER_EVERY = 3;
const AT_ONCE = 6;
/** Of a leak, so many characters before and after are told. */
const TOLD_AROUND = 300;
const SETTLED_WITHIN_MS = 120_000;

export interface WorldSize {
  seed: number;
  /** Connections. */
  people: number;
  changes: number;
  /** The nodes that the connections are spread over. */
  urls: readonly string[];
}

/**
 * Many people with random rights on one table, everybody's line tapped, and what happens to them:
 * random edits by random authors, questions of every kind, rights that change on the way.
 */
export class World {
  readonly watchers: Watcher[] = [];
  readonly leaks: string[] = [];
  done = 0;
  received = 0;
  /** Times that somebody was shown on a record. */
  met = 0;
  readonly #desk: Desk;
  readonly #dice: Dice;
  readonly #known: Knowledge;
  readonly #table: Table;
  readonly #records: CanaryRecords;
  readonly #size: WorldSize;
  readonly #roles: Role[] = [];
  readonly #moves: CanaryMoves;
  readonly #delays: number[] = [];
  readonly #sampling: NodeJS.Timeout;
  #boards!: CanaryBoards;
  #views!: CanaryViews;

  private constructor(desk: Desk, size: WorldSize) {
    this.#desk = desk;
    this.#size = size;
    this.#table = findTable(desk.boss.model, "incidents") as Table;
    this.#dice = new Dice(size.seed);
    this.#sampling = this.#sampleDelays();
    this.#known = new Knowledge(desk.boss.model, () => WAITS * Math.max(0, ...this.#delays));
    const setting = { desk, known: this.#known, dice: this.#dice, table: this.#table };
    this.#records = new CanaryRecords(setting);
    const owner = new TappedLine({ url: desk.server.url, token: desk.boss.token }, () => {});
    this.#moves = new CanaryMoves({ ...setting, owner, records: this.#records });
  }

  /** How late this process gets to what it has received: nobody is accused of what the machine delays. */
  #sampleDelays(): NodeJS.Timeout {
    let expected = performance.now() + SAMPLE_EVERY_MS;
    return setInterval(() => {
      this.#delays.push(performance.now() - expected);
      if (this.#delays.length > SAMPLES) this.#delays.shift();
      expected = performance.now() + SAMPLE_EVERY_MS;
    }, SAMPLE_EVERY_MS);
  }

  static async open(desk: Desk, size: WorldSize): Promise<World> {
    const world = new World(desk, size);
    await world.#records.lay();
    await world.#hangBoards();
    for (let index = 0; index < ROLES; index++) await world.#addRole(index);
    for (let index = 0; index < size.people; index++) await world.#addWatcher(index);
    return world;
  }

  async play(): Promise<void> {
    const dice = this.#dice;
    for (let made = 0; made < this.#size.changes && this.leaks.length === 0; made += AT_ONCE) {
      if (dice.next() < RECONNECTS) await this.#reconnect(dice.pick(this.watchers));
      else await this.#changeSome();
      if (dice.next() < 0.1) await this.#records.rename();
      if (dice.next() < 0.7) await this.#ask(dice.pick(this.watchers));
      if (
        Math.floor(made / RIGHTS_CHANGE_EVERY) !==
        Math.floor((made + AT_ONCE) / RIGHTS_CHANGE_EVERY)
      ) {
        await (dice.next() < 0.5 ? this.#changeRole() : this.#changePerson());
        if (dice.next() < 0.3) await this.#boards.republish();
      }
    }
  }

  /** The board that everybody looks at. */
  get board(): string {
    return this.#boards.board;
  }

  close(): void {
    clearInterval(this.#sampling);
    for (const { tapped } of this.watchers) tapped.close();
    this.#boards.close();
  }

  async #addRole(index: number): Promise<void> {
    const rights = index % DESIGNER_EVERY === 0 ? ["wallboards"] : [];
    const call = { name: `Canary ${index}`, rights, grants: randomGrants(this.#dice) };
    this.#roles.push(asRole(await this.#desk.boss.call<RoleInfo>("POST", "/roles", call)));
  }

  async #addWatcher(index: number): Promise<void> {
    const { server, boss } = this.#desk;
    const { urls } = this.#size;
    const role = this.#roles[index % ROLES] as Role;
    const attributes = { group: this.#dice.pick(groups) };
    const person = await addPerson(server.url, boss, `Canary ${index}`, role.id);
    await boss.call("PATCH", `/users/${person.info.id}`, { attributes });
    const { id } = person.info;
    this.#known.expects(id, role, attributes);
    this.#known.begins(id);
    const url = urls[index % urls.length] as string;
    const line = { id, url, token: person.token };
    const tapped = await TappedPerson.connect(line, this.#tapOf(id));
    tapped.onPresence((message) => this.#judgePresence(id, message));
    const watcher = { tapped, role, attributes };
    await this.#boards.follow(watcher);
    this.watchers.push(watcher);
  }

  async #hangBoards(): Promise<void> {
    const tapOf = (id: string) => this.#tapOf(id);
    const setting = { desk: this.#desk, known: this.#known, dice: this.#dice, tapOf };
    this.#boards = await CanaryBoards.open(setting);
    this.#views = await CanaryViews.open(setting);
  }

  #tapOf(id: string): Tap {
    return (bytes, from) => {
      this.received += 1;
      for (const leak of this.#known.leaksIn(bytes, id, from)) {
        const at = Math.max(0, bytes.indexOf(leak) - TOLD_AROUND);
        const around = bytes.slice(at, at + 2 * TOLD_AROUND);
        this.leaks.push(`${leak} by ${from}: ${this.#known.tell(leak, id)}\n${around}`);
      }
    };
  }

  /** Nobody is shown on a record or field that the reader may not see. */
  #judgePresence(reader: string, { table, people }: PresenceMessage): void {
    for (const { record, field, name } of people) {
      this.met += record === undefined ? 0 : 1;
      if (record === undefined || this.#known.mayMeet(reader, table, record, field)) continue;
      this.leaks.push(`${name} on ${record} ${field} by presence to ${reader}`);
    }
  }

  /** Changes of several records at once, by random authors, half of them with all rights. */
  async #changeSome(): Promise<void> {
    const dice = this.#dice;
    const records = new Set(Array.from({ length: AT_ONCE }, () => this.#records.any()));
    const moves = [...records].map(async (record) => {
      const author = dice.next() < 0.5 ? null : dice.pick(this.watchers);
      if (await this.#moves.make(author, record)) this.done += 1;
    });
    await Promise.all(moves);
  }

  /** A line is lost and made anew; what was changed meanwhile is replayed, as far as its user could see it. */
  async #reconnect(watcher: Watcher): Promise<void> {
    const others = this.watchers.filter((one) => one !== watcher);
    await watcher.tapped.reconnect(async () => {
      this.watchers.splice(0, this.watchers.length, ...others);
      await this.#changeSome();
      this.watchers.push(watcher);
    });
    await this.#boards.follow(watcher);
  }

  /** Everything that may be asked, on one record and on all. */
  async #ask(watcher: Watcher): Promise<void> {
    const { tapped } = watcher;
    const record = this.#records.any();
    const field = this.#dice.pick(canaryFields);
    const caller = this.#records.anyCaller();
    const paths = pathsToAsk({ record, field, caller });
    await tapped.rest("GET", this.#dice.pick(paths));
    await tapped.call("mutate", { id: crypto.randomUUID(), ops: refusedOps(record) });
    const message = { table: "incidents", record, field, mode: "editing" };
    await tapped.call("presence", message);
    await tapped.call("query", { table: "incidents", limit: 100, search: "cnry" });
    await this.#boards.ask(watcher);
    await this.#views.ask(watcher);
  }

  async #changeRole(): Promise<void> {
    const index = this.#dice.below(ROLES);
    const before = this.#roles[index] as Role;
    const after: Role = { ...before, grants: randomGrants(this.#dice) };
    this.#roles[index] = after;
    const have = this.watchers.filter(({ role }) => role.id === before.id);
    await this.#become(have, after, null, async () => {
      const grants = { "*": null, incidents: null, people: null, ...after.grants };
      const call = { grants };
      const now = await this.#desk.boss.call<RoleInfo>("PATCH", `/roles/${before.id}`, call);
      expect(asRole(now)).toEqual(after);
    });
  }

  async #changePerson(): Promise<void> {
    const watcher = this.#dice.pick(this.watchers);
    const role = this.#dice.pick(this.#roles);
    const attributes = { group: this.#dice.pick(groups) };
    const call = { role: role.id, attributes };
    await this.#become([watcher], role, attributes, async () => {
      await this.#desk.boss.call("PATCH", `/users/${watcher.tapped.id}`, call);
    });
  }

  /**
   * The rights are in force when the call is answered; every line stays open through the change. What was under
   * way on a line meanwhile has come when the line answers again, however slow the machine is.
   */
  async #become(
    watchers: readonly Watcher[],
    role: Role,
    attributes: Record<string, string> | null,
    call: () => Promise<void>,
  ): Promise<void> {
    for (const one of watchers) {
      this.#known.expects(one.tapped.id, role, attributes ?? one.attributes);
    }
    await call();
    for (const one of watchers) {
      await one.tapped.call("query", { table: "incidents", limit: 1 });
      this.#known.begins(one.tapped.id);
      Object.assign(one, { role, attributes: attributes ?? one.attributes });
      const { socket } = one.tapped;
      await until("the connection holds", SETTLED_WITHIN_MS, () => socket.connected);
    }
  }
}

function asRole({ id, name, rights = [], grants = {} }: RoleInfo): Role {
  return { id, name, rights, grants } as Role;
}
