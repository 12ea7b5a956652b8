import { pino } from "pino";
import { type RunningServer, startServer } from "../../server/start-server.ts";
import { freePort } from "../provision/free-port.ts";
import { owner } from "./server-process.ts";
import { testConfig } from "./test-config.ts";

/**
 * The real server in the process of the test, with the owner and the service desk of a `ServerProcess`: for tests that
 * neither kill nor measure it.
 */
export class ServerInProcess implements AsyncDisposable {
  readonly #running: RunningServer;
  readonly #log: string[];
  /** Its own address, also where another one is public. */
  readonly url: string;

  private constructor(running: RunningServer, log: string[], url: string) {
    this.#running = running;
    this.#log = log;
    this.url = url;
  }

  static async start(environment: Record<string, string>): Promise<ServerInProcess> {
    const isPublic = environment.PUBLIC_URL !== undefined;
    const port = Number(environment.PORT ?? (isPublic ? await freePort() : 0));
    const config = testConfig({
      HOST: "127.0.0.1",
      PORT: String(port),
      WATCHFLOOR_OWNER_EMAIL: owner.email,
      WATCHFLOOR_OWNER_PASSWORD: owner.password,
      WATCHFLOOR_TEMPLATE: "service-desk",
      ...environment,
    });
    const log: string[] = [];
    const logger = pino({ level: "warn" }, { write: (line: string) => log.push(line) });
    const running = await startServer(config, logger);
    const url = port === 0 ? running.url : `http://127.0.0.1:${port}`;
    return new ServerInProcess(running, log, url);
  }

  /** What it has logged at `warn` and above. */
  get output(): string {
    return this.#log.join("");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running.stop();
  }
}
