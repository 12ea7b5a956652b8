import {
  type PresenceCall,
  type PresenceMessage,
  wallboardOfPlace,
} from "../../../../shared/protocol/presence.ts";
import { isPresenceKnownAtom, presenceAtom } from "../../state/table-state.ts";
import type { CoreParts } from "../core-parts.ts";
import type { PresenceLocation, PresenceReporter } from "./presence.ts";

const CALL_TIMEOUT_MS = 5_000;

/**
 * Sends where I am and shows where others are. A connection is in one place: the table that was set
 * last. A lost message is made good by the next heartbeat.
 */
export class PresenceHeartbeat implements PresenceReporter {
  readonly #core: CoreParts;
  readonly #isReady: () => boolean;
  readonly #knownTables = new Set<string>();
  #location: { table: string; location: PresenceLocation } | null = null;
  /** The table to report as left. Reporting another table does this implicitly. */
  #leftTable: string | null = null;
  #isUnsent = false;
  #cancelSend: (() => void) | null = null;
  #cancelHeartbeat: (() => void) | null = null;

  constructor(core: CoreParts, isReady: () => boolean) {
    this.#core = core;
    this.#isReady = isReady;
  }

  set(table: string, location: PresenceLocation): void {
    this.#location = { table, location };
    this.#leftTable = null;
    this.#sendSoon();
    this.#cancelHeartbeat ??= this.#scheduleHeartbeat();
  }

  leave(table: string): void {
    if (this.#location?.table !== table) return;
    this.#location = null;
    this.#leftTable = table;
    this.#sendSoon();
  }

  /** The table is no longer followed: who is there is not known any more. */
  unfollowed(table: string): void {
    this.#clear(table);
    this.leave(table);
  }

  /** After a reconnect the server knows nothing of me. */
  onReady(): void {
    if (this.#location) this.#sendSoon();
  }

  /** Clears all presence, which is unknown while disconnected. */
  onDisconnected(): void {
    for (const table of this.#knownTables) this.#clear(table);
  }

  #clear(table: string): void {
    if (!this.#knownTables.delete(table)) return;
    this.#core.store.set(presenceAtom(table), []);
    this.#core.store.set(isPresenceKnownAtom(table), false);
  }

  /** Ignores the list of a table that is not followed any more: no later list would follow. */
  received({ table, people }: PresenceMessage, isFollowed: boolean): void {
    if (!isFollowed && wallboardOfPlace(table) === null) return;
    this.#knownTables.add(table);
    const me = this.#core.transport.connectionId();
    const others = people.filter(({ connection }) => connection !== me);
    this.#core.store.set(presenceAtom(table), others);
    this.#core.store.set(isPresenceKnownAtom(table), true);
  }

  stop(): void {
    this.#cancelSend?.();
    this.#cancelHeartbeat?.();
    this.#location = null;
    this.onDisconnected();
  }

  #scheduleHeartbeat(): () => void {
    return this.#core.clock.after(this.#core.context().limits.PRESENCE_HEARTBEAT_MS, () => {
      this.onReady();
      this.#cancelHeartbeat = this.#location ? this.#scheduleHeartbeat() : null;
    });
  }

  /** At once if the last message is long enough ago, else at the end of the spacing. */
  #sendSoon(): void {
    this.#isUnsent = true;
    if (!this.#cancelSend) this.#flush();
  }

  #flush(): void {
    this.#cancelSend = null;
    if (!this.#isUnsent) return;
    this.#isUnsent = false;
    if (this.#isReady()) this.#send();
    const spacingMs = 1_000 / this.#core.context().limits.PRESENCE_UPDATES_PER_SECOND;
    this.#cancelSend = this.#core.clock.after(spacingMs, () => this.#flush());
  }

  #send(): void {
    const call = this.#call();
    this.#leftTable = null;
    if (call) this.#core.transport.call("presence", call, CALL_TIMEOUT_MS).catch(() => {});
  }

  #call(): PresenceCall | null {
    if (this.#location) return { table: this.#location.table, ...this.#location.location };
    return this.#leftTable === null ? null : { table: this.#leftTable, mode: "away" };
  }
}
