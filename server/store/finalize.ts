import { exactJsonText } from "../../shared/model/exact-json.ts";
import { authorJoin, type ChangeRow, changeColumns, toChange } from "./feed-log.ts";
import type { Finalized, FinalizedFeed } from "./finalized-change.ts";
import type { MutationRow } from "./mutations.ts";
import type { Statement } from "./prepared-text.ts";

/**
 * Changes of a transaction that are returned with the commit. More than this are read from the log in pieces.
 */
const RETURNED_MAX_CHANGES = 500;
/** How long a commit waits for another one on the same feed. */
const FINALIZE_LOCK_TIMEOUT_MS = 1_000;

/**
 * The last statements before COMMIT: stores the answers of its mutations, numbers the changes of the open
 * transaction and reads them as the log will return them (`finalizedOf` the rows of the last statement).
 * Fails with a unique violation if another server was faster with the same mutation id.
 */
export function finalizeStatements(mutations: readonly MutationRow[]): Statement[] {
  const answerValues = [
    `${FINALIZE_LOCK_TIMEOUT_MS}ms`,
    mutations.map((row) => row.author),
    mutations.map((row) => row.id),
    mutations.map((row) => row.hash),
    mutations.map((row) => exactJsonText(row.results)),
  ];
  return [
    { name: "finalize", text: finalizeText, values: answerValues },
    { name: "read-changes", text: readChangesText, values: [RETURNED_MAX_CHANGES] },
  ];
}

// Other servers commit to the same feeds: waiting for them may take longer than waiting for a record.
const finalizeText =
  "select watchfloor.finalize($1, $2::text[], $3::text[], $4::text[], $5::jsonb[])";

// "+ 0" leaves the planner only the primary key, also before it has any statistics.
const readChangesText = `
  select f.table_name as "table", f.epoch, n.upto - n.n as "from", n.upto as "to", n.is_whole as "isWhole", (
    select json_agg(${changeColumns} order by c.ord) from (
      select n.upto - n.n + row_number() over (order by k.ord) as seq, k.ord, k.record, k.kind,
        case when n.is_whole then k.before end as before, case when n.is_whole then k.after end as after,
        k.actor, k.at, k.mutation, k.origin, k.change_set, k.transition, k.reason, null::jsonb as erased
      from watchfloor.change k
      where k.tx = n.tx and k.feed + 0 = n.feed and k.ord between n.first_ord and n.last_ord
    ) c ${authorJoin}
  ) as changes
  from (
    select *, sum(n) over () <= $1 as is_whole from watchfloor.numbering
    where tx = pg_current_xact_id_if_assigned()
  ) n
  join watchfloor.feed f on f.id = n.feed
  order by n.feed, n.upto`;

export interface ReturnedRow {
  table: string;
  epoch: string;
  from: number;
  to: number;
  isWhole: boolean;
  changes: ChangeRow[];
}

export function finalizedOf(rows: readonly ReturnedRow[]): Finalized {
  return {
    changes: rows.flatMap(({ table, changes }) =>
      changes.map(({ record, mutation, actor, seq }) => ({ table, record, mutation, actor, seq })),
    ),
    feeds: rows.map(({ isWhole, ...row }): FinalizedFeed => {
      const { table, changes } = row;
      return { table, span: isWhole ? { ...row, changes: changes.map(toChange) } : null };
    }),
  };
}
