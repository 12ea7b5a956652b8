import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { NodeStatus } from "../../shared/protocol/system.ts";
import { version } from "../config/version.ts";
import type { ScheduledBackup } from "../store/backup/scheduled-backup.ts";
import { LOOP_RESOLUTION_MS } from "../system/event-loop-delay.ts";
import type { TileMetrics } from "../tiles/engine/evaluator-deps.ts";

/** Values of other modules for Prometheus; each is called when `/metrics` is read. */
export interface Gauges {
  /** Open sockets of this process. */
  sockets?: () => number;
  /** What this process evaluates for wallboards and dashboards, counted since it started. */
  tiles?: () => TileMetrics;
  /** Messages from the bus that this process dropped, by reason, counted since it started. */
  busRejected?: () => Readonly<Record<string, number>>;
  /** Per table, how many changes of the log this process has not yet sent out. */
  feedLag?: () => Promise<Readonly<Record<string, number>>>;
  /** The last scheduled backup of the installation; null: there was none. */
  backup?: () => Promise<ScheduledBackup | null>;
  /** Whether this process leads: it reads the log for all, delivers webhooks and makes backups. */
  isLeader?: () => boolean;
  /** Edits that were accepted and not answered yet. */
  waitingMutations?: () => number;
  /** The disks that this process writes to. */
  disks?: () => Promise<NodeStatus["disks"]>;
  /** Refused requests, calls and handshakes by error code, counted since this process started. */
  errors?: () => Readonly<Record<string, number>>;
  /** Deliveries of webhooks that are due or will be repeated, of the whole installation. */
  openDeliveries?: () => Promise<number>;
  /** Per table, records that were found changed without a log entry, counted since this process started. */
  bypassed?: () => Readonly<Record<string, number>>;
}

export interface Metrics {
  /** One answered request. `route` is a template, never a path: paths are unlimited. */
  observe: (seconds: number, labels: { method: string; route: string; status: number }) => void;
  /** The page in Prometheus' text form. */
  text: () => Promise<string>;
  contentType: string;
}

/** The metrics of this process in a registry of its own, so that two servers can run in one test. */
export function createMetrics(gauges: Gauges): Metrics {
  const register = new Registry();
  collectDefaultMetrics({
    register,
    prefix: "watchfloor_",
    eventLoopMonitoringPrecision: LOOP_RESOLUTION_MS,
  });
  const requests = new Histogram({
    name: "watchfloor_http_request_duration_seconds",
    help: "Time from the request to the end of its answer.",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [register],
  });
  addGauges(register, gauges);
  addNode(register, gauges);
  addTiles(register, gauges);
  addBus(register, gauges);
  addBypassed(register, gauges);
  addBackup(register, gauges);
  return {
    observe: (seconds, labels) => requests.observe(labels, seconds),
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}

function addGauges(register: Registry, { sockets, feedLag }: Gauges): void {
  new Gauge({
    name: "watchfloor_sockets",
    help: "Open sockets of this process.",
    registers: [register],
    collect() {
      this.set(sockets?.() ?? 0);
    },
  });
  new Gauge({
    name: "watchfloor_feed_lag_changes",
    help: "Changes in the log that this process has not yet sent out.",
    labelNames: ["table"],
    registers: [register],
    async collect() {
      // With the store away the value is unknown, and no value is better than an old one.
      const lags = await feedLag?.().catch((): Record<string, number> => ({}));
      this.reset();
      for (const [table, lag] of Object.entries(lags ?? {})) this.set({ table }, lag);
    },
  });
}

function addNode(register: Registry, gauges: Gauges): void {
  const { isLeader, waitingMutations, disks, errors, openDeliveries } = gauges;
  const registers = [register];
  new Gauge({
    name: "watchfloor_build_info",
    help: "Always 1; the label is the version of this process.",
    labelNames: ["version"],
    registers,
  }).set({ version }, 1);
  new Gauge({
    name: "watchfloor_leader",
    help: "1 if this process leads: it reads the log for all, delivers webhooks and makes backups.",
    registers,
    collect() {
      this.set(Number(isLeader?.() ?? false));
    },
  });
  new Gauge({
    name: "watchfloor_mutations_waiting",
    help: "Edits that were accepted and not answered yet.",
    registers,
    collect() {
      this.set(waitingMutations?.() ?? 0);
    },
  });
  new Gauge({
    name: "watchfloor_disk_free_bytes",
    help: "Free space where this process writes: the embedded database (data), scheduled backups (backups).",
    labelNames: ["place"],
    registers,
    async collect() {
      const found = (await disks?.()) ?? [];
      this.reset();
      for (const { place, freeBytes } of found) this.set({ place }, freeBytes);
    },
  });
  new Gauge({
    name: "watchfloor_webhook_deliveries_open",
    help: "Deliveries of webhooks that are due or will be repeated, of the whole installation.",
    registers,
    async collect() {
      const open = await openDeliveries?.().catch(() => undefined);
      this.reset();
      // With the store away the value is unknown.
      if (open === undefined) this.remove();
      else this.set(open);
    },
  });
  addCounts(register, errors, {
    name: "watchfloor_errors_total",
    help: "Requests, calls and handshakes that were refused, by error code.",
    label: "code",
  });
}

const tileCounters = {
  queries: ["watchfloor_tile_queries_total", "Queries of tiles."],
  verified: [
    "watchfloor_tile_verified_total",
    "Values updated from changes that were compared with the database.",
  ],
  mismatches: [
    "watchfloor_tile_mismatches_total",
    "Values that differed from the database: must stay 0.",
  ],
  failures: [
    "watchfloor_tile_failures_total",
    "Queries of tiles that the database did not answer.",
  ],
  rounds: ["watchfloor_tile_rounds_total", "Evaluations of tiles."],
  seconds: ["watchfloor_tile_seconds_total", "Time that these evaluations took."],
  frames: ["watchfloor_tile_frames_total", "Frames composed, however many screens show them."],
} as const;

function addTiles(register: Registry, { tiles }: Gauges): void {
  for (const [key, [name, help]] of Object.entries(tileCounters)) {
    new Counter({
      name,
      help,
      registers: [register],
      collect() {
        this.reset();
        this.inc(tiles?.()[key as keyof typeof tileCounters] ?? 0);
      },
    });
  }
  for (const [key, name, help] of [
    ["wallboards", "boards", "Distinct wallboards that this process evaluates."],
    [
      "distinctQueries",
      "distinct_queries",
      "Distinct queries that this process evaluates for wallboards.",
    ],
  ] as const) {
    new Gauge({
      name: `watchfloor_tile_${name}`,
      help,
      registers: [register],
      collect() {
        this.set(tiles?.()[key] ?? 0);
      },
    });
  }
}

function addBus(register: Registry, { busRejected }: Gauges): void {
  addCounts(register, busRejected, {
    name: "watchfloor_bus_rejected_total",
    help: "Messages on the bus that were forged, replayed or malformed, and dropped.",
    label: "reason",
  });
}

function addBypassed(register: Registry, { bypassed }: Gauges): void {
  addCounts(register, bypassed, {
    name: "watchfloor_bypassed_changes_total",
    help: "Records that were found changed without an entry in the change log: must stay 0.",
    label: "table",
  });
}

const backupGauges: Record<string, [help: string, of: (last: ScheduledBackup) => number | null]> = {
  watchfloor_backup_last_success_timestamp_seconds: [
    "When the last scheduled backup of the installation was made.",
    ({ succeededAt }) => succeededAt,
  ],
  watchfloor_backup_last_duration_seconds: ["How long that took.", ({ seconds }) => seconds],
  watchfloor_backup_last_size_bytes: ["The size of its file.", ({ bytes }) => bytes],
  watchfloor_backup_failed: ["1 if the last attempt failed.", ({ failed }) => Number(failed)],
};

function addBackup(register: Registry, { backup }: Gauges): void {
  for (const [name, [help, of]] of Object.entries(backupGauges)) {
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        const last = await backup?.().catch(() => null);
        const value = last ? of(last) : null;
        this.reset();
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }
}

function addCounts(
  register: Registry,
  counts: (() => Readonly<Record<string, number>>) | undefined,
  { name, help, label }: { name: string; help: string; label: string },
): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [register],
    collect() {
      this.reset();
      for (const [key, count] of Object.entries(counts?.() ?? {}))
        this.inc({ [label]: key }, count);
    },
  });
}
