import type { LeaderLock } from "../../store/leadership.ts";
import type { LogSpan } from "../../store/log-change.ts";
import type { Bus } from "../bus/bus.ts";
import { FEEDS_CHANNEL } from "../feed-messages.ts";
import { Relay } from "../relay.ts";
import type { ArrayLog } from "./array-log.ts";
import { until } from "./bus-contract.ts";
import { silentLog } from "./silent-log.ts";

/** The relays of a test. */
export class TestRelays {
  readonly #running: Relay[] = [];

  start(log: ArrayLog, bus: Bus, lock: LeaderLock, pollMs = 60_000, maxBehind = 5_000): Relay {
    const limits = { RELAY_POLL_MS: pollMs, REPLAY_MAX_CHANGES: maxBehind };
    const relay = new Relay({ log, bus, lock, logger: silentLog, limits });
    this.#running.push(relay);
    relay.start();
    return relay;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((relay) => relay.stop()));
  }
}

/** A lock that the test can break, as Postgres does when the connection dies. */
export class TestLock implements LeaderLock {
  #lose: (() => void) | null = null;

  async tryAcquire() {
    if (this.#lose) return null;
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    this.#lose = resolve;
    const release = async () => {
      this.#lose = null;
    };
    return { lost, release };
  }

  breakConnection(): void {
    this.#lose?.();
  }
}

/** All spans that are published on the bus from now on. */
export function listen(bus: Bus): LogSpan[] {
  const spans: LogSpan[] = [];
  bus.subscribe(FEEDS_CHANNEL, (message) => {
    if ("span" in message) spans.push(message.span);
  });
  return spans;
}

/** Starts a relay and waits until it has sent its heads: from then on it publishes later changes. */
export async function ready(bus: Bus, startIt: () => Relay): Promise<Relay> {
  let isAtHead = false;
  const stop = bus.subscribe(FEEDS_CHANNEL, () => {
    isAtHead = true;
  });
  const relay = startIt();
  await until(() => isAtHead);
  stop();
  return relay;
}

export function isDense(spans: LogSpan[], upTo: number): boolean {
  return (
    spans.every((span, n) => span.from === (spans[n - 1]?.to ?? 0)) && spans.at(-1)?.to === upTo
  );
}
