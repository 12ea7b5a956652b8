import type { Limits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import { scopeOf } from "../../shared/policy/scope.ts";
import type {
  ErrorCount,
  NodeStatus,
  SlowStatement,
  SystemInfo,
} from "../../shared/protocol/system.ts";
import { hasRight } from "../auth/require-right.ts";
import { readScheduledBackup } from "../store/backup/scheduled-backup.ts";
import { countTablesOff } from "../store/capture-check.ts";
import type { Database } from "../store/database.ts";
import { readMailState } from "../store/deliveries.ts";
import { readFeedStates } from "../store/feed-log.ts";
import { readStoreState } from "../store/store-state.ts";

interface SystemDeps {
  database: Database;
  model: () => Model;
  version: string;
  limits: Pick<Limits, "BACKUP_INTERVAL_MS">;
  isBackupScheduled: boolean;
  mailOff: SystemInfo["mail"]["off"];
  messages: () => SystemInfo["messages"];
  /** The servers; this one first. */
  nodes: () => Promise<NodeStatus[]>;
}

const SLOW_MAX = 20;

/** The state of the installation as a caller with the right `system` may see it. */
export async function readSystem(deps: SystemDeps, subject: Subject): Promise<SystemInfo> {
  const { database, model, version } = deps;
  const [nodes, tablesOff, state, feeds, backup, mail] = await Promise.all([
    deps.nodes(),
    countTablesOff(database.kysely),
    readStoreState(database.kysely),
    readFeedStates(database),
    readBackup(deps),
    readMailState(database.kysely),
  ]);
  const { openDeliveries, failedDeliveries, pausedWebhooks, applyingChangeSets, ...facts } = state;
  const mayReadModel = hasRight(subject, "model");
  const readable = model().tables.flatMap((table) => {
    const { name, label } = table;
    const feed = feeds.find((one) => one.table === name);
    if (!feed || !(mayReadModel || scopeOf(subject, table))) return [];
    const lag = Math.max(0, ...nodes.map((node) => node.lag[name] ?? 0));
    return [{ table: name, label, head: feed.head, retained: feed.head - feed.floor, lag }];
  });
  const slow = mergeSlow(nodes.flatMap((node) => node.slow)).slice(0, SLOW_MAX);
  return {
    version,
    now: new Date().toISOString(),
    modelVersion: model().version,
    nodes: nodes.map(({ lag, errors: _, slow: __, ...node }, index) => ({
      ...node,
      isThis: index === 0,
      lag: sum(Object.values(lag)),
    })),
    messages: deps.messages(),
    feeds: readable,
    otherFeeds: feeds.length - readable.length,
    database: { ...facts, tablesOff },
    queues: {
      waitingMutations: sum(nodes.map((node) => node.waitingMutations)),
      ...{ openDeliveries, failedDeliveries, pausedWebhooks, applyingChangeSets },
    },
    // A text names tables and columns, which the caller may not know of.
    slow: mayReadModel ? slow : slow.map((statement) => ({ ...statement, text: null })),
    errors: mergeErrors(nodes.flatMap((node) => node.errors)),
    backup,
    mail: { off: deps.mailOff, ...mail },
  };
}

async function readBackup({
  database,
  limits,
  isBackupScheduled,
}: SystemDeps): Promise<SystemInfo["backup"]> {
  const last = await readScheduledBackup(database.kysely);
  if (!isBackupScheduled && last === null) return null;
  const { succeededAt = null, seconds = null, bytes = null, failed = false } = last ?? {};
  const at = succeededAt === null ? null : succeededAt * 1_000;
  return {
    succeededAt: at === null ? null : new Date(at).toISOString(),
    seconds,
    bytes,
    failed,
    isOverdue: at !== null && Date.now() - at > 2 * limits.BACKUP_INTERVAL_MS,
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** The statements of all servers, those that took most time in all first. */
function mergeSlow(all: readonly SlowStatement[]): SlowStatement[] {
  const merged = new Map<string, SlowStatement>();
  for (const one of all) {
    const before = merged.get(one.text);
    const calls = one.calls + (before?.calls ?? 0);
    const totalMs = one.calls * one.meanMs + (before ? before.calls * before.meanMs : 0);
    const maxMs = Math.max(one.maxMs, before?.maxMs ?? 0);
    merged.set(one.text, { text: one.text, calls, meanMs: Math.round(totalMs / calls), maxMs });
  }
  return [...merged.values()].sort((a, b) => b.calls * b.meanMs - a.calls * a.meanMs);
}

function mergeErrors(all: readonly ErrorCount[]): ErrorCount[] {
  const merged = new Map<string, ErrorCount>();
  for (const { code, count, lastAt } of all) {
    const before = merged.get(code);
    merged.set(code, {
      code,
      count: count + (before?.count ?? 0),
      lastAt: before && before.lastAt > lastAt ? before.lastAt : lastAt,
    });
  }
  return [...merged.values()].sort((a, b) => b.count - a.count);
}
