import { expect, it } from "vitest";
import type { SystemInfo } from "../../../../shared/protocol/system.ts";
import { systemProblems } from "./system-problems.ts";

const now = "2026-01-10T00:00:00.000Z";
const healthy: SystemInfo = {
  version: "1.0.0",
  now,
  modelVersion: 1,
  nodes: [
    {
      id: "one",
      version: "1.0.0",
      host: "web-1:3000",
      startedAt: now,
      isLeader: true,
      isThis: true,
      connections: 1,
      waitingMutations: 0,
      memoryBytes: 1e8,
      loopDelayMs: 1,
      disks: [{ place: "data", freeBytes: 50e9, totalBytes: 100e9 }],
      lag: 0,
    },
  ],
  messages: "alone",
  feeds: [{ table: "t", label: "Tasks", head: 9, retained: 9, lag: 0 }],
  otherFeeds: 0,
  database: { version: "18.4", sizeBytes: 1e7, connections: 10, maxConnections: 100, tablesOff: 0 },
  queues: {
    waitingMutations: 0,
    openDeliveries: 0,
    failedDeliveries: 0,
    pausedWebhooks: 0,
    applyingChangeSets: 0,
  },
  slow: [],
  errors: [],
  mail: { off: null, open: 0, givenUp: 0, lastSentAt: null, recent: [] },
  backup: { succeededAt: now, seconds: 2, bytes: 1e6, failed: false, isOverdue: false },
};
const [node] = healthy.nodes as [SystemInfo["nodes"][number]];
const [feed] = healthy.feeds as [SystemInfo["feeds"][number]];
const backup = healthy.backup as NonNullable<SystemInfo["backup"]>;

it("finds nothing in a healthy installation", () => {
  expect(systemProblems(healthy)).toEqual([]);
});

it.each<[Partial<SystemInfo>, RegExp]>([
  [{ nodes: [{ ...node, isLeader: false }] }, /No server is the leader/],
  [{ nodes: [node, { ...node, id: "two", version: "1.1.0" }] }, /different versions/],
  [
    { nodes: [{ ...node, disks: [{ place: "backups", freeBytes: 5e8, totalBytes: 1e11 }] }] },
    /disk for backups has 500 MB left/,
  ],
  [{ messages: "degraded", nodes: [{ ...node, isLeader: false }] }, /Redis is unavailable/],
  [{ feeds: [{ ...feed, lag: 5_000 }] }, /Tasks is 5,?000 changes behind/],
  [{ database: { ...healthy.database, connections: 95 } }, /95 of 100 connections/],
  [{ database: { ...healthy.database, tablesOff: 2 } }, /Triggers of 2 tables are missing/],
  [{ backup: null }, /No backups are scheduled/],
  [{ backup: { ...backup, failed: true } }, /last scheduled backup failed/],
  [
    { backup: { ...backup, succeededAt: "2026-01-06T00:00:00.000Z", isOverdue: true } },
    /made 4 days ago/,
  ],
  [{ queues: { ...healthy.queues, failedDeliveries: 1 } }, /1 webhook delivery was given up/],
])("names what needs attention: %#", (change, problem) => {
  const problems = systemProblems({ ...healthy, ...change });
  expect(problems).toEqual([expect.stringMatching(problem)]);
});
