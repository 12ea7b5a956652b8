import { setTimeout as sleep } from "node:timers/promises";
import type { QueryCall } from "../shared/protocol/feed.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { fillTo } from "./load/fill-table.ts";
import { median } from "./load/percentile.ts";
import { ProductLine } from "./load/product-line.ts";
import type { Finding } from "./load/report.ts";

/**
 * Whether the first page of a filtered and sorted view costs the same whatever the size of the table, and pages in its
 * middle, to which the scroll bar jumps. The first jump in a view is printed by itself: the others wait until the view's offset index was built. The floor is the
 * product itself on a thousand records; the bare statement's own ratio is printed beside it.
 */
const SIZES = [1_000, 100_000, 1_000_000] as const;
const TIMES = 15;
const PAGE_RECORDS = 100;
const JUMPS = 9;
const INDEX_POLL_MS = 250;
const INDEX_TRIES = 40;

type View = Pick<QueryCall, "filter" | "sort"> & {
  name: string;
  sql: string;
  /** How much of the table is skipped: a half, for example. */
  skips?: number;
  /** The sizes at which the target is known to be missed. */
  notYetAt?: readonly number[];
};

const views: View[] = [
  {
    name: "open ones, newest first",
    filter: { field: "state", op: "in", value: ["New", "Active"] },
    sort: ["-opened_at"],
    sql: `select * from incidents where state in ('New', 'Active')
      order by opened_at desc nulls last, id limit ${PAGE_RECORDS}`,
  },
  {
    name: "critical ones, by due time",
    filter: { field: "priority", op: "eq", value: "1 - Critical" },
    sort: ["due_at"],
    sql: `select * from incidents where priority = '1 - Critical'
      order by due_at, id limit ${PAGE_RECORDS}`,
  },
  {
    name: "one group's, newest first",
    notYetAt: [1_000_000],
    filter: {
      and: [
        { field: "group", op: "eq", value: "Network" },
        { field: "state", op: "ne", value: "Closed" },
      ],
    },
    sort: ["-opened_at"],
    sql: `select * from incidents where "group" = 'Network' and state <> 'Closed'
      order by opened_at desc nulls last, id limit ${PAGE_RECORDS}`,
  },
  {
    name: "grouped by priority, newest first",
    sort: ["priority", "-opened_at"],
    sql: `select * from incidents
      order by priority collate watchfloor.text_order, opened_at desc nulls last, id limit ${PAGE_RECORDS}`,
  },
  {
    name: "grouped by group, one group hidden",
    filter: { not: { field: "group", op: "eq", value: "Network" } },
    sort: ["group", "-opened_at"],
    sql: `select i.* from incidents i left join groups g on g.id = i."group"
      where i."group" is distinct from 'Network'
      order by g.name collate watchfloor.text_order, i."group", i.opened_at desc nulls last, i.id
      limit ${PAGE_RECORDS}`,
  },
  {
    name: "jump to the middle, by due time",
    skips: 1 / 2,
    sort: ["due_at"],
    sql: `select * from incidents order by due_at, id limit ${PAGE_RECORDS}`,
  },
  {
    name: "jump into the open ones, newest first",
    skips: 1 / 8,
    filter: { field: "state", op: "in", value: ["New", "Active"] },
    sort: ["-opened_at"],
    sql: `select * from incidents where state in ('New', 'Active')
      order by opened_at desc nulls last, id limit ${PAGE_RECORDS}`,
  },
  {
    name: "jump to the middle, grouped by priority",
    skips: 1 / 2,
    sort: ["priority", "-opened_at"],
    sql: `select * from incidents
      order by priority collate watchfloor.text_order, opened_at desc nulls last, id limit ${PAGE_RECORDS}`,
  },
];

/** Milliseconds by view name, as the product answers and as the bare statement does; `first` of a view's first jump. */
type Timed = Map<string, { product: number; bare: number; first: number }>;

export function firstPage(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    const timed: Timed[] = [];
    for (const size of SIZES) {
      await fillTo(environment.database, size);
      timed.push(await timeViews(environment, size));
    }
    return SIZES.slice(1).flatMap((size, index) => findings(size, timed[0], timed[index + 1]));
  });
}

function findings(size: number, small: Timed = new Map(), large: Timed = new Map()): Finding[] {
  return views.flatMap(({ name, notYetAt, skips }) => {
    const [at, to] = [small.get(name), large.get(name)];
    if (!at || !to) return [];
    const names = ["at 1,000", "here"] as const;
    const what = `${size.toLocaleString("en")} records, ${name}`;
    const shared = { unit: "ms", names };
    const target = { most: 3, notYet: notYetAt?.includes(size) ?? false };
    const line = { ...shared, what, floor: at.product, product: to.product, target };
    const bare = { ...shared, floor: at.bare, product: to.bare, target: null };
    const counted = { ...shared, floor: at.first, product: to.first, target: null };
    const first = skips ? [{ ...counted, what: "  the first jump" }] : [];
    return [line, ...first, { ...bare, what: "  the bare statement" }];
  });
}

async function timeViews({ urls, api, database }: BenchEnvironment, size: number): Promise<Timed> {
  const line = await ProductLine.open(urls[0] as string, api.token);
  const timed: Timed = new Map();
  for (const { name, sql, skips = 0, filter, sort } of views) {
    const product: number[] = [];
    const bare: number[] = [];
    for (let time = 0; time <= (skips > 0 ? JUMPS : TIMES); time += 1) {
      // Each jump leads to other rows: nobody jumps to the same place again and again.
      const offset = Math.floor(size * skips * (1 - time / (2 * JUMPS)));
      const call = { table: "incidents", filter, sort, offset, limit: PAGE_RECORDS };
      bare.push(await elapsed(() => database.query(`${sql} offset ${offset}`)));
      product.push(await elapsed(() => line.socket.emitWithAck("query", call)));
      if (skips > 0 && time === 0) await untilCounted(line, call);
    }
    const [first = 0, ...others] = product;
    timed.set(name, { product: median(others), bare: median(bare.slice(1)), first });
  }
  line.close();
  return timed;
}

/** Waits until the view's total is exact, which in a long view it is by the index only. */
async function untilCounted(line: ProductLine, call: QueryCall): Promise<void> {
  for (let tries = 0; tries < INDEX_TRIES; tries += 1) {
    const answer = await line.socket.emitWithAck("query", call);
    if ("totalExact" in answer && answer.totalExact) return;
    await sleep(INDEX_POLL_MS);
  }
}

/** How long it takes, in milliseconds. */
export async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
