import { type PresenceCall, presenceCallSchema } from "../../shared/protocol/presence.ts";
import type { Identity } from "../auth/identity.ts";
import type { Call } from "./call.ts";
import type { Connection } from "./connection.ts";

/** What the socket needs of the presence room. */
export interface PresenceDoor {
  /** Where a connection's person is. Refuses with `not_found` a table that they may not read. */
  set(connection: string, identity: Pick<Identity, "person" | "subject">, call: PresenceCall): void;
  /** Tells a connection who is on a table that it follows. */
  greet(connection: Connection, table: string): void;
  leave(connection: string): void;
}

/** A heartbeat as much as a move, so it does not count as work of the person. */
export function presence(door: Pick<PresenceDoor, "set">): Call<PresenceCall, object> {
  return {
    schema: presenceCallSchema,
    isActivity: false,
    run({ connection, identity }, call, answer) {
      door.set(connection.id, identity, call);
      answer({});
    },
  };
}
