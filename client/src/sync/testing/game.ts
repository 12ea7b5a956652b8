import type { Values } from "../../../../shared/model/model.ts";
import type { RecordWindow } from "../window/record-window.ts";
import type { TableSession } from "../window/table-session.ts";
import { BadStorage } from "./bad-storage.ts";
import { type FakeClient, type FakeDesk, fakeDesk, record } from "./fake-desk.ts";
import { everything } from "./fake-server.ts";

const newOnly = { field: "state", op: "eq" as const, value: "New" };
const views = [
  { filter: null, sort: ["rank"], search: "" },
  { filter: newOnly, sort: ["-rank", "title"], search: "" },
  { filter: null, sort: ["title"], search: "title 1" },
];

/** A person with some views open, and what they wait for. */
export interface Player {
  client: FakeClient;
  session: TableSession;
  windows: RecordWindow[];
  outcomes: Promise<unknown>[];
}

/**
 * Several people on bad lines, who do whatever people do, by a seed: the same seed, the same game.
 */
export class Game {
  readonly desk: FakeDesk;
  readonly players: Player[];
  #made = 0;

  constructor(seed: number) {
    this.desk = fakeDesk(seed);
    this.desk.seed(250);
    this.players = ["ann", "bob", "eve"].map((user) =>
      this.#join(this.desk.client(user, new BadStorage(this.desk.clock))),
    );
  }

  #join(client: FakeClient): Player {
    const session = client.core.openTable("incidents");
    const windows = views.map((view) => session.openWindow(view));
    client.core.start();
    return { client, session, windows, outcomes: [] };
  }

  #pick<T>(of: readonly T[]): T {
    return of[Math.floor(this.desk.clock.random() * of.length)] as T;
  }

  #id(): string {
    const { random } = this.desk.clock;
    // Most of it happens to a few records: that is where things meet.
    return `i${Math.floor(random() * (random() < 0.7 ? 12 : 120))}`;
  }

  #set(): Values {
    this.#made += 1;
    return this.#pick<() => Values>([
      () => ({ title: `Title ${this.#made}` }),
      () => ({ state: this.#pick(["New", "Active", null]) }),
      () => ({ rank: Math.floor(this.desk.clock.random() * 300) }),
      () => ({ rank: this.#made, title: `Both ${this.#made}` }),
      () => ({ title: "invalid" }),
    ])();
  }

  /** What somebody who looks at the record would do: the base is what the screen shows. */
  #edit({ client, session, outcomes }: Player): void {
    const seen = session.get(this.#id());
    if (!seen || seen.mark === "deleted") return;
    const set = this.#set();
    const base = Object.fromEntries(
      Object.keys(set).map((field) => [field, seen.values[field] ?? null]),
    );
    outcomes.push(client.core.edits.edit("incidents", { record: seen.id, set, base }).outcome);
  }

  /** A paste over several records, some of which are not there any more. */
  #paste({ client, session, outcomes }: Player): void {
    const edits = Array.from({ length: 8 }, () => this.#id()).map((id) => {
      const base = { title: session.get(id)?.values.title ?? null };
      return { record: id, set: { title: `Pasted ${this.#made++}` }, base };
    });
    outcomes.push(client.core.edits.editMany("incidents", edits).outcomes);
  }

  /** Decides on whatever was refused and can be seen. */
  #decide({ client, session }: Player): void {
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
  #peek({ session }: Player): void {
    const id = this.#id();
    session.hold(id).catch(() => {});
    this.desk.clock.after(this.desk.clock.random() * 2_000, () => session.release(id));
  }

  #look({ session, windows }: Player): void {
    const place = Math.floor(this.desk.clock.random() * windows.length);
    const window = windows[place] as RecordWindow;
    const view = this.#pick(views);
    if (this.desk.clock.random() < 0.5) {
      window.setView(view);
      return;
    }
    window.close();
    windows[place] = session.openWindow(view);
  }

  #create({ client, outcomes }: Player): void {
    this.#made += 1;
    outcomes.push(client.core.edits.create("incidents", record(this.#made)).outcome);
  }

  #delete({ client, session, outcomes }: Player): void {
    const id = this.#id();
    if (session.get(id)) outcomes.push(client.core.edits.delete("incidents", id).outcome);
  }

  #undo({ client, outcomes }: Player): void {
    const report = this.#pick([() => client.core.undo.undo(), () => client.core.undo.redo()])();
    if (report) outcomes.push(report);
  }

  /** A page that is left and opened again: memory is gone, storage is not. */
  async #reload(player: Player): Promise<void> {
    Object.assign(player, this.#join(await this.desk.reload(player.client)));
  }

  #scroll({ windows }: Player): void {
    const window = this.#pick(windows);
    const start = Math.floor(this.desk.clock.random() * 3) * 100;
    window.setVisible(start, start + 40);
    window.getRows(start, start + 100).catch(() => {});
  }

  async step(): Promise<void> {
    const player = this.#pick(this.players);
    const { line } = player.client;
    const server = this.desk.server;
    const moves: [number, () => void | Promise<void>][] = [
      [12, () => this.#edit(player)],
      [3, () => this.#create(player)],
      [2, () => this.#delete(player)],
      [3, () => this.#undo(player)],
      [2, () => this.#paste(player)],
      [3, () => this.#decide(player)],
      [2, () => this.#peek(player)],
      [2, () => this.#look(player)],
      [6, () => this.#scroll(player)],
      [2, () => this.#pick(player.windows).realign()],
      [8, () => this.desk.change(this.#id(), this.#set())],
      [2, () => this.desk.create(`x${this.#made++}`, record(this.#made))],
      [2, () => this.desk.remove(this.#id())],
      [3, () => line.cut()],
      [1, () => this.#reload(player)],
      [1, () => server.incidents.prune()],
      [1, () => server.startEpoch()],
      [1, () => line.garble("incidents")],
      [1, () => line.send("resync", { table: "incidents", reason: "slow" })],
      [1, () => this.#changeScope(player)],
      [1, () => this.#trouble()],
      [1, () => this.#unplug(player)],
      [1, () => this.#goodbye(player)],
      [1, () => this.#endSessions()],
      [1, () => this.desk.clock.setBy(this.#pick([-600_000, 600_000]))],
    ];
    let ticket = this.desk.clock.random() * moves.reduce((sum, [weight]) => sum + weight, 0);
    const move = moves.find(([weight]) => {
      ticket -= weight;
      return ticket < 0;
    });
    await move?.[1]();
  }

  #changeScope({ client }: Player): void {
    const scope = this.#pick([
      everything,
      { name: "new", filter: newOnly, hidden: [] },
      { name: "blind", filter: null, hidden: ["secret"] },
    ]);
    this.desk.server.setScope(client.line.user, scope);
  }

  /** The browser has no network for a while, which may be longer than a server takes to start anew. */
  #unplug({ client }: Player): void {
    const { clock } = this.desk;
    client.core.setOnline(false);
    clock.after(clock.random() * 5_000, () => client.core.setOnline(true));
  }

  /** The server of the line stops: it says so, and then may have no time to close the line. */
  #goodbye({ client: { line } }: Player): void {
    const { clock } = this.desk;
    line.send("goodbye", { reason: "restart", retryAfter: Math.floor(clock.random() * 3_000) });
    if (clock.random() < 0.5) clock.after(clock.random() * 300, () => line.cut());
  }

  /** Whoever sends an edit is told to sign in again, and does so. */
  #endSessions(): void {
    const { server, clock } = this.desk;
    const ended = { code: "session_ended" as const, message: "Sign in." };
    server.trouble = (name) => (name === "mutate" ? ended : null);
    clock.after(400, () => {
      server.trouble = () => null;
      for (const { client } of this.players) client.core.reconnect();
    });
  }

  #trouble(): void {
    const { server, clock } = this.desk;
    const code = this.#pick(["unavailable", "rate_limited"] as const);
    const retryAfter = this.#pick([undefined, 0, 1, 20]);
    server.trouble = () => ({ code, message: "Not now.", ...(retryAfter && { retryAfter }) });
    clock.after(400, () => {
      server.trouble = () => null;
    });
  }

  makeBad(): void {
    for (const { client } of this.players) {
      (client.storage as BadStorage).isBad = true;
      client.line.faults = {
        dropMessage: 0.05,
        repeatMessage: 0.05,
        loseAnswer: 0.05,
        lateEdit: 0.05,
        maxDelayMs: 120,
        reorder: this.desk.clock.random() < 0.5,
      };
    }
  }

  async calmDown(): Promise<void> {
    await this.desk.clock.advance(1_000);
    for (const { client } of this.players) {
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
    await this.desk.clock.advance(180_000);
  }
}
