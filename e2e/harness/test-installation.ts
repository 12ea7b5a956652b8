import pg from "pg";
import type { ServerUrls, TestDatabase } from "../provision/create-database.ts";
import { type DatabaseKind, databases } from "../provision/databases.ts";
import { owner, ServerProcess } from "./server-process.ts";
import { signIn, type TestUser } from "./test-user.ts";

export interface TestInstallationOptions {
  environment?: Record<string, string>;
  /** By default the embedded Postgres. */
  kind?: DatabaseKind | undefined;
}

/** A running server with a database of its own, its owner signed in, and another program in Postgres. */
export class TestInstallation implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly ownerUser: TestUser;
  readonly program: pg.Client;
  readonly databaseUrl: string;
  /** The addresses of the database: as its owner, and as a superuser. */
  readonly database: ServerUrls;
  readonly #drop: () => Promise<void>;

  private constructor(
    server: ServerProcess,
    ownerUser: TestUser,
    program: pg.Client,
    database: TestDatabase,
  ) {
    this.server = server;
    this.ownerUser = ownerUser;
    this.program = program;
    this.databaseUrl = database.url;
    this.database = { url: database.url, adminUrl: database.adminUrl };
    this.#drop = database.drop;
  }

  static async open({
    environment,
    kind = databases[0],
  }: TestInstallationOptions = {}): Promise<TestInstallation> {
    const database = await createInstalled(kind, environment?.WATCHFLOOR_TEMPLATE);
    const server = await ServerProcess.start({
      environment: { DATABASE_URL: database.url, ...environment },
    });
    const program = new pg.Client({ connectionString: database.url });
    await program.connect();
    const ownerUser = await signIn(server.url, owner).catch((error: Error) => {
      throw new Error(`${error.message}\n${server.output}`, { cause: error });
    });
    return new TestInstallation(server, ownerUser, program, database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program.end();
    await this.server[Symbol.asyncDispose]();
    await this.#drop();
  }
}

/**
 * A database as the first start of a server leaves it: with its owner, and the service desk or another template. A copy, so
 * that a test does without the work of a first start.
 */
export function createInstalled(
  kind: DatabaseKind | undefined,
  template = "service-desk",
): Promise<TestDatabase> {
  if (!kind) throw new Error("There is no database to test on.");
  return kind.createPrepared(`server_${template}`, async ({ url }) => {
    const environment = { DATABASE_URL: url, WATCHFLOOR_TEMPLATE: template };
    await using _server = await ServerProcess.start({ environment });
  });
}
