import type { Subject } from "../../shared/policy/scope.ts";
import { Refusal } from "../../shared/protocol/errors.ts";
import type { QueryCall } from "../../shared/protocol/feed.ts";
import type { StoredPage } from "../store/pages.ts";
import { readIdBatches, readNamed } from "../store/records.ts";
import { type ReadDeps, readPage, readView } from "./read-page.ts";

/** Records of a view that are read at once: everybody else's edits wait for that. */
const MATCHING_CHUNK = 250;

interface Matching {
  max: number;
  /** Called with the records of each part, before the next part is read. */
  use: (records: StoredPage["records"]) => Promise<void>;
  /** Runs each read when it is its turn. */
  read: <Result>(part: () => Promise<Result>) => Promise<Result>;
  /** Runs each part when it may go on, and rests after it. */
  paced: <Result>(part: () => Promise<Result>) => Promise<{ result: Result }>;
}

/**
 * Reads all records of a view. The matching ids are read as of one moment, and the records behind them in parts: as they
 * are then, if they still match. Only one part is in memory. Between parts it holds no turn, connection or lock, so that
 * nobody waits for its rests. Throws `too_large` if there are more than `max`.
 */
export async function readMatching(
  deps: ReadDeps,
  subject: Subject,
  call: QueryCall,
  { max, use, read, paced }: Matching,
): Promise<void> {
  const view = () => readView(deps.model(), subject, call);
  const { result: ids } = await paced(() =>
    read(async () => {
      const { table, filter, sort } = view();
      const bounds = { size: MATCHING_CHUNK, max };
      const found = await readIdBatches(deps.database, table, { filter, sort, ...bounds });
      if (found.count <= max) return found.batches;
      const { total } = await readPage(deps, subject, { ...call, limit: 1 });
      throw new Refusal("too_large", { limit: max, size: Math.max(total, max + 1), unit: "ops" });
    }),
  );
  for (const batch of ids) {
    // Names are read anew: the model may have changed during a rest.
    const part = () => read(() => readNamed(deps.database, view(), JSON.parse(batch) as string[]));
    await use((await paced(part)).result);
  }
}
