import type { Logger } from "pino";
import type { Model } from "../../shared/model/model.ts";
import type { Auth } from "../auth/create-auth.ts";
import type { RateLimits } from "../auth/rate-limits.ts";
import type { ChangeSets } from "../change-sets/change-sets.ts";
import type { Commands } from "../commands/create-commands.ts";
import type { Config } from "../config/config.ts";
import type { Displays } from "../displays/create-displays.ts";
import type { Models } from "../model/create-models.ts";
import type { BoardCommands } from "../tiles/boards/board-commands.ts";
import type { Views } from "../views/views.ts";
import type { Gauges } from "./metrics.ts";

/** What the HTTP half is given by main.ts. */
export interface AppDeps {
  config: Pick<Config, "limits" | "publicUrl" | "trustProxy" | "metricsToken">;
  log: Logger;
  auth: Auth;
  displays: Displays;
  /** How often one may call, over all servers. */
  rates: RateLimits;
  /** What may be asked of records. */
  commands: Omit<Commands, "close">;
  /** The model in force; before set-up an empty one. */
  model: () => Model;
  /** Its versions, and putting another in force. */
  models: Models;
  /** What may be asked of change sets. */
  changeSets: Omit<ChangeSets, "start">;
  /** What may be asked of views. */
  views: Views;
  /** What may be asked of wallboards. */
  wallboards: BoardCommands;
  /** The product's version, for the description of the API. */
  version: string;
  /** Folder of the built client; may not exist, then only the API is served. */
  clientDir: string;
  /** True from the moment the server is told to stop: `/readyz` says no from then on. */
  stopping: () => boolean;
  /** What `/readyz` asks, by name. */
  checks: Readonly<Record<string, () => Promise<boolean>>>;
  gauges?: Gauges;
  /** Whether answers and refusals are compared with the contract (see create-router.ts). */
  checksContract?: boolean;
}
