import type { AcceptInvitationCall } from "../../../../shared/protocol/session.ts";
import type { InvitationInfo } from "../../../../shared/protocol/users.ts";
import { rest } from "../../transport/rest.ts";
import { loadAccount } from "./account.ts";

/** For whom the invitation is; refused where it was used, replaced or is too old. */
export function readInvitation(token: string): Promise<InvitationInfo> {
  return rest<InvitationInfo>("GET", path(token));
}

/** Uses the invitation up: the person is active and signed in, and the page goes to the first screen. */
export async function acceptInvitation(token: string, call: AcceptInvitationCall): Promise<void> {
  await rest("POST", path(token), call);
  history.replaceState(null, "", "/");
  await loadAccount();
}

function path(token: string): string {
  return `/invitations/${encodeURIComponent(token)}`;
}
