import { createAtomStore } from "../../client/src/state/atom-store.ts";
import type { ClientCore } from "../../client/src/sync/client-core.ts";
import { createClientCore } from "../../client/src/sync/create-client-core.ts";
import { createMemoryEditStorage } from "../../client/src/transport/memory-edit-storage.ts";
import { createSocketTransport } from "../../client/src/transport/socket-transport.ts";
import type { Json } from "../../shared/filter/filter.ts";
import type { Model } from "../../shared/model/model.ts";
import type { SessionInfo } from "../../shared/protocol/session.ts";
import { DEMO_PASSWORD } from "./cast.ts";

/** Somebody of the demo, signed in by the ordinary door: REST, and a browser's core on a socket. */
export interface DemoPerson {
  user: SessionInfo["user"];
  model: Model;
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** A client core, not started. */
  open(): { core: ClientCore; store: ReturnType<typeof createAtomStore> };
}

export async function signIn(url: string, email: string): Promise<DemoPerson> {
  const { answer, token } = await ask<SessionInfo>(url, null, "POST", "/session", {
    email,
    password: DEMO_PASSWORD,
  });
  const { user } = answer;
  const call = async <T>(method: string, path: string, body?: unknown) =>
    (await ask<T>(url, token, method, path, body)).answer;
  const model = await call<Model>("GET", "/model");
  const attributes = user.attributes as Record<string, Json>;
  const context = { user: { ...user, attributes }, model };
  return {
    user,
    model,
    call,
    open() {
      const store = createAtomStore();
      const transport = createSocketTransport({ url, token: token ?? "" });
      const storage = createMemoryEditStorage();
      return {
        core: createClientCore({ transport, storage, store, context: () => context }),
        store,
      };
    },
  };
}

async function ask<T>(
  url: string,
  token: string | null,
  method: string,
  path: string,
  body: unknown,
): Promise<{ answer: T; token: string | null }> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  const cookie = response.headers.getSetCookie()[0] ?? "";
  const opened = /^(?:__Host-)?watchfloor_session=([^;]+)/.exec(cookie)?.[1] ?? null;
  return { answer: (text ? JSON.parse(text) : undefined) as T, token: opened };
}
