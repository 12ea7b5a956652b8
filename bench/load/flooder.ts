import { type Flooder, type FloodName, runFlood } from "./floods.ts";

/** A flood in a process of its own, so that it takes no turn of the one that measures. */
export interface FloodOrder {
  name: FloodName;
  by: Flooder;
}

let stopping = new AbortController();
process.on("message", async (order: FloodOrder | "stop") => {
  if (order === "stop") {
    stopping.abort();
    return;
  }
  stopping = new AbortController();
  process.send?.({ answered: await runFlood(order.name, order.by, stopping.signal) });
});
process.on("disconnect", () => process.exit(0));
