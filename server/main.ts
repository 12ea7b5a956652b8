import { pino } from "pino";
import { configOrExit } from "./config/config.ts";
import { startFailure } from "./start-failure.ts";
import { startServer } from "./start-server.ts";

/** The server's process: configuration in, signals obeyed, everything else in start-server.ts. */
const config = configOrExit();
const log = pino({ level: config.logLevel });

const starting = startServer(config, log);

/** One Ctrl-C arrives more than once: from the terminal, and from npm, which passes it on. */
const ONE_PRESS_MS = 1_000;
let askedAt: number | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (askedAt !== undefined) {
      // Asked again, it waits for nothing more: what was acknowledged is safe at any moment.
      if (performance.now() - askedAt > ONE_PRESS_MS) process.exit(1);
      return;
    }
    askedAt = performance.now();
    // One that is still starting is let start first: it can be stopped whole only then.
    starting
      .then((server) => server.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, "the server did not stop cleanly");
          process.exit(1);
        },
      );
  });
}

try {
  const { url, setupLink } = await starting;
  console.log(`\nWatchfloor is running on ${url}`);
  if (setupLink) console.log(`Set it up here (once): ${setupLink}`);
} catch (error) {
  console.error(startFailure(error, config));
  process.exit(1);
}
