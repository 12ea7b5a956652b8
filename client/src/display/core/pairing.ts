import type { Pairing, PairingState } from "../../../../shared/protocol/displays.ts";
import type { Clock } from "../../sync/clock.ts";
import { requestServer } from "./server-request.ts";

const POLL_MS = 2_000;
const RETRY_MS = 4_000;
/** A code is replaced before it ends, so that nobody types one that ends while they type. */
const RENEW_BEFORE_MS = 30_000;

/**
 * The code to show. A browser has one at a time, whichever of its tabs asked last: the others say that it is
 * `elsewhere`. Null while none can be had.
 */
export type ShownCode = Pairing | "elsewhere" | null;

/** Shows codes until somebody takes the screen up. Returns the way to stop. */
export function startPairing({
  clock,
  request = requestServer,
  onCode,
  onEnd,
}: {
  clock: Clock;
  request?: typeof requestServer;
  onCode: (code: ShownCode) => void;
  /** The screen was taken up, or no code of this browser counts any more, as when another tab was quicker. */
  onEnd: () => void;
}): () => void {
  let isStopped = false;
  let cancel = () => {};
  const schedule = (ms: number, task: () => Promise<void>) => {
    if (!isStopped) cancel = clock.after(ms, () => void task());
  };
  const requestState = async (): Promise<Partial<PairingState>> => {
    const reply = await request("GET /display/pairing");
    return (reply.kind === "answer" && reply.body) || {};
  };

  /** A page that was loaded anew while somebody typed its code has been taken up already. */
  async function start(): Promise<void> {
    const { state } = await requestState();
    if (isStopped) return;
    if (state === "paired") onEnd();
    else void begin();
  }

  async function begin(): Promise<void> {
    const reply = await request("POST /display/pairing");
    if (isStopped) return;
    if (reply.kind !== "answer" || typeof reply.body?.code !== "string") {
      onCode(null);
      const delayMs = reply.kind === "refused" ? reply.retryAfterMs : 0;
      return schedule(Math.max(delayMs, RETRY_MS), begin);
    }
    const shown = reply.body;
    onCode(shown);
    const lasts = Date.parse(shown.expires) - Date.parse(shown.now);
    const until = clock.now() + Math.max(lasts - RENEW_BEFORE_MS, lasts / 2);
    schedule(POLL_MS, () => poll(shown, until));
  }

  async function poll(shown: Pairing | "elsewhere", until: number): Promise<void> {
    const { state, expires } = await requestState();
    if (isStopped) return;
    if (state === "paired" || state === "expired") return onEnd();
    if (shown !== "elsewhere" && expires !== undefined && expires !== shown.expires) {
      onCode("elsewhere");
      return schedule(POLL_MS, () => poll("elsewhere", Number.POSITIVE_INFINITY));
    }
    if (clock.now() > until) return begin();
    schedule(POLL_MS, () => poll(shown, until));
  }

  void start();
  return () => {
    isStopped = true;
    cancel();
  };
}
