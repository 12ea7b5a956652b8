import fc from "fast-check";
import { sql } from "kysely";
import type { Filter } from "../../../shared/filter/filter.ts";
import { readSortKey } from "../../../shared/filter/sort-key.ts";
import type { Table } from "../../../shared/model/model.ts";
import type { Database } from "../database.ts";
import { OffsetIndexes } from "../offset-index.ts";
import { type PageRequest, readPage } from "../pages.ts";

export const ROWS = 3_000;
export const EXACT_TOTAL = 50;
/** A page by which a view gets its index. */
export const far: PageRequest = {
  filter: null,
  sort: [readSortKey("-opened_at")],
  offset: 1_100,
  limit: 20,
  fields: ["number"],
  exactTotal: EXACT_TOTAL,
};
export const reader = { id: "ann" };

/** The indexes of a server. Builds run after `mayBuild`; `built` resolves when all that were begun have ended. */
export function openIndexes(
  database: Database,
  { maxBytes = 10_000_000, timeoutMs = 10_000, mayBuild = Promise.resolve() } = {},
) {
  mayBuild.catch(() => {});
  const errors: unknown[] = [];
  const builds: Promise<unknown>[] = [];
  const turns = {
    database,
    run<Result>(_: unknown, build: () => Promise<Result>) {
      const running = mayBuild.then(build);
      builds.push(running.catch(() => {}));
      return running;
    },
  };
  const onError = (error: unknown) => errors.push(error);
  const of = new OffsetIndexes({ turns, textOrder: "en", maxBytes, timeoutMs, onError });
  return { of, reader, errors, builds, built: () => Promise.all(builds) };
}
type Indexes = ReturnType<typeof openIndexes>;

/** Reads a page, and again when the index that it asked for has been built. */
export async function readBuilt(
  database: Database,
  table: Table,
  request: PageRequest,
  indexes: Indexes,
) {
  await readPage(database, table, { ...request, indexes });
  await indexes.built();
  return readPage(database, table, { ...request, indexes });
}

/** Values of record n: ties, empty ones, empty texts, variables and letters beyond ASCII in each kind. */
const values = (
  n: string,
) => `'N' || ${n}, (array['a', '', null, '$me', 'ämter', '$now'])[1 + ${n} % 6],
  (array['New', 'Active', 'Resolved'])[1 + ${n} % 3], '2 - Medium', '2 - Medium',
  (array['1 - Critical', '4 - Low', null, '3 - Moderate'])[1 + ${n} % 4],
  (array['Network', 'Zoo', null])[1 + ${n} % 3],
  case ${n} % 7 when 0 then null when 1 then 'infinity'
    else timestamptz '2026-01-01' + (${n} * 7919 % 400) * interval '1 minute' end,
  case ${n} % 5 when 0 then null else ${n} * 31 % 97 end, (array[true, false, null])[1 + ${n} % 3]`;

export async function fill({ kysely }: Database): Promise<void> {
  await sql`insert into groups (id, name) values ('Network', 'Network'), ('Zoo', 'Zoo')
    on conflict do nothing`.execute(kysely);
  await sql`insert into incidents (id, number, title, state, impact, urgency, priority, "group", opened_at, reassignments, sla_met)
    select 'r' || n, ${sql.raw(values("n"))} from generate_series(1, ${sql.lit(ROWS)}) n`.execute(
    kysely,
  );
  await sql`analyze incidents`.execute(kysely);
}

/** What another program does to records: number n, and others by its remainder. */
export async function change({ kysely }: Database, n: number): Promise<void> {
  const id = `r${n}`;
  if (n % 3 === 0) await sql`delete from incidents where id = ${id}`.execute(kysely);
  else if (n % 3 === 1) {
    await sql`update incidents set priority = '4 - Low', opened_at = '2026-01-01T02:00Z', reassignments = 50,
      title = 'b', "group" = 'Zoo', sla_met = false where id like ${`${id}%`}`.execute(kysely);
  } else {
    await sql`insert into incidents (id, number, title, state, impact, urgency, priority, "group", opened_at, reassignments, sla_met)
      select 'r' || ${n}::int || 'x' || m, ${sql.raw(values("m"))}
      from generate_series(${n}::int * 7 + 1, ${n}::int * 7 + 5) m on conflict do nothing`.execute(
      kysely,
    );
  }
}

export const filters: (Filter | null)[] = [
  null,
  { field: "state", op: "in", value: ["New", "Active"] },
  { not: { field: "group", op: "eq", value: "Network" } },
  { field: "reassignments", op: "gt", value: 20 },
];
const keys = ["priority", "title", "group", "opened_at", "reassignments", "sla_met", "state", "id"];
export const arbitraryKey = fc
  .tuple(fc.constantFrom(...keys), fc.boolean())
  .map(([key, isDescending]) => `${isDescending ? "-" : ""}${key}`);
