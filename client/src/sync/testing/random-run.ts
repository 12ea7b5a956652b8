import type { Values } from "../../../../shared/model/model.ts";
import type { TableSession } from "../feed/followed-tables.ts";
import type { RowList } from "../rows/row-list.ts";
import { BadStorage } from "./bad-storage.ts";
import { fullScope } from "./fake-server.ts";
import { type FakeClient, type FakeSystem, fakeSystem, record } from "./fake-system.ts";

const newOnly = { field: "state", op: "eq" as const, value: "New" };
const views = [
  { filter: null, sort: ["rank"], search: "" },
  { filter: null, sort: [], search: "" },
  { filter: newOnly, sort: ["-rank", "title"], search: "" },
  { filter: null, sort: ["title"], search: "title 1" },
];

/** A user with open views and unanswered edits. */
export interface RandomUser {
  client: FakeClient;
  session: TableSession;
  rowLists: RowList[];
  outcomes: Promise<unknown>[];
}

/** Several users with bad connections and random actions. The same seed repeats the same run. */
export class RandomRun {
  readonly system: FakeSystem;
  readonly users: RandomUser[];
  #counter = 0;

  constructor(seed: number) {
    this.system = fakeSystem(seed);
    this.system.seed(250);
    this.users = ["ann", "bob", "eve"].map((user) =>
      this.#join(this.system.client(user, new BadStorage(this.system.clock))),
    );
  }

  #join(client: FakeClient): RandomUser {
    const session = client.core.openTable("incidents");
    const rowLists = views.map((view) => session.openRowList(view));
    client.core.start();
    return { client, session, rowLists, outcomes: [] };
  }

  #pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.system.clock.random() * of.length)] as T;
  }

  #id(): string {
    const { random } = this.system.clock;
    // Most of it happens to a few records: that is where things meet.
    return `i${Math.floor(random() * (random() < 0.7 ? 12 : 120))}`;
  }

  #set(): Values {
    this.#counter += 1;
    return this.#pick<() => Values>([
      () => ({ title: `Title ${this.#counter}` }),
      () => ({ state: this.#pick(["New", "Active", null]) }),
      () => ({ rank: Math.floor(this.system.clock.random() * 300) }),
      () => ({ rank: this.#counter, title: `Both ${this.#counter}` }),
      () => ({ title: "invalid" }),
    ])();
  }

  /** What somebody who looks at the record would do: the base is what the screen shows. */
  #edit({ client, session, outcomes }: RandomUser): void {
    const seen = session.get(this.#id());
    if (!seen || seen.mark === "deleted") return;
    const set = this.#set();
    const base = Object.fromEntries(
      Object.keys(set).map((field) => [field, seen.values[field] ?? null]),
    );
    outcomes.push(client.core.edits.edit("incidents", { record: seen.id, set, base }).outcome);
  }

  /** A paste over several records, some of which are not there any more. */
  #paste({ client, session, outcomes }: RandomUser): void {
    const edits = Array.from({ length: 8 }, () => this.#id()).map((id) => {
      const base = { title: session.get(id)?.values.title ?? null };
      return { record: id, set: { title: `Pasted ${this.#counter++}` }, base };
    });
    outcomes.push(client.core.edits.editMany("incidents", edits).outcomes);
  }

  /** Decides on whatever was refused and can be seen. */
  #decide({ client, session }: RandomUser): void {
    const { edits } = client.core;
    for (let index = 0; index < 120; index++) {
      const view = session.get(`i${index}`);
      for (const [field, cell] of Object.entries(view?.cells ?? {})) {
        if (cell.kind === "conflict") {
          edits.resolve(cell.edit, field, this.#pick(["mine", "theirs"] as const));
        } else if (cell.kind === "rejected") {
          this.#pick([() => edits.retry(cell.edit), () => edits.drop(cell.edit, field)])();
        }
      }
      if (view?.problem) edits.drop(view.problem.edit);
    }
  }

  /** A record panel is opened for a moment. */
  #peek({ session }: RandomUser): void {
    const id = this.#id();
    session.hold(id).catch(() => {});
    this.system.clock.after(this.system.clock.random() * 2_000, () => session.release(id));
  }

  #look({ session, rowLists }: RandomUser): void {
    const place = Math.floor(this.system.clock.random() * rowLists.length);
    const rowList = rowLists[place] as RowList;
    const view = this.#pick(views);
    if (this.system.clock.random() < 0.5) {
      rowList.setView(view);
      return;
    }
    rowList.close();
    rowLists[place] = session.openRowList(view);
  }

  #create({ client, outcomes }: RandomUser): void {
    this.#counter += 1;
    outcomes.push(client.core.edits.create("incidents", record(this.#counter)).outcome);
  }

  #delete({ client, session, outcomes }: RandomUser): void {
    const id = this.#id();
    if (session.get(id)) outcomes.push(client.core.edits.delete("incidents", id).outcome);
  }

  #undo({ client, outcomes }: RandomUser): void {
    const report = this.#pick([() => client.core.undo.undo(), () => client.core.undo.redo()])();
    if (report) outcomes.push(report);
  }

  /** A page that is left and opened again: memory is gone, storage is not. */
  async #reload(user: RandomUser): Promise<void> {
    Object.assign(user, this.#join(await this.system.reload(user.client)));
  }

  #scroll({ rowLists }: RandomUser): void {
    const rowList = this.#pick(rowLists);
    const start = Math.floor(this.system.clock.random() * 3) * 100;
    rowList.setVisible(start, start + 40);
    rowList.getRows(start, start + 100).catch(() => {});
  }

  async step(): Promise<void> {
    const user = this.#pick(this.users);
    const { line } = user.client;
    const server = this.system.server;
    const actions: [number, () => void | Promise<void>][] = [
      [12, () => this.#edit(user)],
      [3, () => this.#create(user)],
      [2, () => this.#delete(user)],
      [3, () => this.#undo(user)],
      [2, () => this.#paste(user)],
      [3, () => this.#decide(user)],
      [2, () => this.#peek(user)],
      [2, () => this.#look(user)],
      [6, () => this.#scroll(user)],
      [2, () => this.#pick(user.rowLists).realign()],
      [8, () => this.system.change(this.#id(), this.#set())],
      [2, () => this.system.create(`x${this.#counter++}`, record(this.#counter))],
      [2, () => this.system.remove(this.#id())],
      [3, () => line.cut()],
      [1, () => this.#reload(user)],
      [1, () => server.incidents.prune()],
      [1, () => server.startEpoch()],
      [1, () => line.sendUnreadable("incidents")],
      [1, () => line.send("resync", { table: "incidents", reason: "slow" })],
      [1, () => this.#changeScope(user)],
      [1, () => this.#takeRights(user)],
      [1, () => this.#pick(user.rowLists).setCurrent(this.#pick([this.#id(), null]))],
      [1, () => this.#failServer()],
      [1, () => this.#unplug(user)],
      [1, () => this.#goodbye(user)],
      [1, () => this.#endSessions()],
      [1, () => this.system.clock.setBy(this.#pick([-600_000, 600_000]))],
    ];
    let ticket = this.system.clock.random() * actions.reduce((sum, [weight]) => sum + weight, 0);
    const action = actions.find(([weight]) => {
      ticket -= weight;
      return ticket < 0;
    });
    await action?.[1]();
  }

  #changeScope({ client }: RandomUser): void {
    const scope = this.#pick([
      fullScope,
      { name: "new", filter: newOnly, hidden: [] },
      { name: "blind", filter: null, hidden: ["secret"] },
    ]);
    this.system.server.setScope(client.line.user, scope);
  }

  /** The user has no rights for a while, or only for so long that the page hears of both changes together. */
  #takeRights({ client }: RandomUser): void {
    const { server, clock } = this.system;
    const { user } = client.line;
    server.takeRights(user, this.#pick(["briefly", "longer"] as const));
    clock.after(clock.random() * 400, () => server.giveRights(user));
  }

  /** The browser has no network for a while, which may be longer than a server takes to start anew. */
  #unplug({ client }: RandomUser): void {
    const { clock } = this.system;
    client.core.setOnline(false);
    clock.after(clock.random() * 5_000, () => client.core.setOnline(true));
  }

  /** The server of the line stops: it says so, and then may have no time to close the line. */
  #goodbye({ client: { line } }: RandomUser): void {
    const { clock } = this.system;
    line.send("goodbye", { reason: "restart", retryAfter: Math.floor(clock.random() * 3_000) });
    if (clock.random() < 0.5) clock.after(clock.random() * 300, () => line.cut());
  }

  /** Ends sessions: whoever sends an edit has to sign in again, and does. */
  #endSessions(): void {
    const { server, clock } = this.system;
    const ended = { code: "session_ended" as const, message: "Sign in." };
    server.failure = (name) => (name === "mutate" ? ended : null);
    clock.after(400, () => {
      server.failure = () => null;
      for (const { client } of this.users) client.core.reconnect();
    });
  }

  #failServer(): void {
    const { server, clock } = this.system;
    const code = this.#pick(["unavailable", "rate_limited"] as const);
    const retryAfter = this.#pick([undefined, 0, 1, 20]);
    server.failure = () => ({ code, message: "Not now.", ...(retryAfter && { retryAfter }) });
    clock.after(400, () => {
      server.failure = () => null;
    });
  }

  addFaults(): void {
    for (const { client } of this.users) {
      (client.storage as BadStorage).isBad = true;
      client.line.faults = {
        dropMessage: 0.05,
        repeatMessage: 0.05,
        loseAnswer: 0.05,
        lateEdit: 0.05,
        lateAnswer: 0.2,
        maxDelayMs: 120,
        reorder: this.system.clock.random() < 0.5,
      };
    }
  }

  /** The last thing that happens is one that no later event would put right. */
  async stopFaults(): Promise<void> {
    for (const user of this.users) this.#pick([() => this.#takeRights(user), () => {}])();
    await this.system.clock.advance(1_000);
    for (const { client, rowLists } of this.users) {
      for (const rowList of rowLists) rowList.setCurrent(null);
      if (client.connection() === "signedOut") client.core.reconnect();
      (client.storage as BadStorage).isBad = false;
      client.line.faults = {
        dropMessage: 0,
        repeatMessage: 0,
        loseAnswer: 0,
        maxDelayMs: 1,
        reorder: false,
      };
    }
    await this.system.clock.advance(180_000);
  }
}
