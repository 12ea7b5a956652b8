import { setTimeout as sleep } from "node:timers/promises";
import type { ApiSession } from "../load/api-session.ts";
import { inParallel } from "../load/in-parallel.ts";
import { Watcher } from "../load/watcher.ts";
import type { LogRow } from "./incident-log.ts";
import { type Played, type PlayOptions, play } from "./play.ts";
import { prepareReplay, withoutWorkflow } from "./prepare-replay.ts";
import { readAll, wrongInWatcher, wrongRecords } from "./verify.ts";

export interface ReplayOptions extends Omit<PlayOptions, "urls"> {
  owner: ApiSession;
  writerUrls: readonly string[];
  watcherUrls: readonly string[];
  watchers: number;
}

/** How a replay ended. Everything except the speed must be zero or empty. */
export interface ReplayResult extends Pick<Played, "seconds" | "latencies"> {
  incidents: number;
  authors: number;
  watchers: number;
  /** Changes that every watcher received. */
  changes: number;
  /** Milliseconds from the last acknowledgement until the last watcher had everything. */
  catchUpMs: number;
  wrong: string[];
  wrongAuthors: number;
  gaps: number;
  duplicates: number;
  resyncs: number;
}

const CATCH_UP_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
const LANES = 10;

/** Replays a log into the incidents of a server while others watch, and compares the results. */
export async function replay(
  log: readonly LogRow[],
  options: ReplayOptions,
): Promise<ReplayResult> {
  const { writerUrls, watcherUrls } = options;
  const owner = await withoutWorkflow(options.owner);
  const prepared = await prepareReplay(owner, log);
  const start = await readAll(owner, "incidents");
  const watchers = Array.from({ length: options.watchers }, (_, index) => {
    const url = watcherUrls[index % watcherUrls.length] as string;
    return new Watcher({ ...owner, url }, "incidents");
  });
  try {
    await inParallel(watchers, LANES, (watcher) => watcher.start());
    const played = await play(prepared, { ...options, urls: writerUrls });
    const { records, seq } = await readAll(owner, "incidents");
    const catchUpMs = await waitForCatchUp(watchers, seq);
    const wrong = wrongRecords(prepared.log, records);
    for (const watcher of watchers) {
      wrong.push(...(await wrongInWatcher(watcher, start.records, records)));
    }
    return {
      ...resultOf(watchers, played),
      incidents: new Set(log.map(({ incident }) => incident)).size,
      authors: prepared.authors.size,
      seconds: played.seconds,
      latencies: played.latencies,
      catchUpMs,
      wrong,
    };
  } finally {
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }
}

async function waitForCatchUp(watchers: readonly Watcher[], seq: number): Promise<number> {
  const startedAt = performance.now();
  while (watchers.some((watcher) => watcher.seq < seq)) {
    if (performance.now() - startedAt > CATCH_UP_TIMEOUT_MS) {
      const at = watchers.map((watcher) => watcher.seq).join(", ");
      throw new Error(`Watchers stand at ${at} while the log is at ${seq}.`);
    }
    await sleep(POLL_MS);
  }
  return performance.now() - startedAt;
}

function resultOf(watchers: readonly Watcher[], { expected }: Played) {
  const sum = (of: (watcher: Watcher) => number) => watchers.reduce((total, w) => total + of(w), 0);
  return {
    watchers: watchers.length,
    changes: expected.size,
    wrongAuthors: sum(({ audit }) => wrongAuthors(audit.changes.values(), expected)),
    gaps: sum(({ audit, session }) => audit.gaps + session.counters.holes),
    duplicates: sum(({ audit, session }) => audit.duplicates + session.counters.duplicates),
    resyncs: sum(({ audit, session }) => audit.resyncs + session.counters.resyncs),
  };
}

/** Each change of the log was received once, with its own author; anything else counts. */
function wrongAuthors(
  changes: Iterable<{ seq: number; by: { id: string } }>,
  expected: ReadonlyMap<number, string>,
): number {
  const missing = new Map(expected);
  let wrong = 0;
  for (const { seq, by } of changes) {
    if (missing.get(seq) === by.id) missing.delete(seq);
    else wrong += 1;
  }
  return wrong + missing.size;
}
