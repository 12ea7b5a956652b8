import { pino } from "pino";
import { afterAll } from "vitest";
import { startServer } from "../../../server/start-server.ts";
import { testConfig } from "../../harness/test-config.ts";
import { anyDatabase, type DatabaseKind } from "../../provision/databases.ts";
import { leaveBrowser, openBrowser } from "./browser.ts";

/**
 * The whole product: the real server with the built client, on a database of its own and a free port. The
 * server's log at `warn` and above is recorded for the test.
 */
export interface Product {
  url: string;
  /** Where there is no owner yet: the one-time link, on this product's port. */
  setupLink: string | null;
  log: string[];
  /** The connection string of its database. */
  databaseUrl: string;
  close(): Promise<void>;
}

export const owner = { email: "mara@example.com", password: "a quite long sentence" };

/** What differs from a product with an owner and the service desk. */
export interface ProductOptions {
  /** Without an owner, set-up is still to be done. */
  withOwner?: boolean;
  environment?: Record<string, string>;
  database?: DatabaseKind;
}

/** A browser and a product for all tests of a file, which are closed after them. */
export async function openProduct(options: ProductOptions = {}) {
  const [browser, product] = await Promise.all([openBrowser(), startProduct(options)]);
  afterAll(async () => {
    await leaveBrowser(browser);
    await product.close();
  });
  return { browser, product };
}

export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const { withOwner = true, environment = {}, database = anyDatabase } = options;
  if (!database) throw new Error("There is no database to test on.");
  const { WATCHFLOOR_TEMPLATE = "service-desk" } = environment;
  const own = withOwner
    ? await database.createPrepared(`product_${WATCHFLOOR_TEMPLATE}`, ({ url }) =>
        setUp(url, { WATCHFLOOR_TEMPLATE }),
      )
    : await database.create();
  const log: string[] = [];
  const server = await start(own.url, environment, log);
  return {
    url: server.url,
    setupLink: server.setupLink,
    log,
    databaseUrl: own.url,
    async close() {
      await server.stop();
      await own.drop();
    },
  };
}

/** Sets an installation up with its owner, as the first start of a server does. */
async function setUp(databaseUrl: string, environment: Record<string, string>): Promise<void> {
  const byOwner = {
    WATCHFLOOR_OWNER_EMAIL: owner.email,
    WATCHFLOOR_OWNER_PASSWORD: owner.password,
  };
  const server = await start(databaseUrl, { ...environment, ...byOwner }, []);
  await server.stop();
}

function start(databaseUrl: string, environment: Record<string, string>, log: string[]) {
  const config = testConfig({
    HOST: "127.0.0.1",
    PORT: "0",
    DATABASE_URL: databaseUrl,
    WATCHFLOOR_TEMPLATE: "service-desk",
    ...environment,
  });
  const logger = pino({ level: "warn" }, { write: (line: string) => log.push(line) });
  return startServer(config, logger);
}
