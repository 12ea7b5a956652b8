import type { Log } from "../log.ts";
import type { Bus } from "./bus.ts";
import { LocalChannels } from "./local-channels.ts";

/** The bus of a server that is alone: always live. */
export function createInProcessBus(log: Log): Bus {
  const local = new LocalChannels(log);
  return {
    publish: (channel, message) => local.deliver(channel, message),
    subscribe: (channel, handler) => local.subscribe(channel, handler),
    state: () => "live",
    onState: () => () => undefined,
    close: async () => local.clear(),
  };
}
