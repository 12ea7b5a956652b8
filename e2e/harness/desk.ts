import pg from "pg";
import type { ServerUrls, TestDatabase } from "../provision/create-database.ts";
import { type DatabaseKind, databases } from "../provision/databases.ts";
import { type Person, signIn } from "./person.ts";
import { owner, ServerProcess } from "./server-process.ts";

export interface DeskOptions {
  environment?: Record<string, string>;
  /** The embedded Postgres unless told. */
  kind?: DatabaseKind | undefined;
}

/** A running server with a database of its own, its owner signed in, and another program in Postgres. */
export class Desk implements AsyncDisposable {
  readonly server: ServerProcess;
  readonly boss: Person;
  readonly program: pg.Client;
  readonly databaseUrl: string;
  /** The addresses of the database: as its owner, and as a superuser. */
  readonly database: ServerUrls;
  readonly #drop: () => Promise<void>;

  private constructor(
    server: ServerProcess,
    boss: Person,
    program: pg.Client,
    database: TestDatabase,
  ) {
    this.server = server;
    this.boss = boss;
    this.program = program;
    this.databaseUrl = database.url;
    this.database = { url: database.url, adminUrl: database.adminUrl };
    this.#drop = database.drop;
  }

  static async open({ environment, kind = databases[0] }: DeskOptions = {}): Promise<Desk> {
    const { WATCHFLOOR_TEMPLATE = "service-desk" } = environment ?? {};
    const database = await (kind as DatabaseKind).createPrepared(
      `server_${WATCHFLOOR_TEMPLATE}`,
      ({ url }) => setUp({ DATABASE_URL: url, WATCHFLOOR_TEMPLATE }),
    );
    const server = await ServerProcess.start({
      environment: { DATABASE_URL: database.url, ...environment },
    });
    const program = new pg.Client({ connectionString: database.url });
    await program.connect();
    const boss = await signIn(server.url, owner).catch((error: Error) => {
      throw new Error(`${error.message}\n${server.output}`, { cause: error });
    });
    return new Desk(server, boss, program, database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program.end();
    await this.server[Symbol.asyncDispose]();
    await this.#drop();
  }
}

/** Sets an installation up with its owner, as the first start of a server does. */
async function setUp(environment: Record<string, string>): Promise<void> {
  await using _server = await ServerProcess.start({ environment });
}
