import { compileMessage } from "@lingui/message-utils/compileMessage";
import type { Json } from "../../shared/filter/filter.ts";
import type { Model } from "../../shared/model/model.ts";
import type { Refusal } from "../../shared/protocol/errors.ts";
import type { SessionInfo } from "../../shared/protocol/session.ts";
import { compileTexts } from "../src/messages/define-messages.ts";
import { createAtomStore } from "../src/state/atom-store.ts";
import { type ConnectionKind, connectionAtom } from "../src/state/connection-state.ts";
import { type WallboardView, wallboardAtom } from "../src/state/wallboard-state.ts";
import { createClientCore } from "../src/sync/create-client-core.ts";
import { createMemoryEditStorage } from "../src/transport/memory-edit-storage.ts";
import { type RestCall, type RestCaller, restWith } from "../src/transport/rest/rest.ts";
import { createSocketTransport } from "../src/transport/socket-transport.ts";
import { Ending } from "./ending.ts";
import { followAccount } from "./follow-account.ts";
import { endAfter, untilAnswered } from "./retry.ts";
import { type Credential, signIn } from "./sign-in.ts";
import { TableClient } from "./table-client.ts";
import type { AnyTables, TableTypes } from "./table-types.ts";

/** The address of the server, such as `https://watchfloor.example.com`, and who connects. */
export type ConnectOptions = {
  url: string;
  /** How long it tries to reach a server that does not answer; 0: once. */
  waitMs?: number;
} & Credential;

const WAIT_MS = 30_000;

/**
 * A connection to a server, as one user. It reconnects by itself and catches up; edits are delivered exactly once as
 * long as the process runs. `Tables` are the types that `watchfloor-client types` writes.
 */
export interface Watchfloor<Tables extends TableTypes = AnyTables> {
  readonly user: Readonly<SessionInfo["user"]>;
  /** The tables and fields that the user may read. Follows every published version. */
  readonly model: Model;
  readonly state: ConnectionKind;
  table<Name extends keyof Tables & string>(name: Name): TableClient<Tables[Name]>;
  /** Follows a wallboard: calls back with its tiles and how fresh they are, until the returned function is called. */
  wallboard(id: string, onChange: (view: WallboardView) => void): () => void;
  /** Any route of the REST API, typed by its name: `rest("GET /changes", { query: { limit: 10 } })`. */
  readonly rest: RestCall;
  /** Resolves when the server ends the connection for good: the token was revoked, or the session has ended. */
  readonly ended: Promise<Refusal>;
  /** Disconnects, and ends a session that was opened by a password. Edits that were not sent yet are lost. */
  close(): Promise<void>;
}

/**
 * Connects, again with growing pauses while the server does not answer. Rejects with a `WatchfloorError`: `unavailable` after
 * `waitMs`, `unauthenticated` or `session_ended` for a wrong token or password.
 */
export async function connect<Tables extends TableTypes = AnyTables>({
  url,
  waitMs = WAIT_MS,
  ...credential
}: ConnectOptions): Promise<Watchfloor<Tables>> {
  compileTexts(compileMessage);
  using end = endAfter(waitMs);
  const { caller, signOut } = await untilAnswered(end, () =>
    signIn(url.replace(/\/+$/, ""), credential),
  );
  const rest = restWith(caller);
  const load = async () => ({
    session: await rest("GET /session"),
    model: await rest("GET /model"),
  });
  let known = await untilAnswered(end, load).catch(async (error: unknown) => {
    await signOut();
    throw error;
  });
  const store = createAtomStore();
  const core = createClientCore({
    transport: createSocketTransport(lineOf(caller, known.session.user.id)),
    storage: createMemoryEditStorage(),
    store,
    context: () => {
      const { user, limits, textOrder } = known.session;
      const attributes = user.attributes as Record<string, Json>;
      return { user: { ...user, attributes }, model: known.model, limits, textOrder };
    },
  });
  const ending = new Ending(store, caller.token);
  followAccount({ store, ending }, load, (account) => {
    known = account;
    core.forgetHidden();
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
    table: (name) => new TableClient({ table: name, core, store, rest, ending }),
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
    ended: ending.refused,
    async close() {
      ending.close();
      await core.stop();
      await signOut();
    },
  };
}

/**
 * Without a token the browser's cookie authenticates. If the cookie becomes that of another user, the connection is
 * refused.
 */
function lineOf({ url, token }: RestCaller, user: string) {
  return token === undefined ? { url, user } : { url, token };
}
