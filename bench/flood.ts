import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { acceptInvitation, addUser } from "./load/api-session.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import type { FloodOrder } from "./load/flooder.ts";
import { type FloodName, floodNames } from "./load/floods.ts";
import { interleave } from "./load/interleave.ts";
import { atRate } from "./load/pace.ts";
import { median, percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * How much longer does somebody wait because of one user who floods the server? Floor: the same calls of the same
 * user while nobody floods, in turn with the flooded rounds.
 */
const ROUNDS = 3;
const ROUND_SECONDS = 4;
const CALLS_PER_SECOND = 10;
/** Until a flood has filled the queues, and until they are empty again. */
const FILL_MS = 1_000;
const DRAIN_MS = 2_000;
const WITHIN = 0.95;
const flooderFile = fileURLToPath(new URL("load/flooder.ts", import.meta.url));

/** Milliseconds from each call to its answer. */
interface Waits {
  edits: number[];
  reads: number[];
  frames: number[];
}
const kinds = {
  edits: "edit → answer",
  reads: "read → answer",
  frames: "edit → wallboard",
} as const;

export function flood(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (ground) => {
    const somebody = await Somebody.open(ground);
    const user = { name: "Flooder", email: "flooder@example.com" };
    const { invitation } = await addUser(ground.api, user);
    const [url = ""] = ground.urls;
    const token = await acceptInvitation(url, invitation, "a password of the bench");
    const by = { url, token, records: ground.records.slice(ground.records.length / 2) };
    const flooder = fork(flooderFile, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    const findings: Finding[] = [];
    for (const name of floodNames) {
      const flooded = async () => {
        const order: FloodOrder = { name, by };
        flooder.send(order);
        await sleep(FILL_MS);
        const waits = await somebody.round();
        const ended = once(flooder, "message");
        flooder.send("stop");
        await ended;
        await sleep(DRAIN_MS);
        return waits;
      };
      const { a, b } = await interleave(ROUNDS, () => somebody.round(), flooded);
      findings.push(...findingsOf(name, a, b));
    }
    flooder.disconnect();
    somebody.close();
    return findings;
  });
}

function findingsOf(
  name: FloodName,
  quiet: readonly Waits[],
  flooded: readonly Waits[],
): Finding[] {
  return (Object.keys(kinds) as (keyof Waits)[]).map((kind) => {
    const of = (rounds: readonly Waits[]) =>
      median(rounds.map((waits) => percentile(waits[kind], WITHIN)));
    return {
      what: `${name}: ${kinds[kind]}, p95`,
      names: ["quiet", "flooded"],
      floor: of(quiet),
      product: of(flooded),
      unit: "ms",
      target: { most: 2, notYet: true },
    };
  });
}

/** The owner at ordinary work: edits one record, reads a page, and looks at a wallboard about that record. */
class Somebody {
  readonly #ground: BenchEnvironment;
  readonly #line: ProductLine;
  #stored: number | null = null;
  #serial = 0;
  #waits: Waits = { edits: [], reads: [], frames: [] };
  readonly #shown = new Map<number, number>();

  private constructor(ground: BenchEnvironment, line: ProductLine) {
    this.#ground = ground;
    this.#line = line;
  }

  static async open(ground: BenchEnvironment): Promise<Somebody> {
    const [url = ""] = ground.urls;
    const somebody = new Somebody(ground, await ProductLine.open(url, ground.api.token));
    await somebody.#watchBoard();
    return somebody;
  }

  /** A figure that says which edit it has seen. */
  async #watchBoard(): Promise<void> {
    const { api, records } = this.#ground;
    const tile = {
      id: "mark",
      kind: "number",
      table: "incidents",
      layout: { x: 0, y: 0, w: 1, h: 1 },
      filter: { field: "id", op: "eq", value: records[0] ?? "" },
      measure: { op: "sum", field: "reassignments" },
    } as const;
    const board = await api.call("POST /wallboards", { body: { name: "Flood", tiles: [tile] } });
    this.#line.socket.on("frame", ({ wallboard, tiles }) => {
      if (wallboard === board.id) this.#see(Number(tiles.mark?.value));
    });
    await this.#line.socket.emitWithAck("tiles", { wallboard: board.id });
  }

  /** A frame may show several edits at once. */
  #see(value: number): void {
    for (const [serial, sent] of this.#shown) {
      if (serial > value) continue;
      this.#waits.frames.push(performance.now() - sent);
      this.#shown.delete(serial);
    }
  }

  async round(): Promise<Waits> {
    this.#waits = { edits: [], reads: [], frames: [] };
    let edited: Promise<void> = Promise.resolve();
    await atRate({ perSecond: CALLS_PER_SECOND, seconds: ROUND_SECONDS }, (index) => {
      // Edits of one record wait for each other: each is based on the one before.
      edited = index % 2 === 0 ? edited.then(() => this.#edit()) : edited;
      return index % 2 === 0 ? edited : this.#read();
    });
    while (this.#shown.size > 0) await sleep(10);
    return this.#waits;
  }

  async #edit(): Promise<void> {
    const [record = ""] = this.#ground.records;
    const serial = ++this.#serial;
    const sent = performance.now();
    this.#shown.set(serial, sent);
    const [set, base] = [{ reassignments: serial }, { reassignments: this.#stored }];
    const op = { op: "update", table: "incidents", record, set, base } as const;
    await this.#line.mutate(crypto.randomUUID(), [op]);
    this.#stored = serial;
    this.#waits.edits.push(performance.now() - sent);
  }

  async #read(): Promise<void> {
    const sent = performance.now();
    await this.#ground.api.call("GET /tables/{table}/records", {
      params: { table: "incidents" },
      query: { limit: 50, sort: ["-opened_at"] },
    });
    this.#waits.reads.push(performance.now() - sent);
  }

  close(): void {
    this.#line.close();
  }
}
