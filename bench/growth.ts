import type pg from "pg";
import { chromium } from "playwright";
import { owner } from "../e2e/harness/server-process.ts";
import { chromiumPath } from "../e2e/provision/chromium.ts";
import type { Model, Table } from "../shared/model/model.ts";
import type { ApiSession } from "./load/api-session.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { fillTo } from "./load/fill-table.ts";
import { median } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";
import { residentMiBOf } from "./load/resident-memory.ts";

/**
 * What grows with an installation: its records (an export, a search over all texts), its model (publishing it, and opening the builder),
 * and the versions that the model has had. Beside each value is that of the smallest case, or of the bare SQL in the same run. It takes
 * longer than all other benches together, so it runs only where it is named: `growth`, or `growth:5m` with five million records.
 */
const MODEL_TABLES = [20, 100, 500] as const;
const TABLE_FIELDS = 20;
const FORMER_VERSIONS = 1_000;
const SMALL = 1_000;
const FETCHED_TOGETHER = 1_000;
const TIMES = 5;
const MEMORY_SAMPLE_MS = 100;

export const growthBenches: Record<string, () => Promise<Finding[]>> = {
  growth: () => ofAll(1_000_000),
  "growth:5m": () => ofAll(5_000_000),
  "growth:records": () => withBenchEnvironment({ nodes: 1 }, (at) => ofRecords(at, 1_000_000)),
  "growth:models": () => withBenchEnvironment({ nodes: 1 }, ofModels),
};

function ofAll(records: number): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => [
    ...(await ofRecords(environment, records)),
    ...(await ofModels(environment)),
  ]);
}

/** The median; the first time warms up. */
async function typicalMs(task: () => Promise<unknown>): Promise<number> {
  await task();
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
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
  await fillTo(database, records);
  const large = await exportOf(at);
  const sorted = await exportOf(at, "?sort=notes");
  const bare = await bareExport(database, "id");
  const bareSorted = await bareExport(database, 'notes collate "C"');
  const product = await typicalMs(() => search(api));
  const floor = await typicalMs(() => bareSearch(database));
  const ms = { unit: "ms", names: ["bare SQL", "product"] as const, target: null };
  const grown = { ...ms, names: [`at ${SMALL}`, "here"] as const };
  const memory = { unit: "MiB", names: ["before", "at most"] as const };
  const what = (text: string) => `${records.toLocaleString("en")} records, ${text}`;
  return [
    { ...ms, what: what("export: first byte"), floor: bare.firstMs, product: large.firstMs },
    { ...grown, what: "  to the smallest", floor: small.firstMs, product: large.firstMs },
    { ...ms, what: "  the whole", floor: bare.wholeMs, product: large.wholeMs },
    { ...ms, what: "  sorted, first byte", floor: bareSorted.firstMs, product: sorted.firstMs },
    {
      ...{ ...memory, what: "  memory of the server", floor: large.beforeMiB },
      // What Node lets its heap grow to, whatever the size of the table.
      ...{ product: large.mostMiB, target: { most: 3 } },
    },
    { ...ms, what: what("search for a few"), floor, product, target: { most: 2 } },
  ];
}

interface Exported {
  firstMs: number;
  wholeMs: number;
}

async function exportOf({ api, pids }: BenchEnvironment, query = "") {
  const beforeMiB = residentMiBOf(pids.servers);
  let mostMiB = beforeMiB;
  const sampling = setInterval(() => {
    mostMiB = Math.max(mostMiB, residentMiBOf(pids.servers));
  }, MEMORY_SAMPLE_MS);
  const started = performance.now();
  const address = `${api.url}/api/v1/tables/incidents/export.jsonl${query}`;
  const answer = await fetch(address, { headers: { authorization: `Bearer ${api.token}` } });
  if (!answer.ok || !answer.body) throw new Error(`The export was answered ${answer.status}.`);
  let firstMs = 0;
  for await (const _ of answer.body) firstMs ||= performance.now() - started;
  clearInterval(sampling);
  return { firstMs, wholeMs: performance.now() - started, beforeMiB, mostMiB };
}

/** The same records as JSON, by a cursor. */
async function bareExport(database: pg.Client, order: string): Promise<Exported> {
  const started = performance.now();
  let firstMs = 0;
  await database.query("begin");
  await database.query(
    `declare bare no scroll cursor for select to_jsonb(i)::text from incidents i order by ${order}`,
  );
  for (let rows = 1; rows > 0; ) {
    rows = (await database.query(`fetch ${FETCHED_TOGETHER} from bare`)).rows.length;
    firstMs ||= performance.now() - started;
  }
  await database.query("commit");
  return { firstMs, wholeMs: performance.now() - started };
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
  openMs: number;
}

async function ofModels({ api, database, urls: [url = ""] }: BenchEnvironment): Promise<Finding[]> {
  const timed: Timed[] = [];
  for (const count of MODEL_TABLES) {
    const model = await api.call("GET /model");
    const tables = Array.from({ length: count }, (_, n) => tableOf(n));
    const others = model.tables.filter(({ name }) => !name.startsWith("grown_"));
    await publish(api, { ...(model as Model), tables: [...(others as Table[]), ...tables] });
    timed.push({ publishMs: await typicalMs(() => relabel(api)), openMs: await openBuilder(url) });
  }
  await addVersions(database);
  const after = await typicalMs(() => relabel(api));
  const [small, ...others] = timed as [Timed, ...Timed[]];
  const last = timed.at(-1) ?? small;
  const ms = { unit: "ms", names: [`${MODEL_TABLES[0]} tables`, "here"] as const, target: null };
  return [
    ...others.flatMap(({ publishMs, openMs }, at) => [
      {
        ...{ ...ms, what: `${MODEL_TABLES[at + 1]} tables: a publication` },
        ...{ floor: small.publishMs, product: publishMs },
      },
      { ...ms, what: "  the builder's opening", floor: small.openMs, product: openMs },
    ]),
    {
      ...{ ...ms, what: `a publication after ${FORMER_VERSIONS} versions`, target: { most: 1.5 } },
      ...{ names: ["few", "many"] as const, floor: last.publishMs, product: after },
    },
  ];
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

async function openBuilder(url: string): Promise<number> {
  const args = ["--no-sandbox"];
  const browser = await chromium.launch({ executablePath: await chromiumPath(), args });
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const signedIn = { data: owner, headers: { origin: url } };
    await page.request.post(`${url}/api/v1/session`, signedIn);
    return await typicalMs(async () => {
      await page.goto(`${url}/admin/model`);
      await page.getByRole("navigation", { name: "Tables of the model" }).waitFor();
    });
  } finally {
    await browser.close();
  }
}
