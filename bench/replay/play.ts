import { setTimeout as sleep } from "node:timers/promises";
import {
  connect,
  type Saved,
  type Watchfloor,
  WatchfloorError,
} from "../../client/package/index.ts";
import type { Values } from "../../shared/model/model.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { LogRow } from "./incident-log.ts";
import type { PreparedReplay } from "./prepare-replay.ts";

export interface PlayOptions {
  /** Servers that writers are spread over. */
  urls: readonly string[];
  /** Updates in flight at most; each author is a program of their own, by the client package. */
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
  /** By its place in the log of the table: the expected author of each change. */
  expected: Map<number, string>;
}

/**
 * Replays the log in order of time. An update waits for the previous one of the same incident, which its
 * author saw; any other may be in flight beside it.
 */
export async function play(
  { authors, log }: PreparedReplay,
  { urls, writers, speed, onProgress, opOf = plainOp, onRefused }: PlayOptions,
): Promise<Played> {
  const programs = new Programs();
  await programs.connect(authors, urls);
  const before = previousRows(log);
  const done = new Map<LogRow, Promise<void>>();
  const latencies: number[] = [];
  const expected = new Map<number, string>();
  const started = performance.now();
  const dueIn = (row: LogRow) =>
    speed === 0 ? 0 : (row.at - (log[0]?.at ?? 0)) / speed - (performance.now() - started);
  const send = async (row: LogRow) => {
    const previous = before.get(row);
    if (previous) await done.get(previous);
    const { op, isChange } = opOf(row, previous);
    const program = programs.of(row.author);
    const sent = performance.now();
    try {
      const { seq } = await save(program, op);
      if (isChange) expected.set(seq, program.user.id);
    } catch (error) {
      if (!(error instanceof WatchfloorError && onRefused)) {
        throw new Error(`line ${row.line}: ${String(error)}`, { cause: error });
      }
      onRefused(row, error);
    }
    latencies.push(performance.now() - sent);
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
    await programs.close();
  }
  return { seconds: (performance.now() - started) / 1_000, latencies, expected };
}

/** The programs of the authors. */
class Programs {
  readonly #connected = new Map<string, Watchfloor>();

  async connect(authors: PreparedReplay["authors"], urls: readonly string[]): Promise<void> {
    const connecting = [...authors].map(async ([author, { token }], index) => {
      const url = urls[index % urls.length] as string;
      this.#connected.set(author, await connect({ url, token }));
    });
    await Promise.all(connecting);
  }

  of(author: string): Watchfloor {
    return this.#connected.get(author) as Watchfloor;
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#connected.values()].map((program) => program.close()));
  }
}

function save(program: Watchfloor, op: WireOp): Promise<Saved> {
  const table = program.table(op.table);
  if (op.op === "create") return table.create(op.values, op.record);
  if (op.op !== "update" && op.op !== "transition") throw new Error(`A log has no ${op.op}.`);
  const seen = { id: op.record, values: op.base ?? {} };
  if (op.op === "update") return table.update(seen, op.set);
  const { from, set, reason } = op;
  const step = { from, ...(set && { set }), ...(reason !== undefined && { reason }) };
  return table.transition(seen, op.transition, step);
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
