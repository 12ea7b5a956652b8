import pg from "pg";
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
  readonly #drop: () => Promise<void>;

  private constructor(
    server: ServerProcess,
    boss: Person,
    program: pg.Client,
    database: { url: string; drop(): Promise<void> },
  ) {
    this.server = server;
    this.boss = boss;
    this.program = program;
    this.databaseUrl = database.url;
    this.#drop = database.drop;
  }

  static async open({ environment, kind = databases[0] }: DeskOptions = {}): Promise<Desk> {
    const database = await (kind as DatabaseKind).create();
    const server = await ServerProcess.start({
      environment: { DATABASE_URL: database.url, ...environment },
    });
    const program = new pg.Client({ connectionString: database.url });
    await program.connect();
    return new Desk(server, await signIn(server.url, owner), program, database);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program.end();
    await this.server[Symbol.asyncDispose]();
    await this.#drop();
  }
}
