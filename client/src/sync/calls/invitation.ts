import type { AcceptInvitationCall } from "../../../../shared/protocol/session.ts";
import type { InvitationInfo } from "../../../../shared/protocol/users.ts";
import { rest } from "../../transport/rest.ts";
import { loadAccount } from "./account.ts";

/** For whom the invitation is; refused where it was used, replaced or is too old. */
export function readInvitation(token: string): Promise<InvitationInfo> {
  return rest("GET /invitations/{token}", { params: { token } });
}

/** Accepts the invitation: the user becomes active and signed in, and the page opens the first screen. */
export async function acceptInvitation(token: string, body: AcceptInvitationCall): Promise<void> {
  await rest("POST /invitations/{token}", { params: { token }, body });
  history.replaceState(null, "", "/");
  await loadAccount();
}
