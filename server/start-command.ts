import { configOrExit } from "./config/config.ts";
import { unknownSettings } from "./config/settings.ts";
import { createLog } from "./create-log.ts";
import { startFailure } from "./start-failure.ts";
import { onStopSignal } from "./stop-signals.ts";
import { defineCommand } from "./terminal/command.ts";

/** The server's process: reads the configuration and handles signals; start-server.ts does everything else. */

export const command = defineCommand({
  usage: `watchfloor start     runs the server, on http://localhost:3000 with a Postgres of its own

It takes no options: the environment says what differs (PORT, HOST, DATA_DIR, DATABASE_URL, REDIS_URL,
PUBLIC_URL, …). docs/guides/configuration.md lists all variables. Also: npm start`,
  options: {},
  run: start,
});

async function start(): Promise<number> {
  const config = configOrExit();
  const log = createLog(config.logLevel);
  for (const name of unknownSettings(process.env)) log.warn({ name }, "not a setting: ignored");
  // Imported late: an invalid configuration does not need it.
  const stopping = new AbortController();
  const starting = import("./start-server.ts").then(({ startServer }) =>
    startServer(config, log, stopping.signal),
  );
  const end = (reason: string) => {
    log.warn(unfinished(), reason);
    process.exit(1);
  };
  let unfinished = (): object => ({ parts: ["the start"] });
  const stop = () => {
    setTimeout(end, config.limits.STOP_TIMEOUT_MS, "ended before the stop was complete");
    stopping.abort();
    // A start that is under way fails, or succeeds if it was nearly complete.
    starting
      .then((server) => server.stop())
      .then(
        (isComplete) => process.exit(isComplete ? 0 : 1),
        (error: unknown) => {
          log.error({ err: error }, "the server did not stop cleanly");
          process.exit(1);
        },
      );
  };
  // A second signal waits for nothing more: acknowledged edits are safe at any moment.
  onStopSignal(stop, () => end("ended by a second signal"));
  try {
    const server = await starting;
    const { url, setupLink } = server;
    unfinished = server.unfinished;
    console.log(`\nWatchfloor is running on ${url}`);
    if (setupLink) console.log(`Set it up here (once): ${setupLink}`);
    return 0;
  } catch (error) {
    if (error === stopping.signal.reason) process.exit(0);
    console.error(startFailure(error, config));
    process.exit(1);
  }
}
