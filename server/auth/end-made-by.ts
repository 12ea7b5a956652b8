import type { Db } from "../store/database.ts";
import { revokeApiTokensOf } from "../store/users/api-tokens.ts";
import { pauseWebhooksOf } from "../store/webhooks/webhooks.ts";

/** What was made with an account, and would outlive its sessions. */
export interface EndedAccess {
  tokens: number;
  webhooks: number;
}

/**
 * Ends what somebody else could have made with an account, and still use: API tokens are revoked, and webhooks paused, so that
 * nothing is lost where they are wanted. For good: neither enabling the account nor another password brings it back. Returns how many.
 */
export async function endMadeBy(tx: Db, user: string): Promise<EndedAccess> {
  return {
    tokens: await revokeApiTokensOf(tx, user),
    webhooks: await pauseWebhooksOf(tx, user),
  };
}
