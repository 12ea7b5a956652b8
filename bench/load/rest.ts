import type { Model } from "../../shared/model/model.ts";
import type { SessionInfo } from "../../shared/protocol/session.ts";

/** Somebody who is signed in at a server under load: who they are, and their REST calls. */
export interface Desk {
  url: string;
  token: string;
  user: SessionInfo["user"];
  model: Model;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
}

interface Answer {
  status: number;
  body: unknown;
  token: string | null;
}

async function ask(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${text}`);
  const cookie = answer.headers.getSetCookie()[0] ?? "";
  const token = /^(?:__Host-)?watchfloor_session=([^;]+)/.exec(cookie)?.[1] ?? null;
  return { status: answer.status, body: text ? JSON.parse(text) : undefined, token };
}

async function deskOf(url: string, token: string): Promise<Desk> {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await ask(`${url}/api/v1${path}`, method, body, headers)).body as T;
  };
  const { user } = await call<SessionInfo>("GET", "/session");
  return { url, token, user, model: await call<Model>("GET", "/model"), call };
}

/** Signs in with a password. */
export async function signInDesk(
  url: string,
  credentials: { email: string; password: string },
): Promise<Desk> {
  const { token } = await ask(`${url}/api/v1/session`, "POST", credentials, {});
  return deskOf(url, token ?? "");
}

/** Adds a user and, unless only their name is needed, accepts the invitation in their place. */
export async function addUser(
  by: Desk,
  person: { name: string; email: string },
): Promise<{ id: string; invitation: string }> {
  const made = await by.call<{ id: string; invitation: string }>("POST", "/users", {
    ...person,
    role: "editor",
  });
  const { hash, pathname } = new URL(made.invitation);
  return { id: made.id, invitation: hash.slice(1) || (pathname.split("/").at(-1) ?? "") };
}

/** Accepts an invitation; answers the token of the session that it opens. */
export async function acceptInvitation(
  url: string,
  invitation: string,
  password: string,
): Promise<string> {
  const path = `${url}/api/v1/invitations/${invitation}`;
  return (await ask(path, "POST", { password }, {})).token ?? "";
}
