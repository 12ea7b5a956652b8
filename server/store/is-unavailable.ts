/**
 * Whether a failure means that the store can't be reached or does not accept us now, rather than that the
 * call was wrong: it is answered `unavailable` and may be repeated.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return codes.has(code) || code.startsWith("08") || sentences.test(error.message);
}

/**
 * Of the network, of a Postgres that starts, stops or is full, and of concurrent transactions: serialisation
 * failure, deadlock, a lock that was not granted, a statement or session that took too long.
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
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after)/i;

/** Whether Postgres ended a statement because of its time-out. */
export function isTimedOut(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "57014";
}

/** Whether Postgres refused a text because it contains NUL: the caller's error. */
export function holdsNul(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(22021|22P05)$/.test(String(error.code));
}
