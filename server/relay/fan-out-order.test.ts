import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Client,
  FanOutEnvironment,
  limits,
  subjectOf,
} from "./testing/fan-out-environment.ts";

/**
 * P1, S1–S5 together: in any order of events, every client receives every change of its scope once and in
 * order, and finally holds what a fresh query under its own rights returns.
 */

/** By then a drained connection was sent its resync. */
const DRAINED_MS = 200;
const RUNS = 60;
/** In parallel, each with its own environment: most of a run is waiting. */
const LANES = 6;

const groups = ["A", "B", "*"];
const choice = fc.nat({ max: 5 });
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant("write"), a: choice, b: choice }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("publish"), a: choice, b: choice }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        ...["burst", "connect", "leave", "return", "again", "unsubscribe", "rights"],
        ...["heads", "relayHeads", "slow", "turn", "tick", "epoch"],
      ),
      a: choice,
      b: choice,
    }),
  },
);
type Step = { do: string; a: number; b: number };

class Run {
  readonly world = new FanOutEnvironment();
  readonly disconnected: Client[] = [];
  readonly background: Promise<unknown>[] = [];
  #epoch = 1;

  pick(n: number): Client | undefined {
    const clients = [...this.world.clients];
    return clients[n % Math.max(1, clients.length)];
  }

  /** A refusal is an answer too, such as to a call that another one overtook. */
  subscribe(client: Client | undefined): void {
    if (client) this.background.push(client.subscribe().catch(() => undefined));
  }

  write(record: number, group: number): void {
    const isThere = this.world.log.records("t").has(`r${record}`);
    if (group === 5 && !isThere) return;
    const values = { title: `v${this.world.log.head("t")}`, group: groups[group % 3] as string };
    const hidden = `h${group}`;
    this.world.log.write("t", `r${record}`, group === 5 ? null : { ...values, hidden });
  }

  async take({ do: what, a, b }: Step): Promise<void> {
    const { world } = this;
    const client = this.pick(a);
    switch (what) {
      case "write":
        return this.write(a, b);
      case "burst":
        for (let n = 0; n < 30; n += 1) this.write((a + n) % 6, (b * n) % 6);
        return;
      case "publish":
        return world.publish(a === 5);
      case "connect":
        return this.subscribe(world.connect(groups[a % 3] as string));
      case "leave":
        if (client) this.disconnected.push(client);
        return client?.disconnect();
      case "return":
        return this.reconnect();
      case "again":
        return this.subscribe(client);
      case "unsubscribe":
        if (client) {
          world.fanOut.unsubscribe(client.id, "t");
          client.at = null;
        }
        return;
      case "rights":
        return this.changeRights(client, b);
      case "heads":
        return world.fanOut.sendHeads();
      case "relayHeads":
        return world.publishRelayHeads();
      case "slow":
        if (client) client.buffered = b > 2 ? limits.SLOW_CLIENT_BUFFER_BYTES * 2 : 0;
        return;
      case "turn":
        return nextTurn();
      case "tick":
        await sleep(limits.FAN_OUT_TICK_MS);
        return;
      case "epoch":
        if (a + b === 0) world.newEpoch(`e${++this.#epoch}`);
        return;
    }
  }

  reconnect(): void {
    const client = this.disconnected.pop();
    if (!client) return;
    this.world.clients.add(client);
    this.world.fanOut.connect(client, client.subject, client.holder);
    this.subscribe(client);
  }

  changeRights(client: Client | undefined, group: number): void {
    if (!client) return;
    this.world.fanOut.hold(client.id);
    client.subject = subjectOf(groups[group % 3] as string);
    const release = () => this.world.fanOut.release(client.id, client.subject, client.holder);
    this.background.push(nextTurn().then(release));
  }

  /** Runs everything to its end; a client without a subscription subscribes. */
  async waitUntilDelivered(): Promise<void> {
    while (this.disconnected.length > 0) this.reconnect();
    for (const client of this.world.clients) client.buffered = 0;
    await Promise.all(this.background);
    await this.world.publishRelayHeads();
    await sleep(DRAINED_MS);
    for (const client of this.world.clients) if (!client.at) await client.subscribe();
    this.world.fanOut.sendHeads();
  }
}

async function play(steps: Step[]): Promise<void> {
  const run = new Run();
  await run.world.start();
  try {
    for (const step of steps) await run.take(step);
    await run.waitUntilDelivered();
    for (const client of run.world.clients) {
      expect(client.violations).toEqual([]);
      expect(client.records).toEqual(client.visible());
    }
  } finally {
    run.world.stop();
  }
}

test("P1 every client receives every visible change once and in order, whatever happens", async () => {
  const steps = fc.array(step, { minLength: 5, maxLength: 120 });
  const property = fc.asyncProperty(steps, play);
  const lane = () => fc.assert(property, { numRuns: RUNS / LANES, endOnFailure: false });
  await Promise.all(Array.from({ length: LANES }, lane));
});
