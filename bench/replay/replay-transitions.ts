import type { Table } from "../../shared/model/model.ts";
import { findTable } from "../../shared/model/model.ts";
import { governedBy } from "../../shared/model/state-of.ts";
import type { WireOp } from "../../shared/protocol/mutate.ts";
import type { ApiSession } from "../load/api-session.ts";
import type { LogRow } from "./incident-log.ts";
import { type PlayOptions, pick, play, type SentOp } from "./play.ts";
import { prepareReplay } from "./prepare-replay.ts";

/** The outcomes of the log's changes of state, each named "from → to". */
export interface TransitionsResult {
  /** As the log has them. */
  expected: Map<string, number>;
  /** Those that were run as transitions, according to the server's own log. */
  applied: Map<string, number>;
  refused: { line: number; change: string; code: string; message: string }[];
  /** Refused although no state changed: must stay empty. */
  otherRefusals: string[];
}

const BATCH_OPS = 500;
const REASON = "Reopened, as the log says.";

/**
 * Replays a log through the workflow: the owner imports each incident in its first state, then its authors
 * change it. What no transition allows is sent as a plain write, and refused with its reason.
 */
export async function replayTransitions(
  log: readonly LogRow[],
  owner: ApiSession,
  options: PlayOptions,
): Promise<TransitionsResult> {
  const table = findTable(owner.model, "incidents") as Table;
  const prepared = await prepareReplay(owner, log);
  await bringIn(owner, firstRows(prepared.log));
  const result: TransitionsResult = {
    expected: expectedTransitions(prepared.log),
    applied: new Map(),
    refused: [],
    otherRefusals: [],
  };
  const before = new Map<LogRow, LogRow | undefined>();
  await play(prepared, {
    ...options,
    opOf: (row, previous) => {
      before.set(row, previous);
      return transitionOp(table, row, previous);
    },
    onRefused: (row, { code, message }) => {
      const change = changeOf(row, before.get(row));
      const { line } = row;
      if (change) result.refused.push({ line, change, code, message });
      else result.otherRefusals.push(`line ${line}: ${code} ${message}`);
    },
  });
  result.applied = await transitionsInLog(owner, firstRows(prepared.log));
  return result;
}

function firstRows(log: readonly LogRow[]): LogRow[] {
  const first = new Map<string, LogRow>();
  for (const row of log) if (!first.has(row.incident)) first.set(row.incident, row);
  return [...first.values()];
}

async function bringIn(owner: ApiSession, rows: readonly LogRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_OPS) {
    const ops = rows.slice(from, from + BATCH_OPS).map(({ incident, values }) => ({
      op: "create" as const,
      table: "incidents",
      record: incident,
      values,
    }));
    const body = { id: `bring-in-${from}`, atomic: true, ops };
    const { results } = await owner.call("POST /mutations", { body });
    if (!results.every(({ ok }) => ok)) throw new Error(JSON.stringify(results.slice(0, 3)));
  }
}

function changeOf(row: LogRow, previous: LogRow | undefined): string | null {
  if (!previous || row.values.state === previous.values.state) return null;
  return `${previous.values.state} → ${row.values.state}`;
}

function expectedTransitions(log: readonly LogRow[]): Map<string, number> {
  const last = new Map<string, LogRow>();
  const counts = new Map<string, number>();
  for (const row of log) {
    const change = changeOf(row, last.get(row.incident));
    if (change) counts.set(change, (counts.get(change) ?? 0) + 1);
    last.set(row.incident, row);
  }
  return counts;
}

/**
 * The incident exists already with its first row's values; a later row writes what differs, or runs a
 * transition.
 */
function transitionOp(table: Table, row: LogRow, previous: LogRow | undefined): SentOp {
  const at = { table: table.name, record: row.incident } as const;
  const previousValues = (previous ?? row).values;
  const changed = Object.keys(row.values).filter(
    (name) => row.values[name] !== previousValues[name],
  );
  const names = changed.length ? changed : ["category"];
  const set = pick(row.values, names);
  const plain: WireOp = { op: "update", ...at, set, base: pick(previousValues, names) };
  const from = String(previousValues.state);
  const transition = governedBy(table)?.workflow.transitions.find(
    (one) => one.to === set.state && one.from.includes(from),
  );
  if (!transition) return { op: plain, isChange: changed.length > 0 };
  const filled = changed.filter((name) => name !== "state" && !(name in (transition.sets ?? {})));
  const op: WireOp = {
    op: "transition",
    ...at,
    transition: transition.name,
    from,
    set: pick(row.values, filled),
    base: pick(previousValues, filled),
    ...(transition.reason ? { reason: REASON } : {}),
  };
  return { op, isChange: true };
}

/** Counts the changes of state that the server's log holds, each of which must name its transition. */
async function transitionsInLog(
  owner: ApiSession,
  first: readonly LogRow[],
): Promise<Map<string, number>> {
  const state = new Map(first.map(({ incident, values }) => [incident, String(values.state)]));
  const counts = new Map<string, number>();
  for (let after = "start"; ; ) {
    const query = { table: "incidents", limit: 1_000, after };
    const page = await owner.call("GET /changes", { query });
    if (!("seq" in page)) throw new Error("The changes of a table have no position.");
    for (const { record, kind, set, transition } of page.items) {
      if (kind !== "update" || set.state === undefined || !state.has(record)) continue;
      const suffix = transition ? "" : " without a transition";
      const change = `${state.get(record)} → ${set.state}${suffix}`;
      state.set(record, String(set.state));
      counts.set(change, (counts.get(change) ?? 0) + 1);
    }
    after = `${page.epoch}.${page.seq}`;
    if (page.seq >= page.head) return counts;
  }
}
