import { type SqlBool, sql } from "kysely";
import type { Json } from "../../shared/filter/filter.ts";
import type { Database, Db } from "./database.ts";
import type { FinalizedChange } from "./finalized-change.ts";
import type { Statement } from "./prepared-text.ts";
import { ago, firstOf } from "./statement.ts";

/** A mutation id belongs to its author: nobody can use up or read another's. */
export interface MutationKey {
  author: string;
  id: string;
}

/** What is stored of a mutation, in the transaction of its effect: the answer, without the positions. */
export interface MutationRow extends MutationKey {
  /** Of the content, to detect an id used for other content. */
  hash: string;
  results: Json;
}

/** A mutation that was answered before, with the numbered changes that it made. */
export interface StoredMutation extends MutationRow {
  changes: FinalizedChange[];
}

/** The state of a feed; its epoch is part of every version that is answered. */
interface FeedHead {
  table: string;
  epoch: string;
  head: number;
}

/** What every transaction needs besides its rows: a row for each feed, or one of nulls. */
export interface StateRow extends FeedHead {
  /** Whether one of the mutations was answered before. */
  isRepeat: boolean;
  /** The version of the published model. */
  model: number;
}

/** Whether one of these mutations was answered before, and the state of the model and these tables' feeds. */
export function stateStatement(keys: readonly MutationKey[], tables: readonly string[]): Statement {
  return {
    name: "read-state",
    text: stateText,
    values: [keys.map((key) => key.author), keys.map((key) => key.id), tables],
  };
}

// "offset 0" makes the planner look each key up: a plan made while the table was small would read the whole of it, and stays in
// use until the table is analysed again.
const stateText = `
  select exists (
      select from unnest($1::text[], $2::text[]) k(author, id)
      cross join lateral (
        select from watchfloor.mutation m where m.author = k.author and m.id = k.id offset 0) m
    ) as "isRepeat", (
      select coalesce(max(version), 0) from watchfloor.model
    ) as model, f.table_name as "table", f.epoch, f.head
  from (select) one left join watchfloor.feed f on f.table_name = any($3::text[])`;

/** Those of the mutations that were answered before; returns one row. */
export function repeatsStatement(keys: readonly MutationKey[]): Statement {
  return {
    name: "find-repeats",
    text: repeatsText,
    values: [keys.map((key) => key.author), keys.map((key) => key.id)],
  };
}

const repeatsText = `
  select json_agg(json_build_object('author', m.author, 'id', m.id, 'hash', m.hash,
    'results', m.results, 'changes', coalesce((
      select json_agg(s) from watchfloor.numbered(m.tx) s
      where s.mutation = m.id and s.actor = m.author), '[]'::json))) as stored
  from unnest($1::text[], $2::text[]) k(author, id)
  cross join lateral (
    select * from watchfloor.mutation m where m.author = k.author and m.id = k.id offset 0) m`;

/** The stored results of an author's mutation; null where it was not committed. */
export async function readResults(db: Db, { author, id }: MutationKey): Promise<Json | null> {
  const mutation = db.selectFrom("watchfloor.mutation").select("results").where("id", "=", id);
  return (await firstOf(mutation.where("author", "=", author)))?.results ?? null;
}

/** Deletes the answers of mutations that were refused as a whole and are older than `retentionMs`. */
export async function sweepRefusals({ kysely }: Database, retentionMs: number): Promise<void> {
  // As its index says it.
  const isRefused = sql<SqlBool>`not (results @> '[{"ok": true}]')`;
  const old = kysely.deleteFrom("watchfloor.mutation").where("at", "<", ago(retentionMs));
  await old.where(isRefused).execute();
}
