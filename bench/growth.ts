import { readdirSync, readlinkSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { chromium } from "playwright";
import { owner } from "../e2e/harness/server-process.ts";
import { chromiumPath } from "../e2e/provision/chromium.ts";
import { defaultLimits } from "../shared/limits.ts";
import type { Model, Table } from "../shared/model/model.ts";
import type { ApiSession } from "./load/api-session.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { fillTo } from "./load/fill-table.ts";
import { median } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";
import { residentMiBOf } from "./load/resident-memory.ts";

/**
 * What grows with an installation: its records (an export, a search over all texts), its model (publishing it, and opening the builder),
 * and the versions that the model has had. Beside each value is that of the smallest case, of the bare SQL in the same run, or what is
 * allowed. It takes longer than all other benches together, so it runs only where it is named, in parts of at most 15 minutes on two
 * cores: `growth:models`, `growth:1m` and `growth:5m` (records); `growth` is the first two.
 */
const MODEL_TABLES = [20, 100, 500] as const;
const TABLE_FIELDS = 20;
const FORMER_VERSIONS = 1_000;
const SMALL = 1_000;
const FETCHED_TOGETHER = 1_000;
const TIMES = 5;
/** A search over all texts reads the whole table. */
const SEARCHES = 2;
const SAMPLE_MS = 100;
/** An export is read for so long at most: what it takes by then shows how fast it is. */
const READING_MS = 40_000;
/** How long a reader takes nothing, while the server goes on into its file. */
const STALL_MS = 20_000;
const PROMISED_MS = 1_000;
const allowed = { names: ["allowed", "here"], target: { most: 1 } } as const;

export const growthBenches: Record<string, () => Promise<Finding[]>> = {
  growth: () =>
    withBenchEnvironment({ nodes: 1 }, async (environment) => [
      ...(await ofRecords(environment, 1_000_000)),
      ...(await ofModels(environment)),
    ]),
  "growth:1m": () => withBenchEnvironment({ nodes: 1 }, (at) => ofRecords(at, 1_000_000)),
  "growth:5m": () => withBenchEnvironment({ nodes: 1 }, (at) => ofRecords(at, 5_000_000)),
  "growth:models": () => withBenchEnvironment({ nodes: 1 }, ofModels),
};

/** The median; the first time warms up. */
async function typicalMs(task: () => Promise<unknown>, runs = TIMES): Promise<number> {
  await task();
  const times: number[] = [];
  for (let n = 0; n < runs; n += 1) {
    const started = performance.now();
    await task();
    times.push(performance.now() - started);
  }
  return median(times);
}

async function ofRecords(at: BenchEnvironment, records: number): Promise<Finding[]> {
  const { api, database } = at;
  await fillTo(database, SMALL);
  await exportOf(at);
  const small = await exportOf(at);
  const smallSearch = await typicalMs(() => search(api), SEARCHES);
  await fillTo(database, records);
  const bare = await bareExport(database, "id");
  const large = await exportOf(at);
  const bareSorted = await bareExport(database, 'notes collate "C"', 0);
  const sorted = await exportOf(at, { file: "export.jsonl?sort=notes", readingMs: 0 });
  const table = await exportOf(at, { file: "export.csv?sort=notes", readingMs: 0 });
  const stalled = await exportOf(at, { stallMs: STALL_MS, readingMs: 0 });
  const product = await typicalMs(() => search(api), SEARCHES);
  const floor = await typicalMs(() => bareSearch(database), SEARCHES);
  const ms = { unit: "ms", names: ["bare SQL", "product"] as const, target: null };
  const grown = { ...ms, names: [`at ${SMALL}`, "here"] as const };
  const first = { unit: "ms", ...allowed, floor: PROMISED_MS };
  const speed = { unit: "records/s", names: ms.names, target: null };
  const memory = { unit: "MiB", names: ["before", "at most"] as const };
  const what = (text: string) => `${records.toLocaleString("en")} records, ${text}`;
  // What Node lets its heap grow to, whatever the size of the table.
  const bounded = { most: 3 };
  return [
    { ...ms, what: what("export: first byte"), floor: bare.firstMs, product: large.firstMs },
    { ...grown, what: "  to the smallest", floor: small.firstMs, product: large.firstMs },
    { ...first, what: "  to the second that is promised", product: large.firstMs },
    {
      ...{ ...ms, what: "  sorted without an index: first record" },
      ...{ floor: bareSorted.firstMs, product: sorted.firstMs },
    },
    { ...first, what: "  as CSV, whose columns come first", product: table.firstMs },
    { ...speed, what: "  the whole", floor: bare.perSecond, product: large.perSecond },
    {
      ...{ ...memory, what: "  memory of the server", target: bounded },
      ...{ floor: large.beforeMiB, product: large.mostMiB },
    },
    {
      ...{ ...memory, what: `  beside a reader who waits ${STALL_MS / 1_000} s`, target: bounded },
      ...{ floor: stalled.beforeMiB, product: stalled.mostMiB },
    },
    {
      ...{ ...allowed, what: "  disk beside that reader", unit: "MiB" },
      ...{ floor: defaultLimits.EXPORT_FILE_MAX_BYTES / MIB, product: stalled.mostDiskMiB },
    },
    { ...ms, what: what("search for a few"), floor, product, target: { most: 2 } },
    { ...grown, what: "  to the smallest", floor: smallSearch, product },
  ];
}

const MIB = 1_048_576;

/** The bytes of the files without a name that exports are read into, in MiB. */
function spooledMiBOf(pids: readonly number[]): number {
  let bytes = 0;
  for (const pid of pids) {
    const folder = `/proc/${pid}/fd`;
    for (const fd of readdirSync(folder)) {
      try {
        if (!/\/watchfloor-[\da-f-]+ \(deleted\)$/.test(readlinkSync(`${folder}/${fd}`))) continue;
        bytes += statSync(`${folder}/${fd}`).blocks * 512;
      } catch {
        // Closed meanwhile.
      }
    }
  }
  return bytes / MIB;
}

interface Exported {
  /** From the request to the first record. */
  firstMs: number;
  perSecond: number;
}

/** Waits before it takes what follows the first bytes, and reads for `readingMs` at most; after a while that it has waited, it ends. */
async function exportOf(
  { api, pids }: BenchEnvironment,
  { file = "export.jsonl", stallMs = 0, readingMs = READING_MS } = {},
) {
  const beforeMiB = residentMiBOf(pids.servers);
  let [mostMiB, mostDiskMiB] = [beforeMiB, 0];
  const sampling = setInterval(() => {
    mostMiB = Math.max(mostMiB, residentMiBOf(pids.servers));
    mostDiskMiB = Math.max(mostDiskMiB, spooledMiBOf(pids.servers));
  }, SAMPLE_MS);
  const started = performance.now();
  const address = `${api.url}/api/v1/tables/incidents/${file}`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${api.token}` } });
  if (!answer.ok || !answer.body) throw new Error(`The export was answered ${answer.status}.`);
  let [firstMs, records] = [0, 0];
  for await (const bytes of answer.body) {
    firstMs ||= performance.now() - started;
    for (let at = bytes.indexOf(LINE_END); at >= 0; at = bytes.indexOf(LINE_END, at + 1))
      records += 1;
    if (stallMs > 0) await delay(stallMs);
    if (performance.now() - started > readingMs) break;
  }
  clearInterval(sampling);
  const perSecond = (1_000 * records) / (performance.now() - started);
  return { firstMs, perSecond, beforeMiB, mostMiB, mostDiskMiB };
}

const LINE_END = 10;

/** The same records as JSON, by a cursor. */
async function bareExport(
  database: pg.Client,
  order: string,
  readingMs = READING_MS,
): Promise<Exported> {
  const started = performance.now();
  const taken = () => performance.now() - started;
  let [firstMs, records] = [0, 0];
  await database.query("begin");
  await database.query(
    `declare bare no scroll cursor for select to_jsonb(i)::text from incidents i order by ${order}`,
  );
  for (let rows = 1; rows > 0 && (firstMs === 0 || taken() < readingMs); records += rows) {
    rows = (await database.query(`fetch ${FETCHED_TOGETHER} from bare`)).rows.length;
    firstMs ||= taken();
  }
  const perSecond = (1_000 * records) / taken();
  await database.query("rollback");
  return { firstMs, perSecond };
}

const NEEDLE = "number 99";

const search = (api: ApiSession) =>
  api.call("GET /tables/{table}/records", {
    params: { table: "incidents" },
    query: { search: `${NEEDLE}8877`, sort: ["-opened_at"] },
  });

/** In the same fields, which are the texts that the service desk has. */
async function bareSearch(database: pg.Client): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
      where attrelid = 'incidents'::regclass and attnum > 0 and atttypid = 'text'::regtype`,
  );
  const found = rows.map(({ name }) => `${name} ilike '%${NEEDLE}8877%'`).join(" or ");
  await database.query(
    `select * from incidents where ${found} order by opened_at desc nulls last, id limit 100`,
  );
}

// Models

interface Timed {
  publishMs: number;
  storeMs: number;
  open: { addressMs: number; linkMs: number };
}

async function ofModels({ api, database, urls: [url = ""] }: BenchEnvironment): Promise<Finding[]> {
  const timed: Timed[] = [];
  for (const count of MODEL_TABLES) {
    const model = await api.call("GET /model");
    const others = model.tables.filter(({ name }) => !name.startsWith("grown_"));
    const tables = Array.from({ length: count - others.length }, (_, n) => tableOf(n));
    await publish(api, { ...(model as Model), tables: [...(others as Table[]), ...tables] });
    timed.push({
      publishMs: await typicalMs(() => relabel(api)),
      storeMs: await bareStore(database),
      open: await openBuilder(url),
    });
  }
  await addVersions(database);
  const after = await typicalMs(() => relabel(api));
  const [small] = timed as [Timed, ...Timed[]];
  const last = timed.at(-1) ?? small;
  const ms = { unit: "ms", names: [`${MODEL_TABLES[0]} tables`, "here"] as const, target: null };
  const bare = { ...ms, names: ["bare SQL", "product"] as const };
  return [
    ...timed.flatMap(({ publishMs, storeMs, open }, at) => [
      {
        ...{ ...ms, what: `${MODEL_TABLES[at]} tables × ${TABLE_FIELDS}: a publication` },
        ...{ floor: small.publishMs, product: publishMs },
      },
      { ...bare, what: "  to storing the document", floor: storeMs, product: publishMs },
      {
        ...{ ...ms, what: "  the builder by its address" },
        ...{ floor: small.open.addressMs, product: open.addressMs },
      },
      { ...ms, what: "  and by its link", floor: small.open.linkMs, product: open.linkMs },
      {
        ...{ ...allowed, unit: "ms", what: "  to the second that is promised" },
        ...{ floor: PROMISED_MS, product: open.linkMs },
      },
    ]),
    {
      ...{ ...ms, what: `a publication after ${FORMER_VERSIONS} versions`, target: { most: 1.5 } },
      ...{ names: ["few", "many"] as const, floor: last.publishMs, product: after },
    },
  ];
}

/** What a publication can't do without: the new document. */
async function bareStore(database: pg.Client): Promise<number> {
  const stored = "select document::text from watchfloor.model order by version desc limit 1";
  const { rows } = await database.query<{ document: string }>(stored);
  await database.query("create table if not exists bench.document (content jsonb)");
  const insert = "insert into bench.document values ($1::jsonb)";
  return typicalMs(() => database.query(insert, [rows[0]?.document]));
}

function tableOf(n: number): Table {
  const name = `grown_${n}`;
  const fields = Array.from({ length: TABLE_FIELDS }, (_, field) => ({
    ...{ name: `field_${field}`, label: `Field ${field}`, type: "text" as const },
  }));
  const texts = { label: `Grown ${n}`, recordLabel: "record", display: "field_0" };
  return { name, ...texts, fields, columns: ["field_0"], sort: [] };
}

const publish = (api: ApiSession, model: Model) =>
  api.call("PUT /model", { query: { confirm: "lossy" }, body: model });

let labels = 0;

/** The smallest change. */
async function relabel(api: ApiSession): Promise<void> {
  const model = (await api.call("GET /model")) as Model;
  labels += 1;
  const tables = model.tables.map((table) =>
    table.name === "grown_0" ? { ...table, label: `Grown ${labels} times` } : table,
  );
  await publish(api, { ...model, tables });
}

/** As if the model had been published so often. */
async function addVersions(database: pg.Client): Promise<void> {
  await database.query(
    `insert into watchfloor.model (version, document, by)
      select n, jsonb_set(m.document, '{version}', to_jsonb(n)), m.by
      from (select * from watchfloor.model order by version desc limit 1) m
      cross join lateral generate_series(m.version + 1, m.version + $1) n`,
    [FORMER_VERSIONS],
  );
}

/** How long the builder takes to open: by its address, with the whole page, and by its link in an open one. */
async function openBuilder(url: string): Promise<{ addressMs: number; linkMs: number }> {
  const args = ["--no-sandbox"];
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const signedIn = { data: owner, headers: { origin: url } };
    await page.request.post(`${url}/api/v1/session`, signedIn);
    const opened = () => page.getByRole("navigation", { name: "Tables of the model" }).waitFor();
    const addressMs = await typicalMs(async () => {
      await page.goto(`${url}/admin/model`);
      await opened();
    });
    const times: number[] = [];
    // The first time loads the screen.
    for (let n = 0; n <= TIMES; n += 1) {
      await page.getByRole("link", { name: "Users", exact: true }).click();
      await page.getByRole("heading", { level: 1, name: "Users" }).waitFor({ state: "attached" });
      const started = performance.now();
      await page.getByRole("link", { name: "Model", exact: true }).click();
      await opened();
      if (n > 0) times.push(performance.now() - started);
    }
    return { addressMs, linkMs: median(times) };
  } finally {
    await browser.close();
  }
}
