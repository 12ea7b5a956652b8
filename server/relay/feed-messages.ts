import type { FeedState, LogSpan } from "../store/log-change.ts";

/**
 * What the relay says on the bus. Spans and heads share one channel, so that a head is never heard
 * before the spans that lead to it: a node that hears of a head beyond its own has missed something.
 */
export const FEEDS_CHANNEL = "feeds";
/** Of a node that has just committed, to the leader. The message is the table's name. */
export const HINT_CHANNEL = "hint";

export type FeedsMessage = { span: LogSpan } | { heads: FeedState[] };

/** Other nodes run the same code, or nearly so during an upgrade: what is not understood is not heard. */
export function readFeedsMessage(message: unknown): FeedsMessage | null {
  if (typeof message !== "object" || message === null) return null;
  if ("span" in message && isSpan(message.span)) return { span: message.span };
  if ("heads" in message && Array.isArray(message.heads) && message.heads.every(isState)) {
    return { heads: message.heads };
  }
  return null;
}

function isSpan(value: unknown): value is LogSpan {
  const span = value as LogSpan | null;
  return (
    typeof span === "object" &&
    span !== null &&
    typeof span.table === "string" &&
    typeof span.epoch === "string" &&
    Number.isSafeInteger(span.from) &&
    Array.isArray(span.changes) &&
    span.to === span.from + span.changes.length
  );
}

function isState(value: unknown): value is FeedState {
  const state = value as FeedState | null;
  return (
    typeof state === "object" &&
    state !== null &&
    typeof state.table === "string" &&
    typeof state.epoch === "string" &&
    Number.isSafeInteger(state.head) &&
    Number.isSafeInteger(state.floor)
  );
}
