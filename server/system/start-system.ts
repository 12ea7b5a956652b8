import type { Logger } from "pino";
import type { Model } from "../../shared/model/model.ts";
import type { Subject } from "../../shared/policy/scope.ts";
import type { SystemInfo } from "../../shared/protocol/system.ts";
import { type Config, mailOff } from "../config/config.ts";
import { buildVersion } from "../config/version.ts";
import type { Bus } from "../relay/bus/bus.ts";
import type { Database } from "../store/database.ts";
import { NodeRegistry } from "./node-registry.ts";
import { createNodeStatus, type NodeStatusDeps } from "./node-status.ts";
import { readSystem } from "./read-system.ts";

export interface System {
  /** The state of the installation as a caller may see it. */
  read(subject: Subject): Promise<SystemInfo>;
  stop(): void;
}

/** Publishes the state of this server, and reads that of all. */
export function startSystem(
  deps: Omit<NodeStatusDeps, "config"> & {
    config: Pick<
      Config,
      | "port"
      | "databaseUrl"
      | "dataDir"
      | "backupDir"
      | "redisUrl"
      | "limits"
      | "smtp"
      | "publicUrl"
    >;
    database: Database;
    model: () => Model;
    bus: Bus;
    log: Pick<Logger, "warn">;
  },
): System {
  const { bus, config, database, model, log } = deps;
  const status = createNodeStatus(deps);
  const nodes = new NodeRegistry(bus, status.read, (err) =>
    log.warn({ err }, "this server's status could not be published"),
  );
  nodes.start(status.id);
  const messages = () => (config.redisUrl ? bus.state() : "alone");
  return {
    read: (subject) =>
      readSystem(
        {
          ...{ database, model, version: buildVersion, limits: config.limits, messages },
          isBackupScheduled: config.backupDir !== undefined,
          mailOff: mailOff(config),
          nodes: () => nodes.list(),
        },
        subject,
      ),
    stop() {
      nodes.stop();
      status.stop();
    },
  };
}
