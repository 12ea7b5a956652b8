import type { Logger } from "pino";
import { z } from "zod";
import type { BusChannel, MessageBus } from "./messaging/bus-channel.ts";
import type { CurrentModel } from "./store/current-model.ts";
import { every } from "./store/every.ts";

/** The version of a published model. */
const CHANNEL: BusChannel<number> = { name: "model", schema: z.int() };
/** A message that the bus lost is recovered by checking. */
const CHECK_INTERVAL_MS = 5_000;

/** Loads a new model on every server when one of them has published it. Returns a function that stops. */
export function followModel(
  model: CurrentModel,
  bus: MessageBus,
  log: Pick<Logger, "warn">,
): () => void {
  const refresh = () => {
    model.refresh().catch((err) => log.warn({ err }, "the model can't be read"));
  };
  model.onChange(({ version }) => bus.publish(CHANNEL, version));
  const unsubscribe = bus.subscribe(CHANNEL, (version) => {
    if (version !== model().version) refresh();
  });
  const stopChecking = every(CHECK_INTERVAL_MS, refresh);
  return () => {
    stopChecking();
    unsubscribe();
  };
}
