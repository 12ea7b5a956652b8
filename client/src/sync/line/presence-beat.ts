import type { ClientLimits } from "../../../../shared/limits.ts";
import type { PresenceCall, PresenceMessage } from "../../../../shared/protocol/presence.ts";
import type { AtomStore } from "../../state/atom-store.ts";
import { presenceAtom } from "../../state/table-state.ts";
import type { Transport } from "../../transport/transport.ts";
import type { Clock } from "../clock.ts";
import type { PresenceReporter, Whereabouts } from "./presence.ts";

const CALL_TIMEOUT_MS = 5_000;

interface BeatDeps {
  transport: Transport;
  clock: Clock;
  store: AtomStore;
  isReady(): boolean;
  limits(): ClientLimits;
}

/**
 * Sends where I am and shows where others are. A connection is in one place: the table that was set
 * last. A lost message is made good by the next heartbeat.
 */
export class PresenceBeat implements PresenceReporter {
  readonly #deps: BeatDeps;
  readonly #heard = new Set<string>();
  #place: { table: string; whereabouts: Whereabouts } | null = null;
  /** A table to say goodbye to; a place elsewhere says it by itself. */
  #left: string | null = null;
  #isUnsent = false;
  #cancelSend: (() => void) | null = null;
  #cancelBeat: (() => void) | null = null;

  constructor(deps: BeatDeps) {
    this.#deps = deps;
  }

  set(table: string, whereabouts: Whereabouts): void {
    this.#place = { table, whereabouts };
    this.#left = null;
    this.#soon();
    this.#cancelBeat ??= this.#beat();
  }

  leave(table: string): void {
    if (this.#place?.table !== table) return;
    this.#place = null;
    this.#left = table;
    this.#soon();
  }

  /** After a reconnect the server knows nothing of me. */
  lineReady(): void {
    if (this.#place) this.#soon();
  }

  /** Without a line nobody can be said to be here. */
  lineDown(): void {
    for (const table of this.#heard) this.#deps.store.set(presenceAtom(table), []);
    this.#heard.clear();
  }

  received({ table, people }: PresenceMessage): void {
    this.#heard.add(table);
    const me = this.#deps.transport.connectionId();
    const others = people.filter(({ connection }) => connection !== me);
    this.#deps.store.set(presenceAtom(table), others);
  }

  stop(): void {
    this.#cancelSend?.();
    this.#cancelBeat?.();
    this.#place = null;
    this.lineDown();
  }

  #beat(): () => void {
    return this.#deps.clock.after(this.#deps.limits().PRESENCE_HEARTBEAT_MS, () => {
      this.lineReady();
      this.#cancelBeat = this.#place ? this.#beat() : null;
    });
  }

  /** At once if the last message is long enough ago, else at the end of the spacing. */
  #soon(): void {
    this.#isUnsent = true;
    if (!this.#cancelSend) this.#flush();
  }

  #flush(): void {
    this.#cancelSend = null;
    if (!this.#isUnsent) return;
    this.#isUnsent = false;
    if (this.#deps.isReady()) this.#send();
    const spacingMs = 1_000 / this.#deps.limits().PRESENCE_UPDATES_PER_SECOND;
    this.#cancelSend = this.#deps.clock.after(spacingMs, () => this.#flush());
  }

  #send(): void {
    const call = this.#call();
    this.#left = null;
    if (call) this.#deps.transport.call("presence", call, CALL_TIMEOUT_MS).catch(() => {});
  }

  #call(): PresenceCall | null {
    if (this.#place) return { table: this.#place.table, ...this.#place.whereabouts };
    return this.#left === null ? null : { table: this.#left, mode: "away" };
  }
}
