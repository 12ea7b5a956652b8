import type { Pairing, PairingState } from "../../../../shared/protocol/displays.ts";
import type { Clock } from "../../sync/clock.ts";
import { askServer } from "./ask-server.ts";

const LOOK_MS = 2_000;
const TRY_AGAIN_MS = 4_000;
/** A code is replaced before it ends, so that nobody types one that ends while they type. */
const RENEW_BEFORE_MS = 30_000;

/**
 * The code to show. A browser has one at a time, whichever of its tabs asked last: the others say that it is
 * `elsewhere`. Null while none can be had.
 */
export type ShownCode = Pairing | "elsewhere" | null;

interface Deps {
  clock: Clock;
  ask?: typeof askServer;
  onCode: (code: ShownCode) => void;
  /** The screen was taken up, or no code of this browser counts any more, as when another tab was quicker. */
  onOver: () => void;
}

/** Shows codes until somebody takes the screen up. Returns the way to stop. */
export function beginPairing({ clock, ask = askServer, onCode, onOver }: Deps): () => void {
  let isStopped = false;
  let cancel = () => {};
  const later = (ms: number, task: () => Promise<void>) => {
    if (!isStopped) cancel = clock.after(ms, () => void task());
  };
  const askState = async (): Promise<Partial<PairingState>> => {
    const reply = await ask("GET /display/pairing");
    return (reply.kind === "answer" && reply.body) || {};
  };

  /** A page that was loaded anew while somebody typed its code has been taken up already. */
  async function start(): Promise<void> {
    const { state } = await askState();
    if (isStopped) return;
    if (state === "paired") onOver();
    else void begin();
  }

  async function begin(): Promise<void> {
    const reply = await ask("POST /display/pairing");
    if (isStopped) return;
    if (reply.kind !== "answer" || typeof reply.body?.code !== "string") {
      onCode(null);
      const asked = reply.kind === "refused" ? reply.retryAfterMs : 0;
      return later(Math.max(asked, TRY_AGAIN_MS), begin);
    }
    const shown = reply.body;
    onCode(shown);
    const lasts = Date.parse(shown.expires) - Date.parse(shown.now);
    const until = clock.now() + Math.max(lasts - RENEW_BEFORE_MS, lasts / 2);
    later(LOOK_MS, () => look(shown, until));
  }

  async function look(shown: Pairing | "elsewhere", until: number): Promise<void> {
    const { state, expires } = await askState();
    if (isStopped) return;
    if (state === "paired" || state === "expired") return onOver();
    if (shown !== "elsewhere" && expires !== undefined && expires !== shown.expires) {
      onCode("elsewhere");
      return later(LOOK_MS, () => look("elsewhere", Number.POSITIVE_INFINITY));
    }
    if (clock.now() > until) return begin();
    later(LOOK_MS, () => look(shown, until));
  }

  void start();
  return () => {
    isStopped = true;
    cancel();
  };
}
