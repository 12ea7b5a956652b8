import type { Client } from "pg";
import { until } from "../../../e2e/harness/until.ts";

/** A statement of another transaction: text and values. */
export type Statement = [text: string, values: unknown[]];

const WAITS_WITHIN_MS = 30_000;

/**
 * A change in flight while a call arrives: its transaction is held open until the call waits for it, or is
 * answered without, and only then committed, after the remaining statements. `watcher` is another connection.
 */
export async function inFlight<T>(
  { program, watcher }: { program: Client; watcher: Client },
  change: readonly Statement[],
  call: () => Promise<T>,
  rest: readonly Statement[] = [],
): Promise<T> {
  const {
    rows: [holder],
  } = await program.query("select pg_backend_pid() as pid");
  await program.query("begin");
  for (const [text, values] of change) await program.query(text, values);
  let answered = false;
  const answer = call().finally(() => {
    answered = true;
  });
  const waiting = "select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))";
  await until("the call waits", WAITS_WITHIN_MS, async () => {
    return answered || (await watcher.query(waiting, [holder.pid])).rows.length > 0;
  });
  for (const [text, values] of rest) await program.query(text, values);
  await program.query("commit");
  return answer;
}
