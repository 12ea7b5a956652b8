import { setTimeout as sleep } from "node:timers/promises";
import { io, type Socket } from "socket.io-client";
import { isTransient } from "../../shared/protocol/errors.ts";
import type {
  ChangesMessage,
  Page,
  SubscribeAnswer,
  WireChange,
} from "../../shared/protocol/feed.ts";
import type { MutateAnswer } from "../../shared/protocol/mutate.ts";
import type { NoticeMessage } from "../../shared/protocol/signals.ts";
import { type Answer, PROTOCOL_VERSION } from "../../shared/protocol/socket.ts";

/** An edit that was answered `unavailable` this often fails. */
const ATTEMPTS_MAX = 50;
const AGAIN_AFTER_MS = 100;

/**
 * A bare client of the socket protocol that follows one table, reconnects by itself, and records every
 * violation of P1: a frame that does not continue the previous one.
 */
export class Follower implements Disposable {
  readonly socket: Socket;
  readonly received: WireChange[] = [];
  readonly violations: string[] = [];
  readonly resyncs: string[] = [];
  degraded = false;
  reason: string | undefined;
  at: { epoch: string; seq: number; scope: string } | null = null;
  readonly #table: string;

  constructor(url: string, token: string, table: string) {
    this.#table = table;
    this.socket = io(url, {
      transports: ["websocket"],
      forceNew: true,
      auth: { protocol: PROTOCOL_VERSION, token },
      reconnectionDelay: 20,
      reconnectionDelayMax: 100,
    });
    this.socket.on("connect", () => this.#subscribe());
    this.socket.on("changes", (frame: ChangesMessage) => this.#take(frame));
    this.socket.on("resync", ({ reason }: { reason: string }) => {
      this.resyncs.push(reason);
      this.at = null;
      this.#subscribe();
    });
    this.socket.on("notice", (notice: NoticeMessage) => {
      if (notice.kind !== "health") return;
      this.degraded = notice.degraded;
      this.reason = notice.reason;
    });
  }

  /** Resolves when it follows. */
  static async start(url: string, token: string, table: string): Promise<Follower> {
    const follower = new Follower(url, token, table);
    await waitFor(() => follower.at !== null);
    return follower;
  }

  /** Writes a title and returns the position of the change. */
  async write(record: string, base: string | null, title: string): Promise<number> {
    const op = { op: "update", table: this.#table, record, set: { title }, base: { title: base } };
    const call = { id: crypto.randomUUID(), ops: [op] };
    for (let attempt = 1; ; attempt += 1) {
      // What waited while rights or connections were uncertain is answered `unavailable`, to be sent again.
      const answer = await this.#call<MutateAnswer>("mutate", call).catch((error: Error) => {
        if (!error.message.endsWith(": unavailable") || attempt === ATTEMPTS_MAX) throw error;
        return null;
      });
      const [result] = answer?.results ?? [];
      if (result?.ok) return result.seq;
      if (result) throw new Error(`The edit was refused: ${JSON.stringify(result)}`);
      await sleep(AGAIN_AFTER_MS);
    }
  }

  /** A stored record whose title can be written, and the position at which it was read. */
  async anyRecord(): Promise<{ id: string; title: string | null; seq: number }> {
    const { records, seq } = await this.#call<Page>("query", {
      table: this.#table,
      filter: { field: "state", op: "ne", value: "Closed" },
      limit: 1,
    });
    const [record] = records;
    if (!record) throw new Error("There is no record.");
    return { id: record.id, title: record.values.title as string | null, seq };
  }

  /** Waits until the change at a position, or a later one, was seen. */
  async sees(seq: number): Promise<void> {
    await waitFor(() => (this.at?.seq ?? -1) >= seq);
  }

  [Symbol.dispose](): void {
    this.socket.disconnect();
  }

  async #call<T extends object>(event: string, message: unknown): Promise<T> {
    const answer: Answer<T> = await this.socket.timeout(60_000).emitWithAck(event, message);
    if (!answer.ok) throw new Error(`${event} was refused: ${answer.error.code}`);
    return answer;
  }

  #subscribe(): void {
    const call = { table: this.#table, ...(this.at && { after: this.at }) };
    // By a callback: a promise would resolve after a frame that came right behind the answer.
    this.socket
      .timeout(60_000)
      .emit("subscribe", call, (error: Error | null, answer: Answer<SubscribeAnswer>) => {
        if (error) return;
        if (answer.ok) this.#follow(answer);
        else if (isTransient(answer.error.code))
          setTimeout(() => this.#subscribe(), AGAIN_AFTER_MS);
        else this.violations.push(`refused: ${answer.error.code}`);
      });
  }

  #follow(answer: SubscribeAnswer): void {
    const { epoch, seq, scope, replay = [], resync } = answer;
    if (resync) this.resyncs.push("answer");
    const before = this.at?.seq ?? 0;
    for (const change of replay) if (change.seq > before) this.received.push(change);
    this.at = { epoch, seq, scope };
  }

  #take({ epoch, from, to, changes }: ChangesMessage): void {
    if (this.at && (from !== this.at.seq || epoch !== this.at.epoch)) {
      this.violations.push(`${from}–${to} at ${this.at.seq}`);
    }
    for (const change of changes) this.received.push(change);
    if (this.at) this.at = { ...this.at, seq: to };
  }
}

/** Waits until a condition is true; the test's own time-out is the bound. */
export async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(5);
}
