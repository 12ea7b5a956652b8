import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { untilIdle } from "./load/cpu-time.ts";
import { median, percentile } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";
import { SteadyEditor } from "./load/steady-editor.ts";

/**
 * One edit of 100,000 records as a change set: found, previewed and applied. Floors on the same table, with its capture
 * trigger: reading these records in chunks, and updating them in transactions of the same size. Meanwhile another user
 * edits; the answers to them are compared with those of the same server while it has nothing else to do. Quiet and busy
 * phases alternate, and each begins only when the server and Postgres are idle: what an insert or an update of all records
 * leaves to be relayed and vacuumed keeps a server busy for seconds. The server runs with its default limits.
 */
const RECORDS = 100_000;
const ROUNDS = 2;
/** As CHANGE_SET_BATCH_OPS: the largest batch, of who is alone. */
const BATCH = 200;
const QUIET_MS = 6_000;
/** As the screen of a change set. */
const POLL_MS = 1_000;
const TITLE = "One of a hundred thousand";
const filter = { field: "title", op: "eq", value: TITLE } as const;

const phases = ["drafted", "previewed", "applied"] as const;
type Phase = (typeof phases)[number];

/** The answers to another user's edits while a phase ran, and while nothing did; and the seconds that each run took. */
interface Measured {
  quiet: number[];
  waits: Record<Phase, number[]>;
  seconds: Record<Phase, number[]>;
}

export async function changeSets(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1, keepsLimits: true }, async (bench) => {
    const { database } = bench;
    await database.query(
      `insert into incidents (id, number, title, state)
       select 'set-' || g, 'S' || g, $1, 'New' from generate_series(1, $2::int) g`,
      [TITLE, RECORDS],
    );
    const measured = await measure(bench);
    const read = await seconds(() => bareRead(database));
    const update = await seconds(() => bareUpdate(database));
    const rate = (phase: Phase, to: string, floor: number): Finding => ({
      what: `${RECORDS} records ${phase}, to ${to}`,
      floor: RECORDS / floor,
      product: RECORDS / median(measured.seconds[phase]),
      ...{ unit: "records/s", target: null },
    });
    const wait = (phase: Phase, share: number): Finding => ({
      what: `another user's edits while a set is ${phase}, p${share * 100}`,
      names: ["quiet", "meanwhile"],
      floor: percentile(measured.quiet, share),
      product: percentile(measured.waits[phase], share),
      unit: "ms",
      target: share === 0.95 ? { most: 2 } : null,
    });
    return [
      rate("drafted", "reading them", read),
      rate("previewed", "reading them", read),
      rate("applied", `updates of ${BATCH}`, update),
      ...phases.flatMap((phase) => [wait(phase, 0.5), wait(phase, 0.95)]),
    ];
  });
}

async function measure(bench: BenchEnvironment): Promise<Measured> {
  const other = await SteadyEditor.open(bench);
  const measured: Measured = {
    quiet: [],
    waits: { drafted: [], previewed: [], applied: [] },
    seconds: { drafted: [], previewed: [], applied: [] },
  };
  // The first edits of a server are compiled code's first runs.
  await other.during(() => sleep(QUIET_MS));
  for (let round = 0; round < ROUNDS; round += 1) {
    const tasks = tasksOf(bench, `round ${round}`);
    for (const phase of phases) {
      await bench.database.query("vacuum analyze incidents");
      await untilIdle([...bench.pids.servers, bench.pids.postgres]);
      measured.quiet.push(...(await other.during(() => sleep(QUIET_MS))));
      const waits = await other.during(async () => {
        measured.seconds[phase].push(await seconds(tasks[phase]));
      });
      measured.waits[phase].push(...waits);
    }
  }
  other.close();
  return measured;
}

/** What is measured, in its order: each goes on with the set of the one before. */
function tasksOf(bench: BenchEnvironment, notes: string): Record<Phase, () => Promise<void>> {
  const { api } = bench;
  let id = "";
  return {
    async drafted() {
      const bulk = { table: "incidents", filter, set: { notes } } as const;
      ({ id } = await api.call("POST /change-sets", { body: { bulk } }));
    },
    async previewed() {
      const preview = await api.call("GET /change-sets/{id}/preview", { params: { id } });
      if (preview.counts.update !== RECORDS) throw new Error(JSON.stringify(preview.counts));
    },
    applied: () => apply(bench, id),
  };
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
