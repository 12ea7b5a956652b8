import { createAtomStore } from "../../client/src/state/atom-store.ts";
import type { ClientCore } from "../../client/src/sync/client-core.ts";
import { createClientCore } from "../../client/src/sync/create-client-core.ts";
import { createMemoryEditStorage } from "../../client/src/transport/memory-edit-storage.ts";
import { createSocketTransport } from "../../client/src/transport/socket-transport.ts";
import type { Json } from "../../shared/filter/filter.ts";
import { defaultLimits } from "../../shared/limits.ts";
import type { Model } from "../../shared/model/model.ts";
import type { SessionInfo } from "../../shared/protocol/session-info.ts";
import { signIn as openSession, type RestCall, restCaller } from "../terminal/rest-call.ts";
import { DEMO_PASSWORD } from "./cast.ts";

/** A user of the demo, signed in as usual: REST, and a browser's core on a socket. */
export interface DemoUser {
  user: SessionInfo["user"];
  model: Model;
  call: RestCall;
  /** A client core, not started. */
  open(): { core: ClientCore; store: ReturnType<typeof createAtomStore> };
}

export async function signIn(url: string, email: string): Promise<DemoUser> {
  const { token, session } = await openSession(url, { email, password: DEMO_PASSWORD });
  const { user } = session;
  const call = restCaller(url, token);
  const model = await call("GET /model");
  const attributes = user.attributes as Record<string, Json>;
  const context = { user: { ...user, attributes }, model, limits: defaultLimits };
  return {
    user,
    model,
    call,
    open() {
      const store = createAtomStore();
      const transport = createSocketTransport({ url, token });
      const storage = createMemoryEditStorage();
      return {
        core: createClientCore({ transport, storage, store, context: () => context }),
        store,
      };
    },
  };
}
