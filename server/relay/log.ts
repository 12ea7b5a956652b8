import type { Logger } from "pino";

/** What the outward half needs of the logger. */
export type Log = Pick<Logger, "info" | "warn" | "error">;
