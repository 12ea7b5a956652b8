import { type AtomStore, createAtomStore } from "../../client/src/state/atom-store.ts";
import type { ClientCore } from "../../client/src/sync/client-core.ts";
import { createClientCore } from "../../client/src/sync/create-client-core.ts";
import type { EditStorage } from "../../client/src/transport/edit-storage.ts";
import { createMemoryEditStorage } from "../../client/src/transport/memory-edit-storage.ts";
import { createSocketTransport } from "../../client/src/transport/socket-transport.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Page } from "../../shared/protocol/feed.ts";
import type { WireRecord } from "../../shared/protocol/record.ts";
import type { SessionInfo } from "../../shared/protocol/session.ts";

/** A signed-in user: REST by hand, and the real client core over a real socket. */
export interface TestUser {
  info: SessionInfo["user"];
  token: string;
  model: Model;
  /** A REST call; throws the status and the body if it is refused. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  record(table: string, id: string): Promise<WireRecord>;
  page(table: string, query?: string): Promise<Page>;
  /** A browser's core; `url` may lead through a proxy, `storage` is what survives a reload. */
  open(options?: { url?: string; storage?: EditStorage }): OpenCore;
}

export interface OpenCore {
  core: ClientCore;
  store: AtomStore;
  storage: EditStorage;
}

export async function signIn(
  url: string,
  credentials: { email: string; password: string },
): Promise<TestUser> {
  const answer = await fetch(`${url}/api/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  if (!answer.ok) throw new Error(`Sign-in was refused: ${answer.status} ${await answer.text()}`);
  const { user } = (await answer.json()) as SessionInfo;
  const token =
    /watchfloor_session=([^;]+)/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "";
  const call = <T>(method: string, path: string, body?: unknown) =>
    restCall<T>(url, token, method, path, body);
  const model = await call<Model>("GET", "/model");
  return {
    info: user,
    token,
    model,
    call,
    record: (table, id) => call("GET", `/tables/${table}/records/${encodeURIComponent(id)}`),
    page: (table, query = "") => call("GET", `/tables/${table}/records?${query}`),
    open({ url: line = url, storage = createMemoryEditStorage() } = {}) {
      const store = createAtomStore();
      const attributes = user.attributes as Record<string, Json>;
      const core = createClientCore({
        transport: createSocketTransport({ url: line, token }),
        storage,
        store,
        context: () => ({
          user: { id: user.id, name: user.name, attributes },
          model,
          limits: defaultLimits,
          textOrder: "en",
        }),
      });
      return { core, store, storage };
    },
  };
}

/** Creates a user with a role, by the owner, and signs them in. */
export async function addUser(url: string, by: TestUser, name: string, role = "editor") {
  const password = `password of ${name}`;
  const email = `${name.toLowerCase().replaceAll(" ", ".")}@example.com`;
  await by.call("POST", "/users", { email, name, role, password });
  return signIn(url, { email, password });
}

/** A new API token of the user; with a role of its own if one is given. */
export async function addToken(user: TestUser, call: { role?: string; expiresAt?: string } = {}) {
  const body = { name: "Nightly sync", ...call };
  return user.call<{ id: string; token: string }>("POST", "/tokens", body);
}

async function restCall<T>(
  url: string,
  token: string,
  method: string,
  path: string,
  body: unknown,
): Promise<T> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}
