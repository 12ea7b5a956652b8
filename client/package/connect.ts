import type { Json } from "../../shared/filter/filter.ts";
import type { Model } from "../../shared/model/model.ts";
import { Refusal, TOKEN_ENDED } from "../../shared/protocol/errors.ts";
import type { SessionInfo } from "../../shared/protocol/session-info.ts";
import { createAtomStore } from "../src/state/atom-store.ts";
import {
  type ConnectionKind,
  connectionAtom,
  modelUpdatesAtom,
} from "../src/state/connection-state.ts";
import { type WallboardView, wallboardAtom } from "../src/state/wallboard-state.ts";
import { createClientCore } from "../src/sync/create-client-core.ts";
import { createMemoryEditStorage } from "../src/transport/memory-edit-storage.ts";
import { type RestCall, restWith } from "../src/transport/rest.ts";
import { createSocketTransport } from "../src/transport/socket-transport.ts";
import { type AnyTables, TableClient, type TableTypes } from "./table-client.ts";

export interface ConnectOptions {
  /** The address of the server, such as `https://watchfloor.example.com`. */
  url: string;
  /** An API token (`wf_…`), or the token of a session. */
  token: string;
}

/**
 * A connection to a server, as the owner of its token. It reconnects by itself and catches up; edits are delivered
 * exactly once as long as the process runs. `Tables` are the types that `watchfloor-client types` writes.
 */
export interface Watchfloor<Tables extends TableTypes = AnyTables> {
  readonly user: Readonly<SessionInfo["user"]>;
  /** The tables and fields that the token may read. Follows every published version. */
  readonly model: Model;
  readonly state: ConnectionKind;
  table<Name extends keyof Tables & string>(name: Name): TableClient<Tables[Name]>;
  /** Follows a wallboard: calls back with its tiles and how fresh they are, until the returned function is called. */
  wallboard(id: string, onChange: (view: WallboardView) => void): () => void;
  /** Any route of the REST API, typed by its name: `rest("GET /changes", { query: { limit: 10 } })`. */
  readonly rest: RestCall;
  /** Resolves when the server ends the connection for good: the token was revoked or has expired. */
  readonly ended: Promise<Refusal>;
  /** Disconnects. Edits that were not sent yet are lost. */
  close(): Promise<void>;
}

/** Connects. Rejects with a `WatchfloorError`: `unauthenticated` or `session_ended` for a wrong token. */
export async function connect<Tables extends TableTypes = AnyTables>({
  url,
  token,
}: ConnectOptions): Promise<Watchfloor<Tables>> {
  const address = url.replace(/\/+$/, "");
  const rest = restWith({ url: address, token });
  const endedText = token.startsWith("wf_") ? TOKEN_ENDED : undefined;
  const load = async () => ({
    session: await rest("GET /session"),
    model: await rest("GET /model"),
  });
  let known = await load();
  const store = createAtomStore();
  const core = createClientCore({
    transport: createSocketTransport({ url: address, token }),
    storage: createMemoryEditStorage(),
    store,
    context: () => {
      const { user, limits } = known.session;
      const attributes = user.attributes as Record<string, Json>;
      return { user: { ...user, attributes }, model: known.model, limits };
    },
  });
  let end: (refusal: Refusal) => void = () => {};
  const ended = new Promise<Refusal>((resolve) => {
    end = resolve;
  });
  store.sub(modelUpdatesAtom, async () => {
    known = await load().catch(() => known);
    core.forgetHidden();
  });
  store.sub(connectionAtom, () => {
    const { kind } = store.get(connectionAtom);
    if (kind === "signedOut") end(new Refusal("session_ended", {}, endedText));
    if (kind === "updateRequired") end(new Refusal("update_required"));
  });
  core.start();
  return {
    get user() {
      return known.session.user;
    },
    get model() {
      return known.model;
    },
    get state() {
      return store.get(connectionAtom).kind;
    },
    table: (name) => new TableClient({ table: name, core, store, rest, ended }),
    wallboard(id, onChange) {
      const atom = wallboardAtom(id, false);
      const stop = store.sub(atom, () => onChange(store.get(atom)));
      const leave = core.wallboards.open(id, false);
      return () => {
        stop();
        leave();
      };
    },
    rest,
    ended,
    close: () => core.stop(),
  };
}
