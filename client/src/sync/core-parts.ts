import type { AtomStore } from "../state/atom-store.ts";
import type { Transport } from "../transport/transport.ts";
import type { Clock } from "./clock.ts";
import type { CoreContext } from "./core-context.ts";

/** What all parts of one client core share. */
export interface CoreParts {
  transport: Transport;
  store: AtomStore;
  clock: Clock;
  context: () => CoreContext;
  /** Now by the server's clock, in milliseconds. */
  serverNow(): number;
}
