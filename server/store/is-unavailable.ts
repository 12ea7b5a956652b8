/**
 * Whether a failure means that the store can't be reached or does not accept us now, rather than that the
 * call was wrong: it is answered `unavailable` and may be repeated.
 */
export function isUnavailable(error: unknown): boolean {
  return isUnreachable(error) || isContention(error) || codeOf(error) === IDLE_TOO_LONG;
}

/** Whether the database can't be reached, starts, stops, is full, or accepts no changes. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isUnreachable)) return true;
  return (
    unreachableCodes.test(codeOf(error)) ||
    (error instanceof Error && sentences.test(error.message))
  );
}

/** Whether concurrent transactions caused an error: a repeat may well succeed. */
export function isContention(error: unknown): boolean {
  return contentionCodes.has(codeOf(error));
}

/** Whether another transaction did not release its lock in time. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === "55P03";
}

/** Whether Postgres ended a statement, because of its time-out or because we cancelled it. */
export function isTimedOut(error: unknown): boolean {
  return codeOf(error) === "57014";
}

/** Whether Postgres refused a text because it contains NUL: the caller's error. */
export function holdsNul(error: unknown): boolean {
  return /^(22021|22P05)$/.test(codeOf(error));
}

/** A transaction paused for too long, so its connection was ended. Postgres can be reached: its parts are tried again. */
const IDLE_TOO_LONG = "25P03";

/**
 * Classes of SQLSTATE, and codes of the network. 25006: a standby, or a primary that was replaced; 26000 and 42P05: another session
 * than the one in which we prepared our statements (database-server.ts).
 */
const unreachableCodes =
  /^(08|25006|26000|42P05|53|57P0|EAI_AGAIN|ECONN|EHOSTUNREACH|ENOENT|ENOTFOUND|EPIPE|ETIMEDOUT)/;

/** node-postgres gives these no code. */
const sentences =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after)|not queryable/i;

/** Serialisation failure, deadlock, a lock that was not granted, a statement that took too long. */
const contentionCodes = new Set(["40001", "40P01", "55P03", "57014"]);

function codeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? code : "";
}
