import type { SystemInfo } from "../../../../shared/protocol/system.ts";
import { systemMessages as messages } from "../../messages/en/system.ts";
import { formatAgo, formatBytes, formatCount } from "../../ui/numbers.ts";

/** What a disk holds. */
export const placeLabels = { data: messages.dataPlace, backups: messages.backupsPlace };

const GIB = 1024 ** 3;
const LAG_MAX = 1_000;
const CONNECTIONS_SHARE = 0.9;

/** What an operator should look at, the most urgent first. */
export function systemProblems(system: SystemInfo): string[] {
  return [
    ...diskProblems(system),
    ...serverProblems(system),
    ...backupProblems(system),
    ...queueProblems(system),
    ...mailProblems(system),
  ];
}

function diskProblems({ nodes }: SystemInfo): string[] {
  const low = nodes.flatMap(({ disks }) => disks.filter(({ freeBytes }) => freeBytes < GIB));
  return low.map(({ place, freeBytes }) =>
    messages.diskLow({ place: placeLabels[place](), free: formatBytes(freeBytes) }),
  );
}

function serverProblems({ nodes, messages: state, feeds, database }: SystemInfo): string[] {
  const { connections, maxConnections, tablesOff } = database;
  const behind = feeds.filter(({ lag }) => lag > LAG_MAX);
  return [
    ...(tablesOff > 0 ? [messages.triggersOff({ count: tablesOff })] : []),
    // Without Redis a server knows of no other, so the leader may be one that is not listed.
    ...(state === "degraded" ? [messages.degraded()] : leaderProblems(nodes)),
    ...(new Set(nodes.map(({ version }) => version)).size > 1 ? [messages.versionsDiffer()] : []),
    ...behind.map(({ label, lag }) => messages.behind({ table: label, count: lag })),
    ...(connections > maxConnections * CONNECTIONS_SHARE
      ? [
          messages.connectionsFull({
            used: formatCount(connections),
            max: formatCount(maxConnections),
          }),
        ]
      : []),
  ];
}

function leaderProblems(nodes: SystemInfo["nodes"]): string[] {
  return nodes.some(({ isLeader }) => isLeader) ? [] : [messages.noLeader()];
}

function backupProblems({ backup, now }: SystemInfo): string[] {
  if (backup === null) return [messages.noBackup()];
  if (backup.failed) return [messages.backupFailed()];
  if (!backup.isOverdue || backup.succeededAt === null) return [];
  return [messages.backupOverdue({ ago: formatAgo(backup.succeededAt, Date.parse(now)) })];
}

function mailProblems({ mail: { off, givenUp, recent } }: SystemInfo): string[] {
  const failing = recent.find(({ state, error }) => state === "retrying" && error !== "status");
  return [
    ...(off === "no_public_url" ? [messages.mailWithoutAddress()] : []),
    ...(failing ? [messages.mailUnreachable({ problem: failing.excerpt ?? "" })] : []),
    ...(givenUp > 0 ? [messages.mailsFailed({ count: givenUp })] : []),
  ];
}

function queueProblems({ queues: { failedDeliveries: count } }: SystemInfo): string[] {
  return count > 0 ? [messages.deliveriesFailed({ count })] : [];
}
