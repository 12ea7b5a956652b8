import type { Identity } from "../auth/identity.ts";
import type { SecretBox } from "../auth/secret-box.ts";
import { FairQueue } from "../load/budget.ts";
import type { ChangeNotifier } from "../store/change-notifier.ts";
import type { Context } from "../store/published-model.ts";

/** What the functions of this folder work on. */
export type Webhooks = ReturnType<typeof createWebhooks>;

/** `database` should be a pool of its own: nobody's edit waits for deliveries. */
export function createWebhooks(
  parts: Context & {
    /** A user with the rights of now; null where they may not be here any more. */
    identify: (author: { kind: string; id: string }) => Promise<Identity | null>;
    box: SecretBox;
    allowPrivate: boolean;
    notifier: ChangeNotifier;
  },
) {
  /** Tests hold a request open for as long as the receiver does. */
  const tests = new FairQueue({ parallel: 8, perUser: 2, waitingPerUser: 10 });
  return { ...parts, tests };
}

/** The owner of a webhook's encrypted secrets, so that none can be moved to another webhook. */
export const secretOwner = (webhook: string) => `webhook:${webhook}`;
