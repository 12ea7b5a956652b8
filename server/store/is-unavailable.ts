/**
 * Whether a failure means that the store can't be reached or does not take us now, rather than that
 * the call was wrong: what is told as `unavailable` and may be tried again.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return codes.has(code) || code.startsWith("08") || sentences.test(error.message);
}

/**
 * Of the network, of a Postgres that starts, stops or is full, and of one in which others were in the way:
 * serialisation failure, deadlock, a lock that did not come, a statement or session that took too long.
 */
const codes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "ENOENT",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "53100",
  "53200",
  "40001",
  "40P01",
  "55P03",
  "57014",
  "57P05",
  "25P03",
]);

/** node-postgres gives these no code. */
const sentences =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after)/i;

/** Whether Postgres has ended a statement because it took longer than it may. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57014";
}

/** Whether Postgres could not take a text because it holds NUL: the caller's fault. */
export function holdsNul(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(22021|22P05)$/.test(String(error.code));
}
