import type { Filter } from "../shared/filter/filter.ts";
import type { GroupUnit } from "../shared/model/view/summary-ops.ts";
import { elapsed } from "./first-page.ts";
import { type BenchEnvironment, withBenchEnvironment } from "./load/bench-environment.ts";
import { fillTo } from "./load/fill-table.ts";
import { interleave } from "./load/interleave.ts";
import { median } from "./load/percentile.ts";
import type { Finding } from "./load/report.ts";

/** Summaries and groups of a million records as a view shows them, beside the bare statement with the same result. */
const SIZE = 1_000_000;
const ROUNDS = 7;

interface Case {
  name: string;
  query: { filter?: Filter; group?: string; by?: GroupUnit; measure: string };
  sql: string;
}

const summaries: Case[] = [
  {
    name: "count and sum of all",
    query: { measure: "count,sum:reassignments" },
    sql: "select count(*), sum(reassignments) from incidents",
  },
  {
    name: "summary row of a filtered view",
    query: {
      filter: { field: "state", op: "in", value: ["New", "Active"] },
      measure: "count,filled:due_at,avg:reassignments,checked:sla_met,max:due_at",
    },
    sql: `select count(*), count(due_at), avg(reassignments), count(*) filter (where sla_met), max(due_at)
      from incidents where state in ('New', 'Active')`,
  },
  {
    name: "by an option, with a sum",
    query: { group: "priority", measure: "count,sum:reassignments" },
    sql: `select priority, count(*), sum(reassignments) from incidents
      group by priority order by priority collate "C"`,
  },
  {
    name: "by the day of a time, with a median",
    query: { group: "due_at", by: "day", measure: "count,median:reassignments" },
    sql: `select (due_at at time zone 'UTC')::date as day, count(*),
        percentile_disc(0.5) within group (order by reassignments)
      from incidents group by day order by day`,
  },
];

export function summary(): Promise<Finding[]> {
  return withBenchEnvironment({ nodes: 1 }, async (environment) => {
    await fillTo(environment.database, SIZE);
    const findings: Finding[] = [];
    for (const one of summaries) findings.push(await timeSummary(environment, one));
    return findings;
  });
}

async function timeSummary(
  { api, database }: BenchEnvironment,
  { name, query, sql }: Case,
): Promise<Finding> {
  const read = () =>
    api.call("GET /tables/{table}/summary", { params: { table: "incidents" }, query });
  const { a, b } = await interleave(
    ROUNDS,
    () => elapsed(() => database.query(sql)),
    () => elapsed(read),
  );
  return {
    what: `${SIZE.toLocaleString("en")} records, ${name}`,
    floor: median(a),
    product: median(b),
    unit: "ms",
    target: { most: 1.5 },
  };
}
