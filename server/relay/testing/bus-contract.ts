import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { BusChannel } from "../../messaging/bus-channel.ts";
import type { Bus } from "../bus/bus.ts";

const WITHIN_MS = 120_000;

/** Waits until a condition is true; fails with the text of the condition. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + WITHIN_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`Not within ${WITHIN_MS} ms: ${holds}`);
    await sleep(5);
  }
}

/** A channel that accepts everything. */
export const anyChannel = (name: string): BusChannel<unknown> => ({ name, schema: z.unknown() });
const [a, b] = [anyChannel("a"), anyChannel("b")];

/**
 * The guarantees of every bus (bus.ts), for one implementation. `connect` makes one server's end of a bus
 * that all ends of a test share; `spansNodes` says whether there can be more than one.
 */
export function describeBus(name: string, spansNodes: boolean, connect: () => Promise<Bus>): void {
  const open: Bus[] = [];
  const node = async () => {
    const bus = await connect();
    open.push(bus);
    return bus;
  };
  const collect = (bus: Bus, channel: BusChannel<unknown>) => {
    const received: unknown[] = [];
    bus.subscribe(channel, (message) => received.push(message));
    return received;
  };

  describe(`a bus (${name})`, () => {
    afterEach(async () => {
      await Promise.all(open.splice(0).map((bus) => bus.close()));
    });

    test("delivers to every subscriber of its own server at once, and to no other channel", async () => {
      const bus = await node();
      const [first, second, other] = [collect(bus, a), collect(bus, a), collect(bus, b)];
      bus.publish(a, { n: 1 });
      expect([first, second, other]).toEqual([[{ n: 1 }], [{ n: 1 }], []]);
    });

    test("delivers nothing any more after unsubscribing, and still to the others", async () => {
      const bus = await node();
      const received: unknown[] = [];
      const unsubscribe = bus.subscribe(a, (message) => received.push(message));
      const other = collect(bus, a);
      bus.publish(a, 1);
      unsubscribe();
      bus.publish(a, 2);
      expect([received, other]).toEqual([[1], [1, 2]]);
    });

    test("a handler that throws stops neither the others nor the bus", async () => {
      const bus = await node();
      bus.subscribe(a, () => {
        throw new Error("on purpose");
      });
      const received = collect(bus, a);
      bus.publish(a, 1);
      bus.publish(a, 2);
      expect(received).toEqual([1, 2]);
    });

    test("delivers nothing after it was closed", async () => {
      const bus = await node();
      const received = collect(bus, a);
      await bus.close();
      bus.publish(a, 1);
      expect(received).toEqual([]);
    });

    if (!spansNodes) return;
    test("another server receives each message once and in order", async () => {
      const [one, two] = [await node(), await node()];
      const [here, there] = [collect(one, a), collect(two, a)];
      const sent = Array.from({ length: 2_000 }, (_, n) => ({ n, text: "a b c ü\n" }));
      for (const message of sent) one.publish(a, message);
      await until(() => there.length >= sent.length);
      expect(here).toEqual(sent);
      expect(there).toEqual(sent);
    });
  });
}
