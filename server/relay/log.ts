import type { Logger } from "pino";

/** The part of the logger that the relay needs. */
export type Log = Pick<Logger, "info" | "warn" | "error">;
