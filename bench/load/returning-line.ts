import { setTimeout as sleep } from "node:timers/promises";
import type { WireChange } from "../../shared/protocol/feed.ts";
import { breakLine } from "./break-line.ts";
import { ProductLine } from "./product-line.ts";

interface Events {
  /** The connection is back; missed changes arrive now. */
  onReturn(): void;
  onChange(change: WireChange): void;
}

const RETRY_MS = 100;

/**
 * A client that connects again after each cut and subscribes from its position, as the protocol requires: a bare socket,
 * like the floor's.
 */
export class ReturningLine {
  readonly #to: { url: string; token: string };
  readonly #events: Events;
  #line: ProductLine | null = null;
  #after: { epoch: string; seq: number; scope: string } | undefined;
  #stopped = false;
  #away: Promise<void> = Promise.resolve();

  constructor(to: { url: string; token: string }, events: Events) {
    this.#to = to;
    this.#events = events;
  }

  /** Breaks the connection and connects again after `awayMs`. */
  async cut(awayMs: number): Promise<void> {
    const line = this.#line;
    this.#away = sleep(awayMs);
    if (line) breakLine(line.socket);
    await this.#away;
  }

  /** Connects and subscribes; tries again until that has succeeded. */
  async start(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#away;
        return await this.#connect();
      } catch {
        this.#line?.close();
        await sleep(RETRY_MS);
      }
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#line?.close();
  }

  async #connect(): Promise<void> {
    const line = await ProductLine.open(this.#to.url, this.#to.token);
    this.#line = line;
    this.#events.onReturn();
    const lost = new Promise<never>((_, reject) => {
      line.socket.once("disconnect", () => reject(new Error("The line was cut.")));
    });
    lost.catch(() => {});
    line.socket.on("changes", ({ changes, to }) => {
      if (this.#after) this.#after.seq = to;
      for (const change of changes) this.#events.onChange(change);
    });
    const after = this.#after;
    const subscribed = line.subscribe({ table: "incidents", ...(after && { after }) });
    const { epoch, seq, scope, replay = [] } = await Promise.race([subscribed, lost]);
    this.#after = { epoch, seq, scope };
    for (const change of replay) this.#events.onChange(change);
    lost.catch(() => void this.start());
  }
}
