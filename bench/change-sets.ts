import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { ChangeSetInfo } from "../shared/protocol/change-sets.ts";
import { acceptInvitation, addUser } from "./load/api-session.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { percentile } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * One edit of 100,000 records as a change set: found, previewed and applied. Floors on the same table, with its capture
 * trigger: reading these records in chunks, and updating them in transactions of the same size. Meanwhile another user
 * edits; the p95 of their answers is compared with that of a quiet server. The server runs with its default limits.
 */
const RECORDS = 100_000;
/** As WATCHFLOOR_CHANGE_SET_BATCH_OPS: the largest batch, of who is alone. */
const BATCH = 200;
const EDIT_EVERY_MS = 50;
const QUIET_MS = 8_000;
/** As the screen of a change set. */
const POLL_MS = 1_000;
const TITLE = "One of a hundred thousand";
const filter = { field: "title", op: "eq", value: TITLE } as const;

export async function changeSets(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1, keepsLimits: true }, async (bench) => {
    const { api, database } = bench;
    await database.query(
      `insert into incidents (id, number, title, state)
       select 'set-' || g, 'S' || g, $1, 'New' from generate_series(1, $2::int) g`,
      [TITLE, RECORDS],
    );
    await database.query("analyze incidents");
    const other = await OtherUser.open(bench);
    const quiet = await other.while(() => sleep(QUIET_MS));
    const read = await seconds(() => bareRead(database));
    const update = await seconds(() => bareUpdate(database));

    const bulk = { table: "incidents", filter, set: { notes: "set" } } as const;
    let set: ChangeSetInfo | undefined;
    const finding = await other.while(async () => {
      set = await api.call("POST /change-sets", { body: { bulk } });
    });
    const id = set?.id ?? "";
    const previewing = await other.while(async () => {
      const preview = await api.call("GET /change-sets/{id}/preview", { params: { id } });
      if (preview.counts.update !== RECORDS) throw new Error(JSON.stringify(preview.counts));
    });
    const applying = await other.while(() => apply(bench, id));
    other.close();

    const rate = (what: string, floor: number, took: number): Finding => ({
      ...{ what: `${RECORDS} records ${what}`, floor: RECORDS / floor, product: RECORDS / took },
      ...{ unit: "records/s", target: null },
    });
    const wait = (what: string, { waits }: Spell): Finding => ({
      ...{ what: `another user's edits while ${what}, p95`, names: ["quiet", "meanwhile"] },
      ...{ floor: percentile(quiet.waits, 0.95), product: percentile(waits, 0.95) },
      ...{ unit: "ms", target: { most: 2, notYet: true } },
    });
    return [
      rate("found and drafted, to reading them", read, finding.seconds),
      rate("previewed, to reading them", read, previewing.seconds),
      rate(`applied, to updates of ${BATCH}`, update, applying.seconds),
      wait("a set is drafted", finding),
      wait("it is previewed", previewing),
      wait("it is applied", applying),
    ];
  });
}

async function seconds(task: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await task();
  return (performance.now() - started) / 1_000;
}

async function bareRead(database: pg.Client): Promise<void> {
  for (let from = 1; from <= RECORDS; from += BATCH) {
    await database.query(
      "select * from incidents where id = any(array(select 'set-' || g from generate_series($1::int, $2::int) g))",
      [from, from + BATCH - 1],
    );
  }
}

async function bareUpdate(database: pg.Client): Promise<void> {
  for (let from = 1; from <= RECORDS; from += BATCH) {
    await database.query(
      `update incidents set resolution_code = 'floor'
       where id = any(array(select 'set-' || g from generate_series($1::int, $2::int) g))`,
      [from, from + BATCH - 1],
    );
  }
}

async function apply({ api }: BenchEnvironment, id: string): Promise<void> {
  await api.call("POST /change-sets/{id}/apply", { params: { id }, body: {} });
  for (;;) {
    const { state, progress } = await api.call("GET /change-sets/{id}", { params: { id } });
    if (state === "applied" && progress.applied === RECORDS) return;
    if (state !== "applying") throw new Error(`The set is ${state}: ${JSON.stringify(progress)}`);
    await sleep(POLL_MS);
  }
}

/** Milliseconds from each edit to its answer while something went on, and how long that took. */
interface Spell {
  waits: number[];
  seconds: number;
}

/** Edits a record of their own, 20 times a second. */
class OtherUser {
  readonly #line: ProductLine;
  readonly #record: string;
  #stored: number | null = null;
  #serial = 0;

  private constructor(line: ProductLine, record: string) {
    this.#line = line;
    this.#record = record;
  }

  static async open({ api, urls: [url = ""], records: [record = ""] }: BenchEnvironment) {
    const { invitation } = await addUser(api, { name: "Other", email: "other@example.com" });
    const token = await acceptInvitation(url, invitation, "a password of the bench");
    return new OtherUser(await ProductLine.open(url, token), record);
  }

  async while(task: () => Promise<unknown>): Promise<Spell> {
    const waits: number[] = [];
    let isDone = false;
    const took = seconds(task).finally(() => {
      isDone = true;
    });
    let edited: Promise<void> = Promise.resolve();
    while (!isDone) {
      // Due at a fixed rate: an edit that waits for the one before it has waited, too.
      const due = performance.now();
      edited = edited.then(() => this.#edit()).then(() => void waits.push(performance.now() - due));
      await sleep(EDIT_EVERY_MS);
    }
    await edited;
    return { waits, seconds: await took };
  }

  async #edit(): Promise<void> {
    const serial = ++this.#serial;
    const [set, base] = [{ reassignments: serial }, { reassignments: this.#stored }];
    const op = { op: "update", table: "incidents", record: this.#record, set, base } as const;
    await this.#line.mutate(crypto.randomUUID(), [op]);
    this.#stored = serial;
  }

  close(): void {
    this.#line.close();
  }
}
