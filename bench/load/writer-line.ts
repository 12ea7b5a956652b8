import { setTimeout as sleep } from "node:timers/promises";
import { createSocketTransport } from "../../client/src/transport/socket-transport.ts";
import type { Transport } from "../../client/src/transport/transport.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { MutateCall, OpResult } from "../../shared/protocol/mutate.ts";

const ANSWER_TIMEOUT_MS = 20_000;
const RETRY_MS = 200;
const TRIES = 50;

/**
 * One user's socket for writing, without a cache. A call without an answer is sent again with the same id,
 * which the server answers without applying it twice.
 */
export class WriterLine {
  readonly #transport: Transport;
  #up: Promise<void> | null = null;

  constructor(url: string, token: string) {
    this.#transport = createSocketTransport({ url, token });
  }

  async mutate(call: MutateCall): Promise<OpResult[]> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.connect();
        return (await this.#transport.call("mutate", call, ANSWER_TIMEOUT_MS)).results;
      } catch (error) {
        if (!(error instanceof Refusal) || !isPassing(error) || tries >= TRIES) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  connect(): Promise<void> {
    this.#up ??= new Promise((resolve, reject) => {
      this.#transport.listen({
        onUp: resolve,
        onDown: (code) => {
          this.#up = null;
          reject(new Refusal(code ?? "unavailable"));
        },
        onMessage() {},
        onUnreadable() {},
      });
      this.#transport.connect();
    });
    return this.#up;
  }

  close(): void {
    this.#transport.disconnect();
  }
}

function isPassing({ code }: Refusal): boolean {
  return code === "unavailable" || code === "rate_limited";
}
