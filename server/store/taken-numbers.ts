import type { Field, Table } from "../../shared/model/model.ts";
import type { Queryable } from "./change-history.ts";
import { columnName, quoted } from "./identifiers.ts";
import { objectName } from "./object-name.ts";

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

async function textOf(session: Queryable, text: string, values: unknown[] = []): Promise<string> {
  const { rows } = await session.query<{ text: string }>(text, values);
  return rows[0]?.text ?? "";
}
