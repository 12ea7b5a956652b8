import { type NodeStatus, nodeStatusSchema } from "../../shared/protocol/system.ts";
import type { BusChannel } from "../messaging/bus-channel.ts";
import type { Bus } from "../relay/bus/bus.ts";
import { every } from "../store/every.ts";

/** How often a server publishes its status, also while nobody asks: it is small. */
const PUBLISH_INTERVAL_MS = 4_000;
/** A server that has published nothing for this long is gone, or cut off from the bus. */
const GONE_AFTER_MS = 13_000;
/** A forger needs the key of the bus; this bounds what a loop of restarts leaves behind. */
const NODES_MAX = 100;

const CHANNEL: BusChannel<NodeStatus> = { name: "nodes", schema: nodeStatusSchema };

/** The servers of the installation, by what each publishes of itself. Without Redis it knows only its own. */
export class NodeRegistry {
  readonly #bus: Bus;
  readonly #readOwn: () => Promise<NodeStatus>;
  readonly #onError: (error: unknown) => void;
  readonly #others = new Map<string, { status: NodeStatus; at: number }>();
  readonly #undo: (() => void)[] = [];

  constructor(bus: Bus, readOwn: () => Promise<NodeStatus>, onError: (error: unknown) => void) {
    this.#bus = bus;
    this.#readOwn = readOwn;
    this.#onError = onError;
  }

  /** `own` is the id of this server, whose messages come back to it. */
  start(own: string): void {
    const receive = (status: NodeStatus) => {
      if (status.id === own) return;
      this.#others.set(status.id, { status, at: performance.now() });
      this.#forget();
    };
    this.#undo.push(this.#bus.subscribe(CHANNEL, receive));
    const publish = () => {
      this.#readOwn().then((status) => this.#bus.publish(CHANNEL, status), this.#onError);
    };
    this.#undo.push(every(PUBLISH_INTERVAL_MS, publish));
    publish();
  }

  stop(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }

  /** This server first, then the others by start time. */
  async list(): Promise<NodeStatus[]> {
    this.#forget();
    const others = [...this.#others.values()].map(({ status }) => status);
    others.sort((a, b) => a.startedAt.localeCompare(b.startedAt) || a.id.localeCompare(b.id));
    return [await this.#readOwn(), ...others];
  }

  #forget(): void {
    const byAge = [...this.#others].sort(([, a], [, b]) => b.at - a.at);
    const isGone = ([, { at }]: [string, { at: number }], index: number) =>
      performance.now() - at > GONE_AFTER_MS || index >= NODES_MAX;
    for (const [id] of byAge.filter(isGone)) this.#others.delete(id);
  }
}
