import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { ChangeSetInfo } from "../shared/protocol/change-sets.ts";
import type { DraftImport } from "../shared/protocol/imports.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { copyRows } from "./load/copy-rows.ts";
import { untilIdle } from "./load/cpu-time.ts";
import { interleave } from "./load/interleave.ts";
import { median, percentile } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";
import { SteadyEditor } from "./load/steady-editor.ts";

/**
 * A file into a draft, and the draft applied; floor: a bare `COPY` of the same rows into the same table, with its capture trigger. Then the memory of the
 * server while a file of a million rows becomes a draft, early and late.
 */
const ROUNDS = 3;
const ROWS = 10_000;
const MANY_ROWS = 1_000_000;
const CHUNK_ROWS = 5_000;
const SAMPLE_MS = 250;
const POLL_MS = 20;

/** A file, and how often another user edits beside it. */
const BESIDE_ROWS = 10_000;
const BESIDE_ROUNDS = 2;
const BESIDE_EDIT_EVERY_MS = 200;
const QUIET_MS = 6_000;

let serial = 0;

export async function importFiles(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1, keepsLimits: true }, async (bench) => {
    const { a, b } = await interleave(
      ROUNDS,
      () => timed(() => bareCopy(bench.database)),
      () => importAndApply(bench),
    );
    const floor = ROWS / median(a);
    const rate = (part: "draft" | "all") => ROWS / median(b.map((times) => times[part]));
    const { early, late, rate: manyRate } = await memoryOf(bench);
    const line = { unit: "rows/s", floor, target: null };
    return [
      { ...line, what: `file of ${ROWS} → draft, to COPY`, product: rate("draft") },
      { ...line, what: `file of ${ROWS} → draft → applied, to COPY`, product: rate("all") },
      { ...line, what: `file of ${MANY_ROWS} → draft, to COPY`, product: manyRate },
      {
        what: `memory while a file of ${MANY_ROWS} → draft`,
        names: ["in its second tenth", "in its last tenth"],
        floor: early,
        product: late,
        unit: "MB",
        target: { most: 1.5 },
      },
    ];
  });
}

/** A file into the table, alone and beside another user; and what that user waits, beside it and while there is nothing else. */
export async function importBeside(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1, keepsLimits: true }, async (bench) => {
    const other = await SteadyEditor.open(bench, BESIDE_EDIT_EVERY_MS);
    const processes = [...bench.pids.servers, bench.pids.postgres];
    const imported = () => importAndApply(bench, BESIDE_ROWS);
    const quiet: number[] = [];
    const { a, b } = await interleave(
      BESIDE_ROUNDS,
      async () => {
        quiet.push(...(await other.during(() => sleep(QUIET_MS))));
        const { all } = await imported();
        await untilIdle(processes);
        return all;
      },
      async () => {
        let seconds = 0;
        const waits = await other.during(async () => {
          seconds = (await imported()).all;
        });
        await untilIdle(processes);
        return { seconds, waits };
      },
    );
    other.close();
    const p95 = (waits: readonly number[]) => percentile(waits, 0.95);
    return [
      {
        what: `file of ${BESIDE_ROWS} → draft → applied`,
        names: ["alone", "beside another user"],
        floor: BESIDE_ROWS / median(a),
        product: BESIDE_ROWS / median(b.map(({ seconds }) => seconds)),
        unit: "rows/s",
        target: null,
      },
      {
        what: "the other user's edits, p95",
        names: ["quiet", "meanwhile"],
        floor: p95(quiet),
        product: p95(b.flatMap(({ waits }) => waits)),
        unit: "ms",
        target: null,
      },
    ];
  });
}

/** Seconds that a step takes. */
async function timed(step: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await step();
  return (performance.now() - started) / 1_000;
}

async function bareCopy(database: pg.Client): Promise<void> {
  const round = serial++;
  const rows = (at: number) => `copied-${round}-${at}\tC${round}-${at}\tRow ${at}\tNew\n`;
  await copyRows(
    database,
    "copy incidents (id, number, title, state) from stdin",
    chunks(ROWS, rows),
  );
}

async function importAndApply(bench: BenchEnvironment, rows = ROWS) {
  const id = await newDraft(bench);
  const draft = await timed(() => send(bench, id, rows));
  const apply = await timed(async () => {
    await bench.api.call("POST /change-sets/{id}/apply", { params: { id }, body: {} });
    for (;;) {
      const { state, progress }: ChangeSetInfo = await bench.api.call("GET /change-sets/{id}", {
        params: { id },
      });
      if (state === "applied" && progress.applied === rows) return;
      if (state !== "applying") throw new Error(`The set is ${state}.`);
      await sleep(POLL_MS);
    }
  });
  return { draft, all: draft + apply };
}

/**
 * The server's resident memory in the second and in the last tenth of a long file's way into a draft, as medians: the
 * largest sample would grow with the number of samples.
 */
async function memoryOf(bench: BenchEnvironment) {
  const id = await newDraft(bench);
  const [server = 0] = bench.pids.servers;
  const samples: number[] = [];
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      samples.push(await residentMegabytes(server));
      await sleep(SAMPLE_MS);
    }
  })();
  const seconds = await timed(() => send(bench, id, MANY_ROWS)).finally(() => {
    isDone = true;
  });
  await watching;
  await bench.api.call("DELETE /change-sets/{id}", { params: { id } });
  const tenth = (n: number) =>
    median(samples.slice((samples.length * n) / 10, (samples.length * (n + 1)) / 10));
  return { early: tenth(1), late: tenth(9), rate: MANY_ROWS / seconds };
}

async function newDraft({ api }: BenchEnvironment): Promise<string> {
  return (await api.call("POST /change-sets", { body: {} })).id;
}

async function send({ api }: BenchEnvironment, id: string, rows: number): Promise<void> {
  const round = serial++;
  const lines = chunks(rows, (at) => `I${round}-${at},Row ${at},New\n`, "number,title,state\n");
  const query = new URLSearchParams({ table: "incidents", key: "number" });
  const answer = await fetch(`${api.url}/api/v1/change-sets/${id}/import?${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "text/csv" },
    body: Readable.toWeb(Readable.from(lines)),
    duplex: "half",
  } as RequestInit);
  const report = (await answer.json()) as DraftImport;
  if (report.created !== rows) throw new Error(`Not imported: ${JSON.stringify(report)}`);
}

function* chunks(rows: number, row: (at: number) => string, head = ""): Generator<Buffer> {
  if (head) yield Buffer.from(head);
  for (let from = 0; from < rows; from += CHUNK_ROWS) {
    const size = Math.min(CHUNK_ROWS, rows - from);
    yield Buffer.from(Array.from({ length: size }, (_, at) => row(from + at)).join(""));
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
}
