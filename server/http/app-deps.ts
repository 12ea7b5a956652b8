import type { Logger } from "pino";
import type { Subject } from "../../shared/policy/scope.ts";
import type { SystemInfo } from "../../shared/protocol/system.ts";
import type { Auth } from "../auth/create-auth.ts";
import type { RateLimits } from "../auth/rate-limits.ts";
import type { ChangeSets } from "../change-sets/change-sets.ts";
import type { Commands } from "../commands/create-commands.ts";
import type { Comments } from "../comments/comment-access.ts";
import type { Config } from "../config/config.ts";
import type { Displays } from "../displays/create-displays.ts";
import type { Models } from "../model/save-model.ts";
import type { Context } from "../store/published-model.ts";
import type { ErrorCounts } from "../system/error-counts.ts";
import type { Wallboards } from "../tiles/wallboards/wallboard-commands.ts";
import type { Webhooks } from "../webhooks/create-webhooks.ts";
import type { Gauges } from "./metrics.ts";

/** What the HTTP half receives from start-server.ts. */
export interface AppDeps extends Context {
  config: Pick<Config, "limits" | "publicUrl" | "trustProxy" | "metricsToken">;
  log: Logger;
  auth: Auth;
  displays: Displays;
  /** Rate limits, over all servers. */
  rates: RateLimits;
  /** The commands on records. */
  commands: Omit<Commands, "close">;
  models: Models;
  /** The commands on change sets. */
  changeSets: Omit<ChangeSets, "start">;
  comments: Comments;
  wallboards: Wallboards;
  webhooks: Webhooks;
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
