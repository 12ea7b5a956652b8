import type { Pairing, PairingState } from "../../../../shared/protocol/displays.ts";
import type { Clock } from "../../sync/clock.ts";
import { askServer } from "./ask-server.ts";

const LOOK_MS = 2_000;
const TRY_AGAIN_MS = 4_000;
/** A code is replaced before it ends, so that nobody types one that ends while they type. */
const RENEW_BEFORE_MS = 30_000;

interface Deps {
  clock: Clock;
  ask?: typeof askServer;
  /** The code to show; null while none can be had. */
  onCode: (pairing: Pairing | null) => void;
  onPaired: () => void;
}

/** Shows codes until somebody takes the screen up. Returns the way to stop. */
export function beginPairing({ clock, ask = askServer, onCode, onPaired }: Deps): () => void {
  let isStopped = false;
  let cancel = () => {};
  const later = (ms: number, task: () => Promise<void>) => {
    if (!isStopped) cancel = clock.after(ms, () => void task());
  };

  async function begin(): Promise<void> {
    const reply = await ask<Pairing>("POST", "/display/pairing");
    if (isStopped) return;
    if (reply.kind !== "answer" || typeof reply.body?.code !== "string") {
      onCode(null);
      const asked = reply.kind === "refused" ? reply.retryAfterMs : 0;
      return later(Math.max(asked, TRY_AGAIN_MS), begin);
    }
    onCode(reply.body);
    const lasts = Date.parse(reply.body.expires) - Date.parse(reply.body.now);
    const until = clock.now() + Math.max(lasts - RENEW_BEFORE_MS, lasts / 2);
    later(LOOK_MS, () => look(until));
  }

  async function look(until: number): Promise<void> {
    const reply = await ask<PairingState>("GET", "/display/pairing");
    if (isStopped) return;
    if (reply.kind === "answer" && reply.body?.state === "paired") return onPaired();
    const isOver = reply.kind === "answer" && reply.body?.state === "expired";
    if (isOver || clock.now() > until) return begin();
    later(LOOK_MS, () => look(until));
  }

  void begin();
  return () => {
    isStopped = true;
    cancel();
  };
}
