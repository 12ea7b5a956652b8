import { isDeepStrictEqual } from "node:util";
import { identify } from "../auth/authenticate.ts";
import type { Db } from "../store/database.ts";
import { within } from "../store/in-time.ts";
import type { CommitDeps, Unit } from "./commit-group.ts";
import { mutationOf } from "./mutate.ts";
import type { Mutation } from "./op.ts";

/** The mutations of other authors wait for the look-up. */
const LOOK_UP_TIMEOUT_MS = 1_000;

/** Whether the author of a mutation has the name and the rights under which it was sent. False if that can't be read in time. */
export function isAsSent(db: Db, { author, subject }: Mutation): Promise<boolean> {
  const compare = async () => {
    const found = await identify(db, author);
    const now = found && mutationOf(found, { ops: [] });
    return now !== null && isDeepStrictEqual([now.author, now.subject], [author, subject]);
  };
  return within(compare(), LOOK_UP_TIMEOUT_MS, false).catch(() => false);
}

/** Whether a mutation may be committed: rights that may have changed since it was sent are looked up. */
export async function mayCommit(
  unit: Unit,
  { isAsSent }: Pick<CommitDeps, "isAsSent">,
): Promise<boolean> {
  while (unit.isStale) {
    // A change during the look-up sets it again.
    unit.isStale = false;
    if (!(await isAsSent(unit.mutation))) return false;
  }
  return true;
}
