import type { Log } from "../log.ts";
import type { Bus } from "./bus.ts";
import { LocalChannels } from "./local-channels.ts";

const NONE_REJECTED = { forged: 0, malformed: 0 } as const;

/** The bus of a single server: always live. */
export function createInProcessBus(log: Log): Bus {
  const local = new LocalChannels(log);
  return {
    publish: (channel, message) => local.deliver(channel.name, message),
    subscribe: (channel, handler) => local.subscribe(channel, handler),
    state: () => "live",
    onState: () => () => undefined,
    rejected: () => NONE_REJECTED,
    close: async () => local.clear(),
  };
}
