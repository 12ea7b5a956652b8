import { findTable, type Table } from "../../shared/model/model.ts";
import { grantOn } from "../../shared/policy/role.ts";
import { type Subject, scopeOf } from "../../shared/policy/scope.ts";
import type { WireChange } from "../../shared/protocol/changes.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import { parseVersion } from "../../shared/protocol/position.ts";
import { requireHistory, requireScope } from "../policy/authorize.ts";
import { compileScope } from "../policy/compiled-scope.ts";
import { projectChange } from "../policy/project-change.ts";
import { readFeedStates, readSpan } from "../store/feed-log.ts";
import type { FeedState } from "../store/log-change.ts";
import type { ReadDeps } from "./read-page.ts";

export interface ChangesPage {
  items: WireChange[];
  total: number;
  epoch: string;
  /** Where to go on: everything up to here has been answered, visible or not. */
  seq: number;
  head: number;
}

/** The log of a table in the reader's scope, after a position `epoch.seq`; from its floor without one. */
export async function readChanges(
  { database, model, limits }: ReadDeps,
  subject: Subject,
  call: { table: string; after?: string | undefined; limit?: number | undefined },
): Promise<ChangesPage> {
  const table = findTable(model(), call.table) as Table;
  const scope = requireScope(subject, table);
  requireHistory(subject, table);
  const states = await readFeedStates(database);
  const feed = states.find((state) => state.table === table.name);
  if (!feed) throw new Refusal("not_found");
  const after = startOf(call.after, feed);
  const limit = Math.min(call.limit ?? limits.PAGE_DEFAULT_RECORDS, limits.REPLAY_MAX_CHANGES);
  const span = await readSpan(database, table.name, after, limit);
  const compiled = compileScope(scope, table);
  const items = (span?.changes ?? [])
    .map((change) => projectChange(change, compiled))
    .filter((change) => change !== null);
  return { items, total: items.length, epoch: feed.epoch, seq: span?.to ?? after, head: feed.head };
}

/** A change of some table, as a scope sees it. */
export type TableChange = WireChange & { table: string };

/** The newest changes of all tables whose history the reader may see, newest first. */
export async function readLatestChanges(
  { database, model, limits }: ReadDeps,
  subject: Subject,
  { limit = limits.PAGE_DEFAULT_RECORDS }: { limit?: number | undefined },
): Promise<{ items: TableChange[]; total: number }> {
  const wanted = Math.min(limit, limits.PAGE_MAX_RECORDS);
  const states = new Map((await readFeedStates(database)).map((state) => [state.table, state]));
  const found = await Promise.all(
    model().tables.map(async (table) => {
      const scope = scopeOf(subject, table);
      const feed = states.get(table.name);
      if (!scope || !feed || !grantOn(subject.role, table).history) return [];
      const after = Math.max(feed.floor, feed.head - wanted);
      const span = await readSpan(database, table.name, after, wanted);
      const compiled = compileScope(scope, table);
      return (span?.changes ?? []).flatMap((change) => {
        const seen = projectChange(change, compiled);
        return seen ? [{ table: table.name, ...seen }] : [];
      });
    }),
  );
  const items = found
    .flat()
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.seq - a.seq))
    .slice(0, wanted);
  return { items, total: items.length };
}

function startOf(after: string | undefined, feed: FeedState) {
  if (after === undefined) return feed.floor;
  const position = parseVersion(after);
  if (!position) throw new Refusal("invalid_request", { at: "after" }, "after is `epoch.seq`.");
  if (position.epoch !== feed.epoch || position.seq < feed.floor || position.seq > feed.head) {
    throw new Refusal("resync_required", { epoch: feed.epoch, floor: feed.floor });
  }
  return position.seq;
}
