import { isatty } from "node:tty";
import { type Logger, pino } from "pino";

const STDOUT = 1;

/**
 * The log of a server, on standard output. A terminal that was closed takes no more of it (EIO). The log then ends, as pino ends
 * one whose pipe is broken, and the server stops in order; pino itself would try again for ever when the process exits.
 */
export function createLog(level: string): Logger {
  // A terminal is written to at once, so that the failure is known before the exit.
  const out = pino.destination({ dest: STDOUT, sync: isatty(STDOUT) });
  out.prependListener("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EIO") error.code = "EPIPE";
  });
  return pino({ level }, out);
}
