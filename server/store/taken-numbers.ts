import type { Json } from "../../shared/filter/filter.ts";
import type { Field, Table } from "../../shared/model/model.ts";
import type { Queryable } from "./change-history.ts";
import { columnName, quoted } from "./identifiers.ts";
import { objectName } from "./object-name.ts";
import type { Statement } from "./prepared-text.ts";
import type { RowWrite } from "./write-statements.ts";

/** So many numbers in a row are free behind those that are skipped: those of a mutation. */
const FREE_IN_A_ROW = 1_000;
/** Numbers that are skipped at once take about a second. The next record that is refused skips more. */
const SKIPPED_MAX = 1_000_000n;

/**
 * Lets the sequence of an automatic field count on behind numbers that records have already, which a file or another program
 * gave them. Like every number that a sequence gives, they stay skipped whatever becomes of the transaction. Reads only records
 * with numbers of the same length that follow, by the field's index.
 */
export async function skipTakenNumbers(
  session: Queryable,
  table: Table,
  field: Field,
  most = SKIPPED_MAX,
): Promise<void> {
  if (!field.automatic) return;
  const { prefix, digits } = field.automatic;
  const sequence = quoted(objectName(table, field, "seq"));
  const column = quoted(columnName(field));
  const last = BigInt(await textOf(session, `select last_value::text as text from ${sequence}`));
  const given = prefix + String(last).padStart(digits, "0");
  const behind = await textOf(
    session,
    // In the order of the column, so that it reads no further than to the first gap. Behind the digits follows a colon.
    // Numbers behind a gap from the last one are no reason to skip: it was taken by an op of the same mutation.
    `select case when first - $4::bigint > ${FREE_IN_A_ROW} then $4::bigint else n end::text as text from (
       select substr(${column}, $3)::bigint as n,
         first_value(substr(${column}, $3)::bigint) over numbers as first,
         lead(substr(${column}, $3)::bigint) over numbers as next
       from ${quoted(table.name)}
       where ${column} >= $1 and ${column} < $2 and length(${column}) = length($1)
         and substr(${column}, $3) ~ '^[0-9]+$'
       window numbers as (order by ${column})) taken
     where next is null or next - n > ${FREE_IN_A_ROW} limit 1`,
    [given, `${prefix}:`, [...prefix].length + 1, String(last)],
  );
  const skipped = BigInt(behind || last) - last;
  if (skipped <= 0n) return;
  const skip = `select count(nextval('${sequence}'))::text as text from generate_series(1, $1::bigint)`;
  await textOf(session, skip, [String(skipped < most ? skipped : most)]);
}

/**
 * Counts on behind numbers that are given by hand, at once: such a number is never given again, also where its record is deleted, and no program that
 * inserts by the default of the column meets it. Only numbers that follow closely: one far ahead would leave most of the numbers before it
 * unused. It is skipped where it is met, if its record is there then.
 */
export function countOnStatements(batch: readonly RowWrite[]): Statement[] {
  const table = batch[0]?.table;
  return (table?.fields ?? []).flatMap((field): Statement[] => {
    const given = batch.flatMap(({ set }) => numberIn(set?.[field.name], field) ?? []);
    if (!table || given.length === 0) return [];
    return [{ text: countOnText(quoted(objectName(table, field, "seq"))), values: [given] }];
  });
}

/** The number of a value that the field could have given itself. */
function numberIn(value: Json | undefined, { automatic }: Field): string | null {
  if (!automatic || typeof value !== "string" || !value.startsWith(automatic.prefix)) return null;
  const digits = value.slice(automatic.prefix.length);
  const isCanonical = digits.length === automatic.digits || !digits.startsWith("0");
  return /^\d{1,18}$/.test(digits) && digits.length >= automatic.digits && isCanonical
    ? digits
    : null;
}

/** By `nextval`, which never goes back, whoever else draws numbers meanwhile. */
const countOnText = (sequence: string) => `
  with counted as (
    select case when is_called then last_value else last_value - 1 end as last from ${sequence}
  ), given as (
    select n, n - lag(n, 1, last) over (order by n) as gap from unnest($1::bigint[]) n, counted where n > last
  ), reached as (
    select max(g.n) as n from given g
    where not exists (select from given b where b.n <= g.n and b.gap > ${FREE_IN_A_ROW})
  )
  select count(nextval('${sequence}'))
  from reached join counted on n is not null, generate_series(1, least(n - last, ${SKIPPED_MAX}))`;

async function textOf(session: Queryable, text: string, values: unknown[] = []): Promise<string> {
  const { rows } = await session.query<{ text: string }>(text, values);
  return rows[0]?.text ?? "";
}
