import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "../load/in-parallel.ts";
import type { Desk } from "../load/rest.ts";
import { Watcher } from "../load/watcher.ts";
import type { LogRow } from "./incident-log.ts";
import { type Played, type PlayOptions, play } from "./play.ts";
import { prepareDesk, withoutWorkflow } from "./prepare-desk.ts";
import { readAll, wrongInWatcher, wrongRecords } from "./verify.ts";

export interface ReplayOptions extends Omit<PlayOptions, "urls"> {
  owner: Desk;
  writerUrls: readonly string[];
  watcherUrls: readonly string[];
  watchers: number;
}

/** How a replay ended. All but the figures of speed must be zero or empty. */
export interface ReplayResult extends Pick<Played, "seconds" | "latencies"> {
  incidents: number;
  authors: number;
  watchers: number;
  /** Changes that every watcher was told. */
  changes: number;
  /** Milliseconds from the last acknowledgement until the last watcher had everything. */
  settleMs: number;
  wrong: string[];
  wrongAuthors: number;
  gaps: number;
  duplicates: number;
  resyncs: number;
}

const SETTLE_WITHIN_MS = 60_000;
const POLL_MS = 20;
const LANES = 10;

/** Plays a log into the incidents of a server while others watch, and compares everybody's end. */
export async function replay(
  log: readonly LogRow[],
  options: ReplayOptions,
): Promise<ReplayResult> {
  const { writerUrls, watcherUrls } = options;
  const owner = await withoutWorkflow(options.owner);
  const desk = await prepareDesk(owner, log);
  const start = await readAll(owner, "incidents");
  const watchers = Array.from({ length: options.watchers }, (_, index) => {
    const url = watcherUrls[index % watcherUrls.length] as string;
    return new Watcher({ ...owner, url }, "incidents");
  });
  try {
    await inParallel(watchers, LANES, (watcher) => watcher.start());
    const played = await play(desk, { ...options, urls: writerUrls });
    const { records, seq } = await readAll(owner, "incidents");
    const settleMs = await settled(watchers, seq);
    const wrong = wrongRecords(desk.log, records);
    for (const watcher of watchers) {
      wrong.push(...(await wrongInWatcher(watcher, start.records, records)));
    }
    return {
      ...figures(watchers, played),
      incidents: new Set(log.map(({ incident }) => incident)).size,
      authors: desk.authors.size,
      seconds: played.seconds,
      latencies: played.latencies,
      settleMs,
      wrong,
    };
  } finally {
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }
}

async function settled(watchers: readonly Watcher[], seq: number): Promise<number> {
  const began = performance.now();
  while (watchers.some((watcher) => watcher.seq < seq)) {
    if (performance.now() - began > SETTLE_WITHIN_MS) {
      const at = watchers.map((watcher) => watcher.seq).join(", ");
      throw new Error(`Watchers stand at ${at} while the log is at ${seq}.`);
    }
    await sleep(POLL_MS);
  }
  return performance.now() - began;
}

function figures(watchers: readonly Watcher[], { expected }: Played) {
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

/** Each change of the log was told once, by its own author; anything else counts. */
function wrongAuthors(
  changes: Iterable<{ mutation?: string | undefined; by: { id: string } }>,
  expected: ReadonlyMap<string, string>,
): number {
  const missing = new Map(expected);
  let wrong = 0;
  for (const { mutation = "", by } of changes) {
    if (missing.get(mutation) === by.id) missing.delete(mutation);
    else wrong += 1;
  }
  return wrong + missing.size;
}
