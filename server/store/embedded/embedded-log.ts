/** The two levels that the embedded database speaks in; pino's logger and a test's array both fit. */
export interface EmbeddedLog {
  info(message: string): void;
  warn(message: string): void;
}
