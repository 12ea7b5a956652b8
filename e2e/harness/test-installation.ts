import pg from "pg";
import type { ServerUrls, TestDatabase } from "../provision/create-database.ts";
import { anyDatabase, type DatabaseKind } from "../provision/databases.ts";
import { ServerInProcess } from "./server-in-process.ts";
import { owner, ServerProcess } from "./server-process.ts";
import { signIn, type TestUser } from "./test-user.ts";

export interface TestInstallationOptions {
  environment?: Record<string, string>;
  /** By default the embedded Postgres. */
  kind?: DatabaseKind | undefined;
}

/** What a test knows of a server, whether or not it runs in a process of its own. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  /** What it has logged. */
  readonly output: string;
}

type StartServer<Server> = (environment: Record<string, string>) => Promise<Server>;

/** A running server with a database of its own, its owner signed in, and another program in Postgres. */
export class TestInstallation<Server extends TestServer = TestServer> implements AsyncDisposable {
  readonly server: Server;
  readonly ownerUser: TestUser;
  readonly program: pg.Client;
  readonly databaseUrl: string;
  /** The addresses of the database: as its owner, and as a superuser. */
  readonly database: ServerUrls;
  readonly #drop: () => Promise<void>;

  private constructor(
    server: Server,
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

  /** With the server in a process of its own. */
  static open({
    productionPasswords = false,
    ...options
  }: TestInstallationOptions & { productionPasswords?: boolean } = {}): Promise<
    TestInstallation<ServerProcess>
  > {
    return TestInstallation.#openWith(
      (environment) => ServerProcess.start({ environment, productionPasswords }),
      options,
    );
  }

  /** With the server in the test's process, where its modules are loaded already. */
  static openInProcess(options?: TestInstallationOptions): Promise<TestInstallation> {
    return TestInstallation.#openWith((environment) => ServerInProcess.start(environment), options);
  }

  static async #openWith<Server extends TestServer>(
    start: StartServer<Server>,
    { environment, kind = anyDatabase }: TestInstallationOptions = {},
  ): Promise<TestInstallation<Server>> {
    const database = await createInstalled(kind, environment?.WATCHFLOOR_TEMPLATE);
    const server = await start({ DATABASE_URL: database.url, ...environment });
    const program = new pg.Client({ connectionString: database.url });
    await program.connect();
    const ownerUser = await signIn(server.url, owner).catch((error: Error) => {
      const cause = error.cause instanceof Error ? `: ${error.cause.message}` : "";
      throw new Error(`${error.message}${cause}\n${server.output}`, { cause: error });
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
    await using _server = await ServerInProcess.start(environment);
  });
}
