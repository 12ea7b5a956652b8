import type { ServerMessages, Transport } from "../../client/src/transport/transport.ts";
import type { Values } from "../../shared/model/model.ts";
import type { WireChange } from "../../shared/protocol/feed.ts";

/**
 * Audits what a socket receives for one table, before the client core processes it: whether every message
 * continues the one before, whether any change arrives twice, and what the changes alone make of the records.
 */
export class WireAudit {
  gaps = 0;
  duplicates = 0;
  /** How often the server had to send a resync. */
  resyncs = 0;
  position: number | null = null;
  readonly changes = new Map<number, WireChange>();
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  /** The same transport with the audit in between. */
  around(transport: Transport): Transport {
    return {
      ...bound(transport),
      listen: (events) =>
        transport.listen({
          ...events,
          onMessage: (name, message) => {
            if (name === "changes") this.#receive(message as ServerMessages["changes"]);
            events.onMessage(name, message);
          },
        }),
      call: async (name, call, timeoutMs) => {
        const answer = await transport.call(name, call, timeoutMs);
        if (name === "subscribe" && "table" in call && call.table === this.#table) {
          const { seq, replay, resync } = answer as {
            seq: number;
            replay?: WireChange[];
            resync?: true;
          };
          if (resync && this.position !== null) this.resyncs += 1;
          this.#take(replay ?? []);
          this.position = seq;
        }
        return answer;
      },
    };
  }

  /** Records as the changes alone leave them, applied to those known at the start. */
  replayOver(start: ReadonlyMap<string, Values>): Map<string, Values> {
    const records = new Map(start);
    for (const [, { kind, record, set }] of [...this.changes].sort(([a], [b]) => a - b)) {
      if (kind === "delete") records.delete(record);
      else records.set(record, kind === "insert" ? set : { ...records.get(record), ...set });
    }
    return records;
  }

  #receive({ table, from, to, changes }: ServerMessages["changes"]): void {
    if (table !== this.#table) return;
    if (this.position !== null && from !== this.position) this.gaps += 1;
    this.#take(changes);
    this.position = to;
  }

  #take(changes: readonly WireChange[]): void {
    for (const change of changes) {
      if (this.changes.has(change.seq)) this.duplicates += 1;
      this.changes.set(change.seq, change);
    }
  }
}

function bound(transport: Transport): Transport {
  return {
    listen: (events) => transport.listen(events),
    connect: () => transport.connect(),
    disconnect: () => transport.disconnect(),
    connectionId: () => transport.connectionId(),
    call: (name, call, timeoutMs) => transport.call(name, call, timeoutMs),
  };
}
