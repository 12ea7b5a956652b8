import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "redis";

/**
 * A permanent connection to Redis, remade with a growing pause when lost. Each time it is a new client set up
 * from scratch: products that trusted a library to restore subscriptions went silent after a Redis restart.
 */

const CONNECT_TIMEOUT_MS = 4_000;
const RETRY_FIRST_MS = 50;
const RETRY_MAX_MS = 2_000;

type RedisClient = ReturnType<typeof newClient>;

export class RedisLink {
  readonly #options;
  readonly #closing = new AbortController();
  #client: RedisClient | null = null;
  #onDead = Promise.withResolvers<unknown>();
  readonly #running: Promise<void>;

  constructor(options: {
    url: string;
    /** Runs on every new connection before it counts as up. */
    setUp: (client: RedisClient) => Promise<unknown>;
    onUp: () => void;
    /** The connection was lost, or could not be made. Not called by `close`. */
    onDown: (error: unknown) => void;
  }) {
    this.#options = options;
    this.#running = this.#run();
  }

  /** The client while it is connected and set up. */
  get client(): RedisClient | null {
    return this.#client;
  }

  /** Abandons the current connection, however healthy it looks, and makes another. */
  restart(reason: string): void {
    this.#onDead.resolve(new Error(reason));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.restart("closed");
    await this.#running;
  }

  async #run(): Promise<void> {
    let attempt = 0;
    while (!this.#closing.signal.aborted) {
      const wasUp = await this.#runConnected();
      attempt = wasUp ? 0 : attempt + 1;
      await this.#pause(attempt);
    }
  }

  /** One connection from start to end; whether it was ever up. */
  async #runConnected(): Promise<boolean> {
    this.#onDead = Promise.withResolvers();
    const { promise: failed, resolve: fail } = this.#onDead;
    const client = newClient(this.#options.url);
    for (const event of ["error", "terminated", "end"] as const) client.on(event, fail);
    let cause: unknown;
    try {
      cause = await Promise.race([this.#connect(client), failed]);
      if (cause !== UP || this.#closing.signal.aborted) return false;
      this.#client = client;
      this.#options.onUp();
      cause = await failed;
      return true;
    } catch (error) {
      cause = error;
      return false;
    } finally {
      this.#client = null;
      destroy(client);
      if (!this.#closing.signal.aborted) this.#options.onDown(cause);
    }
  }

  async #connect(client: RedisClient): Promise<symbol> {
    const late = setTimeout(() => this.restart("no answer"), CONNECT_TIMEOUT_MS);
    try {
      await client.connect();
      await this.#options.setUp(client);
      return UP;
    } finally {
      clearTimeout(late);
    }
  }

  async #pause(attempt: number): Promise<void> {
    const most = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(attempt, 10));
    const { signal } = this.#closing;
    await sleep(most * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
  }
}

const UP = Symbol("up");

/** Nothing is queued while offline: what could not be sent at once is in the log anyhow. */
function newClient(url: string) {
  return createClient({
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: false, connectTimeout: CONNECT_TIMEOUT_MS },
  });
}

function destroy(client: RedisClient): void {
  client.on("error", () => undefined);
  try {
    client.destroy();
  } catch {
    // it had ended by itself
  }
}
