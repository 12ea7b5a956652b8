import type { Json } from "../../shared/filter/filter.ts";
import type { Database } from "./database.ts";
import type { FinalizedChange } from "./finalized-change.ts";
import type { Statement } from "./prepared-text.ts";

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

/** What every transaction needs besides its rows. */
export interface TransactionState {
  stored: StoredMutation[];
  feeds: FeedHead[];
  /** The version of the published model. */
  model: number;
}

/** Returns one row: which of these mutations were answered before, and the state of feeds and model. */
export function findStatement(keys: readonly MutationKey[]): Statement {
  return {
    name: "find-mutations",
    text: findText,
    values: [keys.map((key) => key.author), keys.map((key) => key.id)],
  };
}

const findText = `
  select coalesce((
      select json_agg(json_build_object('author', m.author, 'id', m.id, 'hash', m.hash,
        'results', m.results, 'changes', coalesce((
          select json_agg(s) from watchfloor.numbered(m.tx) s
          where s.mutation = m.id and s.actor = m.author), '[]'::json)))
      from unnest($1::text[], $2::text[]) k(author, id)
      join watchfloor.mutation m on m.author = k.author and m.id = k.id
    ), '[]'::json) as stored, (
      select coalesce(
        json_agg(json_build_object('table', f.table_name, 'epoch', f.epoch, 'head', f.head)),
        '[]'::json)
      from watchfloor.feed f where f.table_name is not null
    ) as feeds, (
      select coalesce(max(version), 0) from watchfloor.model
    ) as model`;

/** Deletes the answers of mutations that were refused as a whole and are older than `retentionMs`. */
export async function sweepRefusals({ pool }: Database, retentionMs: number): Promise<void> {
  await pool.query(
    `delete from watchfloor.mutation
     where at < now() - $1::interval and not (results @> '[{"ok": true}]')`,
    [`${Math.round(retentionMs)} milliseconds`],
  );
}
