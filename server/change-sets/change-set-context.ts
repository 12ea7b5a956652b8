import type { Limits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Identity } from "../auth/identity.ts";
import type { Commands } from "../commands/commands.ts";
import type { Database } from "../store/database.ts";

/** What change sets work on. */
export interface ChangeSetContext {
  database: Database;
  model: () => Model;
  limits: Limits;
  commands: Omit<Commands, "close">;
  /** The user or API token with current rights; null if they no longer have access. */
  identify: (author: { kind: string; id: string }) => Promise<Identity | null>;
  onError: (error: unknown) => void;
}
