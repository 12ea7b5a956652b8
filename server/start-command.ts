import { pino } from "pino";
import { configOrExit } from "./config/config.ts";
import { startFailure } from "./start-failure.ts";
import { defineCommand } from "./terminal/command.ts";

/** The server's process: reads the configuration and handles signals; start-server.ts does everything else. */

/** One Ctrl-C arrives more than once: from the terminal, and from npm, which passes it on. */
const ONE_PRESS_MS = 1_000;

export const command = defineCommand({
  usage: `watchfloor start     runs the server, on http://localhost:3000 with a Postgres of its own

It takes no options: the environment says what differs (PORT, HOST, DATA_DIR, DATABASE_URL, REDIS_URL,
PUBLIC_URL, …). docs/guides/configuration.md lists all variables. Also: npm start`,
  options: {},
  run: start,
});

async function start(): Promise<number> {
  const config = configOrExit();
  const log = pino({ level: config.logLevel });
  // Imported late: an invalid configuration does not need it.
  const starting = import("./start-server.ts").then(({ startServer }) => startServer(config, log));
  const end = (reason: string) => {
    log.warn(unfinished(), reason);
    process.exit(1);
  };
  let unfinished = (): object => ({ parts: ["the start"] });
  let stopRequestedAt: number | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopRequestedAt !== undefined) {
        // A second signal waits for nothing more: acknowledged edits are safe at any moment.
        if (performance.now() - stopRequestedAt > ONE_PRESS_MS) end("ended by a second signal");
        return;
      }
      stopRequestedAt = performance.now();
      setTimeout(end, config.limits.STOP_TIMEOUT_MS, "ended before the stop was complete");
      // A server that is still starting is started first: only then can it be stopped completely.
      starting
        .then((server) => server.stop())
        .then(
          (isComplete) => process.exit(isComplete ? 0 : 1),
          (error: unknown) => {
            log.error({ err: error }, "the server did not stop cleanly");
            process.exit(1);
          },
        );
    });
  }
  try {
    const server = await starting;
    const { url, setupLink } = server;
    unfinished = server.unfinished;
    console.log(`\nWatchfloor is running on ${url}`);
    if (setupLink) console.log(`Set it up here (once): ${setupLink}`);
    return 0;
  } catch (error) {
    console.error(startFailure(error, config));
    process.exit(1);
  }
}
