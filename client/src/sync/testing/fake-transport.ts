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
interface RemoteServer {
  readonly clock: FakeClock;
  answer<K extends CallName>(
    transport: FakeTransport,
    name: K,
    call: Calls[K]["call"],
  ): Calls[K]["answer"];
  scopeOf(user: string): FakeScope;
  table(name: string): FakeTable;
}

/** How bad a line is: chances from 0 to 1, times in milliseconds. */
export interface TransportFaults {
  dropMessage: number;
  repeatMessage: number;
  loseAnswer: number;
  maxDelayMs: number;
  /** An edit that the server commits only when nobody waits for its answer any more. */
  lateEdit?: number;
  /** Answers that the page hears of only after what arrived with them, as in one polled message. */
  lateAnswer?: number;
  /** Whether what was sent later may arrive earlier. */
  reorder: boolean;
}

/** Shorter than it takes to open another line. */
const WITH_OTHERS_MS = 20;

/** Longer than any call waits for its answer. */
const LATE_MS = 25_000;

const noFaults: TransportFaults = {
  dropMessage: 0,
  repeatMessage: 0,
  loseAnswer: 0,
  maxDelayMs: 1,
  reorder: false,
};

/** A client's end of the wire to the fake server, with faults that a real one has and some it has not. */
export class FakeTransport implements Transport {
  readonly user: string;
  /** What was sent to the client, by table. */
  readonly following = new Map<string, Position>();
  faults: TransportFaults = noFaults;
  /** What the client asked, for tests that count. */
  readonly calls: { name: CallName; call: unknown }[] = [];
  /** The server can't be reached while this is set. */
  isUnreachable = false;
  /** Unreachable by a live connection only. */
  isBlocked = false;
  refusal: Refusal["code"] | null = null;
  readonly #server: RemoteServer;
  readonly #pendingCalls = new Set<(refusal: Refusal) => void>();
  #events: TransportEvents | null = null;
  #generation = 0;
  #isConnected = false;
  #lastAt = 0;

  constructor(server: RemoteServer, user: string) {
    this.#server = server;
    this.user = user;
  }

  listen(events: TransportEvents): void {
    this.#events = events;
  }

  connectionId(): string | null {
    return this.#isConnected ? `${this.user}-line` : null;
  }

  connect(): void {
    this.#schedule(() => {
      if (this.isUnreachable || this.refusal) {
        this.#events?.onDown(this.refusal, this.isBlocked);
        return;
      }
      this.#isConnected = true;
      this.#events?.onUp();
    });
  }

  disconnect(): void {
    this.#isConnected = false;
    this.#generation += 1;
    this.following.clear();
    for (const fail of [...this.#pendingCalls]) fail(new Refusal("unavailable", { lost: true }));
  }

  /** The network cuts the line. */
  cut(): void {
    if (!this.#isConnected) return;
    this.disconnect();
    this.#events?.onDown(null);
  }

  call<K extends CallName>(
    name: K,
    call: Calls[K]["call"],
    timeoutMs: number,
  ): Promise<Calls[K]["answer"]> {
    this.calls.push({ name, call: structuredClone(call) });
    if (!this.#isConnected) return Promise.reject(new Refusal("unavailable", { lost: true }));
    return new Promise((resolve, reject) => {
      const cancel = this.#server.clock.after(timeoutMs, () =>
        fail(new Refusal("unavailable", { lost: true })),
      );
      const fail = (refusal: Refusal) => {
        cancel();
        this.#pendingCalls.delete(fail);
        reject(refusal);
      };
      this.#pendingCalls.add(fail);
      const sent = structuredClone(call);
      const handle = () => this.#handle(name, sent, fail, cancel, resolve);
      if (name === "mutate" && this.#chance(this.faults.lateEdit ?? 0)) {
        this.#server.clock.after(LATE_MS, handle);
      } else this.#schedule(handle);
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
      this.#schedule(() => {
        if (!this.#pendingCalls.delete(fail)) return;
        cancel();
        this.#afterOthers(() => resolve(answer));
      });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#schedule(() => {
        if (!this.#pendingCalls.delete(fail)) return;
        cancel();
        this.#afterOthers(() => fail(error));
      });
    }
  }

  /** What has arrived is heard of, also if the line is cut meanwhile. */
  #afterOthers(task: () => void): void {
    if (!this.#chance(this.faults.lateAnswer ?? 0)) task();
    else this.#server.clock.after(this.#server.clock.random() * WITH_OTHERS_MS, task);
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
    if (!this.#isConnected) return;
    const tables = Object.fromEntries(this.following);
    this.send("heads", { tables, now: new Date(this.#server.clock.now()).toISOString() });
  }

  send<K extends ServerMessageName>(name: K, message: ServerMessages[K]): void {
    // A lost resync, or word of other rights, is beyond what an ordered line can do; two of them could cancel each other out.
    const isAssured = name === "resync" || name === "model";
    const isDelivered = isAssured || !this.#chance(this.faults.dropMessage);
    if (!this.#isConnected || !isDelivered) return;
    const times = this.#chance(this.faults.repeatMessage) ? 2 : 1;
    for (let time = 0; time < times; time++) {
      this.#schedule(() => this.#events?.onMessage(name, structuredClone(message)));
    }
  }

  /** The server pings, as it does all the time on a real line. */
  ping(): void {
    if (this.#isConnected && !this.#chance(this.faults.dropMessage)) this.#events?.onPing();
  }

  /** Something arrived that no schema knows. */
  sendUnreadable(table: string | null): void {
    this.#events?.onUnreadable("changes", table);
  }

  #chance(probability: number): boolean {
    return probability > 0 && this.#server.clock.random() < probability;
  }

  /** Delivers after a delay, unless the line was cut meanwhile. */
  #schedule(deliver: () => void): void {
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
