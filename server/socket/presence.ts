import { type PresenceCall, presenceCallSchema } from "../../shared/protocol/presence.ts";
import type { Identity } from "../auth/identity.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";

/** What the socket needs of the presence room. */
export interface PresenceService {
  /** Where a connection's person is. Refuses with `not_found` a table that they may not read. */
  set(connection: string, identity: Pick<Identity, "user" | "subject">, call: PresenceCall): void;
  /** Tells a connection who is on a table that it follows. */
  sendCurrent(connection: Connection, table: string): void;
  leave(connection: string): void;
}

/** A heartbeat as much as a move, so it does not count as work of the person. */
export function presence(service: Pick<PresenceService, "set">): Call<PresenceCall, object> {
  return {
    schema: presenceCallSchema,
    isActivity: false,
    run({ connection, identity }, call, answer) {
      service.set(connection.id, identity, call);
      answer({});
    },
  };
}
