import { englishOnly } from "../../shared/error-texts/explain.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { found, Refusal } from "../../shared/protocol/errors.ts";
import { parseVersion } from "../../shared/protocol/position.ts";
import type { ChangesAfter } from "../../shared/protocol/tables.ts";
import { readableHistory } from "../policy/authorize.ts";
import { compileScope } from "../policy/compiled-scope.ts";
import { projectChange } from "../policy/project-change.ts";
import { holdsPosition, readFeedStates, readLogStart, readSpan } from "../store/feed-log.ts";
import type { FeedState } from "../store/log-change.ts";
import { readableNow } from "./read-activity.ts";
import type { ReadDeps } from "./read-page.ts";

/**
 * The log of a table in the reader's scope, after a position `epoch.seq`; without one, from the oldest change it
 * holds. Earlier epochs are part of it: this reads history and replays nothing. Of records that the reader can't read now,
 * as of the activity, it says only that they left the scope.
 */
export async function readChanges(
  { database, model, limits }: ReadDeps,
  subject: Subject,
  call: { table: string; after?: string | undefined; limit?: number | undefined },
): Promise<ChangesAfter> {
  const { table, scope } = readableHistory(subject, model(), call.table);
  const states = await readFeedStates(database);
  const feed = found(states.find((state) => state.table === table.name));
  const after = await startOf(database, call.after, feed);
  const limit = Math.min(call.limit ?? limits.PAGE_DEFAULT_RECORDS, limits.REPLAY_MAX_CHANGES);
  const span = await readSpan(database, table.name, after, limit, limits.PAGE_MAX_BYTES);
  const compiled = compileScope(scope, table);
  const changes = (span?.changes ?? [])
    .map((change) => projectChange(change, compiled))
    .filter((change) => change !== null);
  const ids = [...new Set(changes.map(({ record }) => record))];
  const readable = await readableNow({ database }, { table, scope }, ids);
  const items = changes.filter(({ kind, record }) => kind === "delete" || readable.has(record));
  return { items, total: items.length, epoch: feed.epoch, seq: span?.to ?? after, head: feed.head };
}

async function startOf(
  database: ReadDeps["database"],
  after: string | undefined,
  { table, epoch }: FeedState,
): Promise<number> {
  const oldest = await readLogStart(database, table);
  if (after === undefined) return oldest;
  const position = parseVersion(after);
  if (!position)
    throw new Refusal("invalid_request", { at: "after" }, englishOnly("after is `epoch.seq`."));
  if (position.seq < oldest || !(await holdsPosition(database, table, position))) {
    throw new Refusal("resync_required", { epoch, floor: oldest });
  }
  return position.seq;
}
