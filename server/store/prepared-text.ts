import { createHash } from "node:crypto";
import type { CompiledQuery } from "kysely";
import type { Table } from "../../shared/model/model.ts";

/** A statement as the driver takes it; with a `name` it stays prepared on its connection. */
export interface Statement {
  text: string;
  values: unknown[];
  name?: string;
  /** Whether its rows are arrays of their columns. */
  asArrays?: true;
}

const texts = new WeakMap<Table, Map<string, Prepared>>();
/** Shapes of statements on one table whose texts are held. How many stay prepared on a connection: batch.ts. */
const MAX_SHAPES = 200;

interface Prepared {
  sql: string;
  name: string;
}

/**
 * Compiled once per shape; dropped with the table's description when the model changes. The name is that of the table's
 * description and the shape: Postgres refuses a prepared statement whose columns have changed their types since.
 */
export function preparedText(table: Table, shape: string, make: () => string): Prepared {
  const known = texts.get(table) ?? new Map<string, Prepared>();
  texts.set(table, known);
  const found = known.get(shape);
  if (found) return found;
  if (known.size >= MAX_SHAPES) known.clear();
  const hash = createHash("sha256")
    .update(JSON.stringify([table, shape]))
    .digest("base64url");
  const made = { sql: make(), name: `shape-${hash}` };
  known.set(shape, made);
  return made;
}

export function statementOf({ sql: text, parameters }: CompiledQuery): Statement {
  return { text, values: [...parameters] };
}
