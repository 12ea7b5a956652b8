import type { Limits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Identity } from "../auth/identity.ts";
import type { SecretBox } from "../auth/secret-box.ts";
import type { Database } from "../store/database.ts";

/** What the parts of this module need of the others. */
export interface WebhookDeps {
  database: Database;
  model: () => Model;
  /** Loads the newest version of the model. */
  refreshModel: () => Promise<void>;
  /** A user with the rights of now; null where they may not be here any more. */
  identify: (author: { kind: string; id: string }) => Promise<Identity | null>;
  box: SecretBox;
  allowPrivate: boolean;
  /** Deliveries were entered, attempted or made due again. */
  onDelivery: () => void;
  limits: Pick<
    Limits,
    | "WEBHOOKS_MAX"
    | "WEBHOOK_PARALLEL"
    | "WEBHOOK_MAX_OPEN"
    | "WEBHOOK_POLL_MS"
    | "WEBHOOK_TIMEOUT_MS"
    | "WEBHOOK_RETRY_FIRST_MS"
    | "WEBHOOK_RETRY_MAX_MS"
    | "WEBHOOK_MAX_ATTEMPTS"
    | "WEBHOOK_SECRET_OVERLAP_MS"
  >;
}

/** The owner of a webhook's encrypted secrets, so that none can be moved to another webhook. */
export const secretOwner = (webhook: string) => `webhook:${webhook}`;
