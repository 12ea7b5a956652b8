/** The two log levels of the embedded database; pino's logger and a test's array both fit. */
export interface EmbeddedLog {
  info(message: string): void;
  warn(message: string): void;
}
