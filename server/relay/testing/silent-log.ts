import type { Log } from "../log.ts";

/** For tests: the faults that they make on purpose need no lines. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
