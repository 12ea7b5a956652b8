import type { Logger } from "pino";
import type { Subject } from "../../shared/policy/scope.ts";
import type { SystemInfo } from "../../shared/protocol/system.ts";
import type { Config } from "../config/config.ts";
import type { Services } from "../create-services.ts";
import type { ClientConnections } from "../load/client-connections.ts";
import type { RateLimits } from "../load/rate-limits.ts";
import type { UnreadAnswers } from "../load/unread-answers.ts";
import type { ErrorCounts } from "../system/error-counts.ts";
import type { Gauges } from "./metrics.ts";

/** What the HTTP half receives from start-server.ts. */
export interface AppDeps
  extends Omit<Services, "bus" | "notifier" | "feedLog" | "relay" | "wallboardCache"> {
  config: Pick<Config, "limits" | "publicUrl" | "trustProxy" | "metricsToken">;
  log: Logger;
  /** Rate limits, over all servers. */
  rates: RateLimits;
  connections: Pick<ClientConnections, "authenticated">;
  answers: Pick<UnreadAnswers, "requireCapacity" | "count">;
  /** The product's version, for the description of the API. */
  version: string;
  /** Folder of the built client. If it does not exist, only the API is served. */
  clientDir: string;
  /** True once the server is stopping: `/readyz` fails from then on. */
  stopping: () => boolean;
  /** The checks of `/readyz`, by name. */
  checks: Readonly<Record<string, () => Promise<boolean>>>;
  gauges?: Gauges;
  /** The state of the installation, as a user with the right `system` may see it. */
  system: (subject: Subject) => Promise<SystemInfo>;
  /** Counts refused requests. */
  errors?: Pick<ErrorCounts, "note">;
  /** Whether answers and refusals are compared with the contract (see create-router.ts). */
  checksContract?: boolean;
}
