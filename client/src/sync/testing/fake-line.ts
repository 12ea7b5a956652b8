import { Refusal } from "../../../../shared/protocol/errors.ts";
import type { Position } from "../../../../shared/protocol/position.ts";
import type {
  CallName,
  Calls,
  ServerMessageName,
  ServerMessages,
  Transport,
  TransportEvents,
} from "../../transport/transport.ts";
import type { FakeClock } from "./fake-clock.ts";
import type { FakeScope, FakeTable } from "./fake-table.ts";

/** What the line leads to (fake-server.ts). */
interface FarEnd {
  readonly clock: FakeClock;
  answer<K extends CallName>(line: FakeLine, name: K, call: Calls[K]["call"]): Calls[K]["answer"];
  scopeOf(user: string): FakeScope;
  table(name: string): FakeTable;
}

/** How bad a line is: chances from 0 to 1, times in milliseconds. */
export interface LineFaults {
  dropMessage: number;
  repeatMessage: number;
  loseAnswer: number;
  maxDelayMs: number;
  /** An edit that the server commits only when nobody waits for its answer any more. */
  lateEdit?: number;
  /** Whether what was sent later may arrive earlier. */
  reorder: boolean;
}

/** Longer than any call waits for its answer. */
const LATE_MS = 25_000;

const calm: LineFaults = {
  dropMessage: 0,
  repeatMessage: 0,
  loseAnswer: 0,
  maxDelayMs: 1,
  reorder: false,
};

/** A client's end of the wire to the fake server, with faults that a real one has and some it has not. */
export class FakeLine implements Transport {
  readonly user: string;
  /** What was sent to the client, by table. */
  readonly following = new Map<string, Position>();
  faults: LineFaults = calm;
  /** What the client asked, for tests that count. */
  readonly calls: { name: CallName; call: unknown }[] = [];
  /** The server can't be reached while this is set. */
  isDead = false;
  refusal: Refusal["code"] | null = null;
  readonly #server: FarEnd;
  readonly #open = new Set<(refusal: Refusal) => void>();
  #events: TransportEvents | null = null;
  #generation = 0;
  #isUp = false;
  #lastAt = 0;

  constructor(server: FarEnd, user: string) {
    this.#server = server;
    this.user = user;
  }

  listen(events: TransportEvents): void {
    this.#events = events;
  }

  connectionId(): string | null {
    return this.#isUp ? `${this.user}-line` : null;
  }

  connect(): void {
    this.#later(() => {
      if (this.isDead || this.refusal) {
        this.#events?.onDown(this.refusal);
        return;
      }
      this.#isUp = true;
      this.#events?.onUp();
    });
  }

  disconnect(): void {
    this.#isUp = false;
    this.#generation += 1;
    this.following.clear();
    for (const lose of [...this.#open]) lose(new Refusal("unavailable", { lost: true }));
  }

  /** The network cuts the line. */
  cut(): void {
    if (!this.#isUp) return;
    this.disconnect();
    this.#events?.onDown(null);
  }

  call<K extends CallName>(
    name: K,
    call: Calls[K]["call"],
    timeoutMs: number,
  ): Promise<Calls[K]["answer"]> {
    this.calls.push({ name, call: structuredClone(call) });
    if (!this.#isUp) return Promise.reject(new Refusal("unavailable", { lost: true }));
    return new Promise((resolve, reject) => {
      const cancel = this.#server.clock.after(timeoutMs, () =>
        lose(new Refusal("unavailable", { lost: true })),
      );
      const lose = (refusal: Refusal) => {
        cancel();
        this.#open.delete(lose);
        reject(refusal);
      };
      this.#open.add(lose);
      const sent = structuredClone(call);
      const handle = () => this.#handle(name, sent, lose, cancel, resolve);
      if (name === "mutate" && this.#chance(this.faults.lateEdit ?? 0)) {
        this.#server.clock.after(LATE_MS, handle);
      } else this.#later(handle);
    });
  }

  #handle<K extends CallName>(
    name: K,
    call: Calls[K]["call"],
    fail: (refusal: Refusal) => void,
    cancel: () => void,
    resolve: (answer: Calls[K]["answer"]) => void,
  ): void {
    try {
      const answer = structuredClone(this.#server.answer(this, name, call));
      if (this.#chance(this.faults.loseAnswer)) return;
      this.#later(() => {
        if (!this.#open.delete(fail)) return;
        cancel();
        resolve(answer);
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#later(() => fail(error));
    }
  }

  /** Sends what was committed since the last time. */
  publish(): void {
    const scope = this.#server.scopeOf(this.user);
    for (const [name, sent] of this.following) {
      const table = this.#server.table(name);
      if (table.epoch !== sent.epoch || table.head === sent.seq) continue;
      const changes = table.project(scope, sent.seq, table.head);
      this.following.set(name, { epoch: table.epoch, seq: table.head });
      const span = { table: name, epoch: table.epoch, from: sent.seq, to: table.head };
      this.send("changes", { ...span, changes });
    }
  }

  heads(): void {
    this.publish();
    if (!this.#isUp) return;
    const tables = Object.fromEntries(this.following);
    this.send("heads", { tables, now: new Date(this.#server.clock.now()).toISOString() });
  }

  send<K extends ServerMessageName>(name: K, message: ServerMessages[K]): void {
    // A lost resync is beyond what an ordered line can do; two of them could cancel each other out.
    const isSafe = name === "resync" || !this.#chance(this.faults.dropMessage);
    if (!this.#isUp || !isSafe) return;
    const times = this.#chance(this.faults.repeatMessage) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      this.#later(() => this.#events?.onMessage(name, structuredClone(message)));
    }
  }

  /** Something arrived that no schema knows. */
  garble(table: string | null): void {
    this.#events?.onUnreadable("changes", table);
  }

  #chance(of: number): boolean {
    return of > 0 && this.#server.clock.random() < of;
  }

  /** Delivers after a delay, unless the line was cut meanwhile. */
  #later(deliver: () => void): void {
    const generation = this.#generation;
    const { clock } = this.#server;
    const at = clock.steady() + clock.random() * this.faults.maxDelayMs;
    const due = this.faults.reorder ? at : Math.max(at, this.#lastAt);
    this.#lastAt = due;
    clock.after(due - clock.steady(), () => {
      if (generation === this.#generation) deliver();
    });
  }
}
