import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { errorCatalogue } from "../../shared/protocol/errors.ts";
import type { NodeStatus } from "../../shared/protocol/system.ts";
import { buildVersion } from "../config/version.ts";
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
  /** Per table of the model, how often capture was found interrupted, counted since this process started. */
  interruptions?: () => Readonly<Record<string, number>>;
  /** Tables with triggers that are missing or disabled now, of the whole installation. */
  tablesOff?: () => Promise<number>;
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
  for (const measured of metrics) add(register, gauges, measured);
  return {
    observe: (seconds, labels) => requests.observe(labels, seconds),
    text: () => register.metrics(),
    contentType: register.contentType,
  };
}

type Measured = number | null | undefined | Readonly<Record<string, number>>;

/** Its name, its help, its value or, if it has a label, its values by that. Null: unknown. */
type MeasuredMetric = readonly [
  name: string,
  help: string,
  read: (gauges: Gauges) => Measured | Promise<Measured>,
  label?: string,
];

const ofTiles = (read: (tiles: TileMetrics) => number) => (gauges: Gauges) =>
  gauges.tiles ? read(gauges.tiles()) : 0;

const ofBackup = (read: (last: ScheduledBackup) => number | null) => async (gauges: Gauges) => {
  const last = await gauges.backup?.();
  return last ? read(last) : null;
};

/** A counter that first appears with 1 has not increased, and an alert on it would be silent. */
const noErrors = Object.fromEntries(Object.keys(errorCatalogue).map((code) => [code, 0]));

/** Those whose names end in `_total` are counted since this process started. */
const metrics: readonly MeasuredMetric[] = [
  ["watchfloor_sockets", "Open sockets of this process.", ({ sockets }) => sockets?.() ?? 0],
  [
    "watchfloor_feed_lag_changes",
    "Changes in the log that this process has not yet sent out.",
    ({ feedLag }) => feedLag?.(),
    "table",
  ],
  [
    "watchfloor_build_info",
    "Always 1; the label is the version of this process, with its commit.",
    () => ({ [buildVersion]: 1 }),
    "version",
  ],
  [
    "watchfloor_leader",
    "1 if this process leads: it reads the log for all, delivers webhooks and makes backups.",
    ({ isLeader }) => Number(isLeader?.() ?? false),
  ],
  [
    "watchfloor_mutations_waiting",
    "Edits that were accepted and not answered yet.",
    ({ waitingMutations }) => waitingMutations?.() ?? 0,
  ],
  [
    "watchfloor_disk_free_bytes",
    "Free space where this process writes: the embedded database (data), scheduled backups (backups).",
    async ({ disks }) =>
      Object.fromEntries(
        ((await disks?.()) ?? []).map(({ place, freeBytes }) => [place, freeBytes]),
      ),
    "place",
  ],
  [
    "watchfloor_webhook_deliveries_open",
    "Deliveries of webhooks that are due or will be repeated, of the whole installation.",
    ({ openDeliveries }) => openDeliveries?.(),
  ],
  [
    "watchfloor_errors_total",
    "Requests, calls and handshakes that were refused, by error code.",
    ({ errors }) => ({ ...noErrors, ...errors?.() }),
    "code",
  ],
  ["watchfloor_tile_queries_total", "Queries of tiles.", ofTiles(({ queries }) => queries)],
  [
    "watchfloor_tile_verified_total",
    "Values updated from changes that were compared with the database.",
    ofTiles(({ verified }) => verified),
  ],
  [
    "watchfloor_tile_mismatches_total",
    "Values that differed from the database: must stay 0.",
    ofTiles(({ mismatches }) => mismatches),
  ],
  [
    "watchfloor_tile_failures_total",
    "Queries of tiles that the database did not answer.",
    ofTiles(({ failures }) => failures),
  ],
  ["watchfloor_tile_rounds_total", "Evaluations of tiles.", ofTiles(({ rounds }) => rounds)],
  [
    "watchfloor_tile_seconds_total",
    "Time that these evaluations took.",
    ofTiles(({ seconds }) => seconds),
  ],
  [
    "watchfloor_tile_frames_total",
    "Frames composed, however many screens show them.",
    ofTiles(({ frames }) => frames),
  ],
  [
    "watchfloor_tile_boards",
    "Distinct wallboards that this process evaluates.",
    ofTiles(({ wallboards }) => wallboards),
  ],
  [
    "watchfloor_tile_distinct_queries",
    "Distinct queries that this process evaluates for wallboards.",
    ofTiles(({ distinctQueries }) => distinctQueries),
  ],
  [
    "watchfloor_bus_rejected_total",
    "Messages on the bus that were forged or malformed, and dropped.",
    ({ busRejected }) => busRejected?.(),
    "reason",
  ],
  [
    "watchfloor_triggers_off",
    "Tables with triggers that are missing or disabled, of the whole installation: must stay 0.",
    ({ tablesOff }) => tablesOff?.(),
  ],
  [
    "watchfloor_capture_interruptions_total",
    "How often the triggers of a table were found disabled, or enabled again: must stay 0.",
    ({ interruptions }) => interruptions?.(),
    "table",
  ],
  [
    "watchfloor_backup_last_success_timestamp_seconds",
    "When the last scheduled backup of the installation was made.",
    ofBackup(({ succeededAt }) => succeededAt),
  ],
  [
    "watchfloor_backup_last_duration_seconds",
    "How long that took.",
    ofBackup(({ seconds }) => seconds),
  ],
  ["watchfloor_backup_last_size_bytes", "The size of its file.", ofBackup(({ bytes }) => bytes)],
  [
    "watchfloor_backup_failed",
    "1 if the last attempt failed.",
    ofBackup(({ failed }) => Number(failed)),
  ],
];

function add(register: Registry, gauges: Gauges, [name, help, read, label]: MeasuredMetric): void {
  const Metric = (name.endsWith("_total") ? Counter : Gauge) as typeof Gauge;
  new Metric({
    name,
    help,
    labelNames: label === undefined ? [] : [label],
    registers: [register],
    async collect() {
      // With the store away the value is unknown, and no value is better than an old one.
      const found = await Promise.resolve(read(gauges)).catch(() => null);
      this.reset();
      if (typeof found === "number") this.inc(found);
      else if (label === undefined) this.remove();
      else
        for (const [key, value] of Object.entries(found ?? {})) this.inc({ [label]: key }, value);
    },
  });
}
