import { setTimeout as sleep } from "node:timers/promises";
import type { Json } from "../../shared/filter/filter.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { BenchEnvironment } from "./bench-environment.ts";
import { ProductLine } from "./product-line.ts";

const EDITS_PER_SECOND = 200;
const EDITS_AT_ONCE = 10;
/** One edit in so many changes the record whose value every wallboard shows. */
const MARK_EVERY = 10;

/** Edits at a steady rate; the marked record counts up. */
export class WallEdits {
  readonly #environment: BenchEnvironment;
  readonly #values = new Map<string, Record<string, Json>>();
  #line: ProductLine | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;
  /** When the edit to each value was acknowledged as committed. */
  readonly committed: number[] = [0];
  /** How late the same edits came to a grid that follows the table. */
  changeDelays: number[] = [];

  constructor(environment: BenchEnvironment) {
    this.#environment = environment;
  }

  async open(): Promise<void> {
    const { urls, api, records } = this.#environment;
    const params = (id = "") => ({ table: "incidents", id });
    await api.call("PATCH /tables/{table}/records/{id}", {
      params: params(records[0]),
      query: { overwrite: true },
      body: { set: { reassignments: 0 } },
    });
    this.#values.set(records[0] ?? "", { reassignments: 0 });
    for (const record of records.slice(1)) {
      const call = { params: params(record) };
      const { values } = await api.call("GET /tables/{table}/records/{id}", call);
      this.#values.set(record, values);
    }
    this.#line = await ProductLine.open(urls[0] ?? "", api.token);
    const grid = await ProductLine.open(urls[0] ?? "", api.token);
    grid.socket.on("changes", ({ changes }) => {
      for (const { record, set } of changes) {
        const at = this.committed[Number(set.reassignments)] ?? Number.NaN;
        const isMark = record === records[0] && set.reassignments !== undefined;
        if (isMark && !Number.isNaN(at)) this.changeDelays.push(performance.now() - at);
      }
    });
    await grid.subscribe({ table: "incidents" });
  }

  get mark(): number {
    return this.committed.length - 1;
  }

  async run(seconds: number): Promise<void> {
    const startedAt = performance.now();
    const sending: Promise<void>[] = [];
    const total = seconds * EDITS_PER_SECOND;
    for (let sent = 0; sent < total; sent += EDITS_AT_ONCE) {
      sending.push(this.#send());
      const wait = startedAt + (sent / EDITS_PER_SECOND) * 1_000 - performance.now();
      if (wait > 0) await sleep(wait);
    }
    await Promise.all(sending);
  }

  async #send(): Promise<void> {
    const { records, api } = this.#environment;
    const marks: number[] = [];
    const edits = Array.from({ length: EDITS_AT_ONCE }, () => {
      this.#count += 1;
      const isMark = this.#count % MARK_EVERY === 0;
      if (isMark) marks.push(this.committed.push(Number.NaN) - 1);
      const set = isMark ? { reassignments: this.mark } : setOf(this.#count);
      const record = records[isMark ? 0 : 1 + (this.#count % (records.length - 1))] as string;
      return { record, set };
    });
    const ops = edits.map(({ record, set }): WireOp => {
      const values = this.#values.get(record) ?? {};
      const base = Object.fromEntries(Object.keys(set).map((name) => [name, values[name] ?? null]));
      this.#values.set(record, { ...values, ...set });
      return { op: "update", table: "incidents", record, set, base };
    });
    const id = `wall ${this.#count} ${api.user.id}`;
    const sent = this.#last.then(() => this.#line?.mutate(id, ops));
    this.#last = sent;
    await sent;
    const now = performance.now();
    for (const mark of marks) this.committed[mark] = now;
  }
}

const priorities = ["1 - Critical", "2 - High", "3 - Moderate", "4 - Low"];

function setOf(count: number): Record<string, Json> {
  return {
    notes: `n ${count}`,
    priority: priorities[Math.floor(count / 250) % priorities.length] ?? null,
  };
}
