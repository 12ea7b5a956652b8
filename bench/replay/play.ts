import { setTimeout as sleep } from "node:timers/promises";
import type { Values } from "../../shared/model/model.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import { WriterLine } from "../load/writer-line.ts";
import type { LogRow } from "./incident-log.ts";
import type { PreparedReplay } from "./prepare-replay.ts";

export interface PlayOptions {
  /** Servers that writers are spread over. */
  urls: readonly string[];
  /** Updates in flight at most; each author has a socket of their own. */
  writers: number;
  /** How much faster than the log; 0 is as fast as it goes. */
  speed: number;
  onProgress?: (done: number, of: number) => void;
  /** How an update is sent; by default as a plain write of what changed. */
  opOf?: (row: LogRow, previous: LogRow | undefined) => SentOp;
  /** Receives a refusal; without it one ends the replay. */
  onRefused?: (row: LogRow, error: { code: string; message: string }) => void;
}

/** What is sent for a row, and whether it changes anything. */
export interface SentOp {
  op: WireOp;
  isChange: boolean;
}

export interface Played {
  seconds: number;
  /** Milliseconds from sending an update to its acknowledgement, one for each. */
  latencies: number[];
  /** By mutation id: the expected author, if it changed something. */
  expected: Map<string, string>;
}

/** The id of the mutation of a row of the log. */
const mutationOf = (row: LogRow): string => `replay-${row.line}`;

/**
 * Replays the log in order of time. An update waits for the previous one of the same incident, which its
 * author saw; any other may be in flight beside it.
 */
export async function play(
  { authors, log }: PreparedReplay,
  { urls, writers, speed, onProgress, opOf = plainOp, onRefused }: PlayOptions,
): Promise<Played> {
  const names = [...authors.keys()];
  const lines = new Map(
    names.map((name, index) => {
      const url = urls[index % urls.length] as string;
      return [name, new WriterLine(url, authors.get(name)?.token ?? "")];
    }),
  );
  const before = previousRows(log);
  const done = new Map<LogRow, Promise<void>>();
  const latencies: number[] = [];
  const expected = new Map<string, string>();
  const started = performance.now();
  const dueIn = (row: LogRow) =>
    speed === 0 ? 0 : (row.at - (log[0]?.at ?? 0)) / speed - (performance.now() - started);
  const send = async (row: LogRow) => {
    const previous = before.get(row);
    if (previous) await done.get(previous);
    const { op, isChange } = opOf(row, previous);
    if (isChange) expected.set(mutationOf(row), authors.get(row.author)?.id ?? "");
    const sent = performance.now();
    const [result] = await (lines.get(row.author) as WriterLine).mutate({
      id: mutationOf(row),
      ops: [op],
    });
    latencies.push(performance.now() - sent);
    if (!result?.ok) {
      if (!result || !onRefused) {
        throw new Error(`line ${row.line}: ${JSON.stringify(result?.error)}`);
      }
      onRefused(row, result.error);
    }
    onProgress?.(latencies.length, log.length);
  };
  let next = 0;
  const writer = async () => {
    while (next < log.length) {
      const row = log[next] as LogRow;
      next += 1;
      const wait = dueIn(row);
      const sending = (wait > 0 ? sleep(wait) : Promise.resolve()).then(() => send(row));
      done.set(row, sending);
      await sending;
    }
  };
  try {
    await Promise.all(Array.from({ length: writers }, writer));
  } finally {
    for (const line of lines.values()) line.close();
  }
  return { seconds: (performance.now() - started) / 1_000, latencies, expected };
}

function previousRows(log: readonly LogRow[]): Map<LogRow, LogRow> {
  const last = new Map<string, LogRow>();
  const before = new Map<LogRow, LogRow>();
  for (const row of log) {
    const previous = last.get(row.incident);
    if (previous) before.set(row, previous);
    last.set(row.incident, row);
  }
  return before;
}

/** The first row of an incident creates it; a later one writes what differs from what its author saw. */
function plainOp(row: LogRow, previous: LogRow | undefined): SentOp {
  const [table, record] = ["incidents", row.incident];
  if (!previous) return { op: { op: "create", table, record, values: row.values }, isChange: true };
  const changed = Object.keys(row.values).filter((n) => row.values[n] !== previous.values[n]);
  // An update without a change of stored fields is sent all the same, because its author saved it.
  const names = changed.length ? changed : ["state"];
  const op: WireOp = {
    op: "update",
    table,
    record,
    set: pick(row.values, names),
    base: pick(previous.values, names),
  };
  return { op, isChange: changed.length > 0 };
}

/** Some of the fields, empty ones included. */
export function pick(values: Values, names: readonly string[]): Values {
  return Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
}
