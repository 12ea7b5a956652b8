import { pino } from "pino";
import { configOrExit } from "./config/config.ts";
import { startFailure } from "./start-failure.ts";
import { readFlags } from "./terminal/read-flags.ts";

/** The server's process: configuration in, signals obeyed, everything else in start-server.ts. */
readFlags(
  process.argv.slice(2),
  `npm start     the server, on http://localhost:3000 with a Postgres of its own

It takes no options: the environment says what differs (PORT, HOST, DATA_DIR, DATABASE_URL, REDIS_URL,
PUBLIC_URL, …). docs/guides/configuration.md lists all variables.`,
);
const config = configOrExit();
const log = pino({ level: config.logLevel });

// Loaded only now: a configuration that is refused needs nothing of it.
const starting = import("./start-server.ts").then(({ startServer }) => startServer(config, log));

/** One Ctrl-C arrives more than once: from the terminal, and from npm, which passes it on. */
const ONE_PRESS_MS = 1_000;
let stopRequestedAt: number | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    if (stopRequestedAt !== undefined) {
      // Asked again, it waits for nothing more: what was acknowledged is safe at any moment.
      if (performance.now() - stopRequestedAt > ONE_PRESS_MS) process.exit(1);
      return;
    }
    stopRequestedAt = performance.now();
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
