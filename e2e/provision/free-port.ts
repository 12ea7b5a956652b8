import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below the range from which systems take the ports of outgoing connections: a port that was free a
 * moment ago is not one that some client of another test holds now. Above the last port to which browsers and `fetch` refuse to go (10080).
 */
export const PORTS = { from: 10_100, to: 32_000 };
/**
 * Each process draws from a part of its own, and each port once until all were drawn: a server that starts slowly, or
 * again, does not listen on its port yet.
 */
const PARTS = 64;
const PART_SIZE = Math.floor((PORTS.to - PORTS.from) / PARTS);
const TRIES = 50;
let drawn = randomInt(PART_SIZE);

/** A TCP port of the loopback interface that nobody listens on just now. */
export async function freePort(): Promise<number> {
  for (let n = 0; n < TRIES; n++) {
    drawn += 1;
    const port = PORTS.from + (process.pid % PARTS) * PART_SIZE + (drawn % PART_SIZE);
    if (await isFree(port)) return port;
  }
  throw new Error("no free port");
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(false));
    probe.listen(port, "127.0.0.1", () => probe.close(() => resolve(true)));
  });
}
