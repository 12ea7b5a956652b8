import { type RestCall, restCaller, send, signIn } from "../../server/terminal/rest-call.ts";
import { sessionToken } from "../../shared/protocol/call.ts";
import type { Answer } from "../../shared/protocol/contract.ts";

/** A signed-in user of a server under load, with their REST calls. */
export interface ApiSession {
  url: string;
  token: string;
  user: Answer<"GET /session">["user"];
  model: Answer<"GET /model">;
  call: RestCall;
}

/** Signs in with a password. */
export async function signInApi(
  url: string,
  credentials: { email: string; password: string },
): Promise<ApiSession> {
  const { token, session } = await signIn(url, credentials);
  const call = restCaller(url, token);
  return { url, token, user: session.user, model: await call("GET /model"), call };
}

/** Adds a user and, unless only their name is needed, accepts the invitation in their place. */
export async function addUser(
  by: ApiSession,
  account: { name: string; email: string },
  role = "editor",
): Promise<{ id: string; invitation: string }> {
  const made = await by.call("POST /users", { body: { ...account, role } });
  return { id: made.id, invitation: new URL(made.invitation ?? "").hash.slice(1) };
}

/** Accepts an invitation; answers the token of the session that it opens. */
export async function acceptInvitation(
  url: string,
  token: string,
  password: string,
): Promise<string> {
  const call = { params: { token }, body: { password } };
  return sessionToken(await send(url, "POST /invitations/{token}", call));
}
