import type { AcceptInvitationCall } from "../../../../shared/protocol/session.ts";
import { rest } from "../../transport/rest/rest.ts";
import { loadAccount } from "./account.ts";

/** Accepts the invitation: the user becomes active and signed in, and the page opens the first screen. */
export async function acceptInvitation(token: string, body: AcceptInvitationCall): Promise<void> {
  await rest("POST /invitations/{token}", { params: { token }, body });
  history.replaceState(null, "", "/");
  await loadAccount();
}
