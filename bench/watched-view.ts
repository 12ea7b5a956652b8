import { setTimeout as sleep } from "node:timers/promises";
import { restCaller } from "../server/terminal/rest-call.ts";
import { acceptInvitation, addUser } from "./load/api-session.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { cpuTimeOf } from "./load/cpu-time.ts";
import { atRate } from "./load/pace.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * What it costs that somebody watches a view whose records are edited 200 times a second: entries of a record are folded while they are
 * unread, and a table is followed in steps, so neither the rows of the inbox nor their changes grow with the edits.
 */
const SECONDS = 10;
const FAST = 200;
const SLOW = 1;
/** STEP_SPACING_MS of follow-changes.ts. */
const STEPS_PER_SECOND = 1_000 / 850;
const SAMPLE_MS = 40;
const AFTER_MS = 2_000;

export function watchedView(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (bench) => {
    const { api, urls, records, database } = bench;
    const [url = ""] = urls;
    const { invitation, id } = await addUser(api, { name: "Watcher", email: "w@example.com" });
    const watcher = restCaller(url, await acceptInvitation(url, invitation, "a password of it"));
    const settings = { name: "All of it", shared: true, filter: null };
    const view = await api.call("POST /views", { body: { table: "incidents", ...settings } });
    const line = await ProductLine.open(url, api.token);
    const load = new Load(bench, line);
    // A process is slower at first, and the machine has others: in the order rest, watched, watched, rest.
    await load.run(FAST, records);
    const run = () => load.run(FAST, records);
    const body = { table: "incidents", view: view.id, fields: ["reassignments"] };
    const rests = [await run()];
    const { id: watch } = await watcher("PUT /watches", { body });
    const watched = mean([await run(), await run()]);
    await watcher("DELETE /watches/{id}", { params: { id: watch } });
    rests.push(await run());
    await watcher("PUT /watches", { body });
    await sleep(AFTER_MS);
    const { rows } = await database.query<{ entries: number }>(
      `select count(*)::int as entries from watchfloor.inbox_entry where user_id = $1`,
      [id],
    );
    const changes = async (perSecond: number) => {
      await watcher("POST /inbox/read", { body: { all: true } });
      const counting = new AbortController();
      const counted = countChanges(bench, id, counting.signal);
      await load.run(perSecond, records.slice(0, 1));
      counting.abort();
      return counted;
    };
    const [slow, fast] = [await changes(SLOW), await changes(FAST)];
    line.close();
    return [
      {
        what: `Entries of ${records.length} records, edited ${2 * FAST * SECONDS} times`,
        floor: records.length,
        product: rows[0]?.entries ?? Number.NaN,
        unit: "rows",
        names: ["records", "entries"],
        target: { most: 1 },
      },
      {
        what: "Writes of the entry of one record at 200 edits/s",
        floor: STEPS_PER_SECOND,
        product: fast,
        unit: "/s",
        names: ["steps", "at 200/s"],
        target: { most: 1.2 },
      },
      {
        what: "The same, beside one at 1 edit/s",
        floor: slow,
        product: fast,
        unit: "/s",
        names: ["at 1/s", "at 200/s"],
        target: null,
      },
      {
        what: "CPU at 200 edits/s, with a watched view",
        floor: mean(rests),
        product: watched,
        unit: "ms/s",
        names: ["not watched", "watched"],
        target: null,
      },
    ];
  });
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Edits of a number field, each record's from what it held last. */
class Load {
  readonly #bench: BenchEnvironment;
  readonly #line: ProductLine;
  readonly #stored = new Map<string, { value: number | null; last: Promise<void> }>();
  #serial = 0;

  constructor(bench: BenchEnvironment, line: ProductLine) {
    this.#bench = bench;
    this.#line = line;
  }

  /** Returns the processor time of server and Postgres, in milliseconds a second. */
  async run(perSecond: number, records: readonly string[]): Promise<number> {
    const { servers, postgres } = this.#bench.pids;
    const cpu = () => cpuTimeOf([...servers, postgres]) ?? Number.NaN;
    const before = cpu();
    await atRate({ perSecond, seconds: SECONDS }, (index) =>
      this.#edit(records[index % records.length] ?? ""),
    );
    return (cpu() - before) / SECONDS;
  }

  #edit(record: string): Promise<void> {
    const held = this.#stored.get(record) ?? { value: null, last: Promise.resolve() };
    this.#stored.set(record, held);
    const value = ++this.#serial;
    held.last = held.last.then(async () => {
      const [set, base] = [{ reassignments: value }, { reassignments: held.value }];
      await this.#line.mutate(crypto.randomUUID(), [
        { op: "update", table: "incidents", record, set, base },
      ]);
      held.value = value;
    });
    return held.last;
  }
}

/** How often a second the only unread entry of a user is written. Edits of one record wait for each other, and may take longer. */
async function countChanges(
  { database }: BenchEnvironment,
  user: string,
  signal: AbortSignal,
): Promise<number> {
  const seen = new Set<string>();
  const began = performance.now();
  while (!signal.aborted) {
    const { rows } = await database.query<{ at: string }>(
      "select changed_at::text as at from watchfloor.inbox_entry where user_id = $1 and read_at is null",
      [user],
    );
    for (const { at } of rows) seen.add(at);
    await sleep(SAMPLE_MS);
  }
  return (seen.size * 1_000) / (performance.now() - began);
}
