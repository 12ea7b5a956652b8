import { exactJsonText } from "../../shared/model/exact-json.ts";
import type { Values } from "../../shared/model/model.ts";
import { authorName, type ChangeRow, toChange } from "./feed-log.ts";
import type { Finalized, FinalizedChange, FinalizedFeed } from "./finalized-change.ts";
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

// Plain columns: Postgres builds no JSON around the documents, and prepares no renaming of their fields that most tables
// don't need. "offset 0" and "+ 0" leave the planner only the indexes by transaction, also before it has any statistics.
const readChangesText = `
  select f.table_name as "table", f.epoch, f.names::text as names, n.upto - n.n as "from", n.upto as "to",
    n.is_whole as "isWhole", c.kind, c.record,
    case when n.is_whole then c.before end as before, case when n.is_whole then c.after end as after,
    c.entry, c.actor, ${authorName} as name, c.at, c.mutation, c.origin, c.change_set as "changeSet", c.transition, c.reason
  from (
    select *, sum(n) over () <= $1 as is_whole from watchfloor.numbering
    where tx = pg_current_xact_id_if_assigned()
  ) n
  join watchfloor.feed f on f.id = n.feed
  cross join lateral (
    select * from watchfloor.change k
    where k.tx = n.tx and k.feed + 0 = n.feed and k.ord between n.first_ord and n.last_ord offset 0
  ) c
  order by n.feed, n.upto, c.ord`;

/** One change, and the numbering that it belongs to. */
export interface ReturnedRow extends Omit<ChangeRow, "seq" | "erased"> {
  table: string;
  epoch: string;
  /** The feed's field names by columns, as JSON; null if they are the same. */
  names: string | null;
  from: number;
  to: number;
  isWhole: boolean;
}

/** The changes of one numbering follow each other, in the order of their positions. */
export function finalizedOf(rows: readonly ReturnedRow[]): Omit<Finalized, "isWhole"> {
  const changes: FinalizedChange[] = [];
  const feeds: FinalizedFeed[] = [];
  for (const numbering of Map.groupBy(rows, ({ table, to }) => `${to} ${table}`).values()) {
    const { table, epoch, from, to, isWhole, names } = numbering[0] as ReturnedRow;
    for (const [index, { record, mutation, actor }] of numbering.entries()) {
      changes.push({ table, record, mutation, actor, seq: from + index + 1 });
    }
    const rename = renamer(names);
    const toLogged = ({ before, after, ...row }: ReturnedRow, index: number) =>
      toChange({
        ...row,
        seq: from + index + 1,
        before: rename(before),
        after: rename(after),
        erased: null,
      });
    feeds.push({
      table,
      span: isWhole ? { table, epoch, from, to, changes: numbering.map(toLogged) } : null,
    });
  }
  return { changes, feeds };
}

/** What `watchfloor.named` does in SQL: the log stores columns; those of removed fields are left out. */
function renamer(names: string | null): (document: Values | null) => Values | null {
  if (names === null) return (document) => document;
  const nameOf = new Map<string, string>(Object.entries(JSON.parse(names)));
  return (document) =>
    document &&
    Object.fromEntries(
      Object.entries(document).flatMap(([column, value]) => {
        const name = nameOf.get(column);
        return name === undefined ? [] : [[name, value]];
      }),
    );
}
