import { type PresenceCall, presenceCallSchema } from "../../shared/protocol/presence.ts";
import type { Identity } from "../auth/identity.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";

/** The presence service as the socket needs it. */
export interface PresenceService {
  /** The place of a connection's user. Refuses with `not_found` a table that they may not read. */
  set(connection: string, caller: Pick<Identity, "user" | "subject">, call: PresenceCall): void;
  /** Sends a connection the presence list of a table that it follows. */
  sendCurrent(connection: Connection, table: string): void;
  leave(connection: string): void;
}

/** Sent as a heartbeat as well as on a change, so it does not count as an action of the user. */
export function presence(service: Pick<PresenceService, "set">): Call<PresenceCall, object> {
  return {
    schema: presenceCallSchema,
    isActivity: false,
    run({ connection, identity }, call, answer) {
      const { subject, token } = identity;
      service.set(connection.id, { subject, user: { ...identity.user, ...token } }, call);
      answer({});
    },
  };
}
