import type { Table } from "../../../shared/model/model.ts";
import type { Database } from "../database.ts";
import { execute, numberOf } from "../statement.ts";
import { type ComparedSlice, compareSlice } from "./compare-slice.ts";
import { recordBypassed } from "./record-bypassed.ts";

/** Records that are compared by one statement. */
const SLICE_RECORDS = 1_000;
/** Findings are logged at the latest when there are this many. */
const FOUND_MAX = 10_000;

/**
 * Compares all records of a table with the change log and logs what bypassed it. Returns those records. Ends
 * early if another model is published meanwhile; the next check does the rest.
 */
export async function checkTable(
  {
    database,
    rest,
  }: {
    database: Database;
    /** Called after each slice with its duration: the caller decides how long to rest. Rejects to stop. */
    rest: (tookMs: number) => Promise<void>;
  },
  table: Table,
  modelVersion: number,
): Promise<string[]> {
  const { kysely } = database;
  const shape = await readShape(database, table);
  const found: string[] = [];
  let suspects: string[] = [];
  const enter = async () => {
    if (suspects.length === 0) return;
    found.push(...(await recordBypassed(database, table, modelVersion, suspects)));
    suspects = [];
  };
  for (let after: string | null = ""; after !== null; ) {
    const began = performance.now();
    const slice: ComparedSlice | null = await compareSlice(
      kysely,
      table,
      modelVersion,
      after,
      SLICE_RECORDS,
    );
    if (!slice) return found;
    suspects.push(...slice.bypassed);
    if (suspects.length >= FOUND_MAX) await enter();
    after = slice.last;
    if (after !== null) await rest(performance.now() - began);
  }
  await enter();
  await execute(kysely)`update watchfloor.feed set digested_shape = ${shape}
    where table_name = ${table.name} and digested_shape is distinct from ${shape}`;
  return found;
}

function readShape({ kysely }: Database, { name }: Table): Promise<number> {
  return numberOf(kysely)`
    select shape from watchfloor.feed where table_name = ${name}`;
}
