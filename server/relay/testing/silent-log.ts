import type { Log } from "../log.ts";

/** For tests: deliberate faults need no log lines. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
