import pg from "pg";
import type { Json } from "../../shared/filter/filter.ts";
import type { Model, Table, Values } from "../../shared/model/model.ts";
import type { ChangesMessage } from "../../shared/protocol/feed.ts";
import type { SeededRandom } from "../convergence/seeded-random.ts";
import { owner, ServerProcess } from "../harness/server-process.ts";
import { addUser, signIn, type TestUser } from "../harness/test-user.ts";
import type { TestDatabase } from "../provision/create-database.ts";
import type { DatabaseKind } from "../provision/databases.ts";
import { FollowedTable } from "../rights/followed-table.ts";
import { TappedLine } from "../rights/tapped-line.ts";
import { asWire, jobs, tableOf, teams } from "./crossing-model.ts";
import { Typist } from "./typist.ts";

/** What a role grants on the jobs, by ids of fields: the reference reads these, the server their REST form. */
export interface CrossingGrant {
  /** Only jobs up to this size; all if null. */
  sizeUpTo: number | null;
  hidesSecret: boolean;
  mayUpdate: boolean;
  history: boolean;
}

/** A worker on the jobs, and what their connection holds of them. */
export interface Worker {
  user: TestUser;
  role: string;
  grant: CrossingGrant;
  line: TappedLine;
  followed: FollowedTable;
}

/** A copy of the database, and what the world knew of it then. */
interface WorldBackup {
  database: TestDatabase;
  logged: number;
  grants: CrossingGrant[];
  countsAbove: number | null;
  views: [string, number][];
}

const WORKERS = 2;
const environment = {
  WATCHFLOOR_TEMPLATE: "empty",
  LOG_SWEEP_INTERVAL_MS: "300",
  SOCKET_MESSAGES_PER_SECOND: "100000",
  // Each model version is another evaluation, and lives on for a minute.
  EVALUATIONS_PER_USER_AND_BOARD: "1000",
  EVALUATIONS_PER_USER: "1000",
};

/** One installation whose parts are all used at random: its server, its database, and its workers. */
export class CrossingWorld implements AsyncDisposable {
  readonly random: SeededRandom;
  server!: ServerProcess;
  ownerUser!: TestUser;
  program!: pg.Client;
  readonly workers: Worker[] = [];
  wallboard = "";
  /** Ids of the jobs that were ever made. */
  readonly records: string[] = [];
  /** Change sets that were applied. */
  readonly sets: string[] = [];
  /** The wallboard's tile counts jobs above this size; all if null. */
  countsAbove: number | null = null;
  /** Shared views of jobs above a size, by id. */
  readonly views = new Map<string, number>();
  typist!: Typist;
  /** The present name of the table of jobs. */
  #table = jobs.name;
  readonly #kind: DatabaseKind;
  readonly #database: TestDatabase;
  #backup: WorldBackup | null = null;
  /** Rows of the log; only a restore of the database makes them fewer. */
  logged = 0;
  #serial = 0;

  private constructor(kind: DatabaseKind, database: TestDatabase, random: SeededRandom) {
    this.#kind = kind;
    this.#database = database;
    this.random = random;
  }

  static async open(kind: DatabaseKind, random: SeededRandom): Promise<CrossingWorld> {
    const world = new CrossingWorld(kind, await kind.create(), random);
    const settings = { ...environment, DATABASE_URL: world.#database.url };
    world.server = await ServerProcess.start({ environment: settings });
    await world.#connectProgram();
    world.ownerUser = await signIn(world.server.url, owner);
    await world.saveModel((model) => ({ ...model, tables: [...model.tables, jobs, teams] }));
    for (let index = 0; index < WORKERS; index++) await world.#addWorker(index);
    const layout = { x: 0, y: 0, w: 3, h: 2 };
    const tiles = [
      { id: "count", kind: "number", table: "jobs", layout },
      { id: "sum", kind: "number", table: "jobs", measure: { op: "sum", field: "size" }, layout },
      { id: "states", kind: "breakdown", table: "jobs", group: "state", layout },
    ];
    const call = { name: "Crossing", tiles };
    world.wallboard = (await world.ownerUser.call<{ id: string }>("POST", "/wallboards", call)).id;
    world.typist = await Typist.open(world);
    return world;
  }

  anyWorker(): Worker {
    return this.random.pick(this.workers);
  }

  /** A call of the owner that may be refused, but must not fail. Returns how it ended. */
  async attempt(method: string, path: string, body?: object): Promise<string> {
    const refused = await this.ownerUser.call(method, path, body).then(
      () => null,
      (error: Error) => error,
    );
    if (refused && / 500 /.test(refused.message)) throw refused;
    return refused ? refused.message.slice(0, 120) : "done";
  }

  /** A text that nobody wrote before. */
  unique(): string {
    this.#serial += 1;
    return `text ${this.#serial}`;
  }

  model(): Promise<Model> {
    return this.ownerUser.call<Model>("GET", "/model");
  }

  async jobs(): Promise<Table> {
    return tableOf(await this.model(), "jobs") as Table;
  }

  /** Publishes another model, which must be accepted. */
  async saveModel(change: (model: Model) => Model): Promise<void> {
    await this.ownerUser.call("PUT", "/model", change(await this.model()));
    await this.#followName();
  }

  /** A worker that asked by the former name was answered that there is no such table. */
  async #followName(): Promise<void> {
    const { name } = await this.jobs();
    const isSame = name === this.#table;
    this.#table = name;
    if (!isSame) for (const { followed } of this.workers) await followed.begin();
  }

  async grant(worker: Worker, grant: CrossingGrant): Promise<void> {
    const table = await this.jobs();
    await this.ownerUser.call("PATCH", `/roles/${worker.role}`, { grants: grantsOf(table, grant) });
    worker.grant = grant;
  }

  /** The stored jobs, under the ids of their fields. */
  async stored(): Promise<Map<string, Values>> {
    const table = await this.jobs();
    const columns = table.fields.map(
      ({ id, name, column = name }) => [id ?? name, column] as const,
    );
    const { rows } = await this.program.query(`select * from "${table.name}"`);
    return new Map(
      rows.map((row: Record<string, Json>) => [
        String(row.id),
        Object.fromEntries(columns.map(([id, column]) => [id, asWire(row[column])])),
      ]),
    );
  }

  /** Kills the server and starts it again on the same database. */
  async restart(): Promise<void> {
    await this.server.kill("SIGKILL");
    await this.server.start();
    for (const worker of this.workers) await this.reconnect(worker);
  }

  async reconnect({ line, followed }: Worker): Promise<void> {
    line.socket.disconnect();
    await line.open();
    await followed.resume();
  }

  /** Stores a copy of the whole database, to be restored later. */
  async backUp(): Promise<void> {
    await this.#offline(async () => {
      await this.#backup?.database.drop();
      const database = await this.#kind.create(this.#database.name);
      const grants = this.workers.map(({ grant }) => grant);
      const { logged, countsAbove } = this;
      this.#backup = { database, logged, grants, countsAbove, views: [...this.views] };
    });
  }

  /** Replaces the database by the copy; false if there is none. */
  async restoreBackup(): Promise<boolean> {
    const backup = this.#backup;
    if (!backup) return false;
    const committed = await this.typist.committed();
    await this.#offline(async () => {
      await this.#database.drop();
      await this.#kind.create(backup.database.name, this.#database.name);
    });
    await this.typist.onRestored(committed);
    this.logged = backup.logged;
    this.countsAbove = backup.countsAbove;
    this.views.clear();
    for (const [id, above] of backup.views) this.views.set(id, above);
    await this.#followName();
    for (const [index, worker] of this.workers.entries()) {
      worker.grant = backup.grants[index] as CrossingGrant;
    }
    return true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.typist?.stop();
    for (const { line } of this.workers) line.close();
    await this.program.end();
    await this.server[Symbol.asyncDispose]();
    await this.#backup?.database.drop();
    await this.#database.drop();
  }

  async #offline(work: () => Promise<void>): Promise<void> {
    await this.program.end();
    await this.server.kill("SIGKILL");
    await work();
    await this.server.start();
    await this.#connectProgram();
    for (const worker of this.workers) await this.reconnect(worker);
  }

  async #connectProgram(): Promise<void> {
    this.program = new pg.Client({ connectionString: this.#database.url });
    await this.program.connect();
  }

  async #addWorker(index: number): Promise<void> {
    const grant = { sizeUpTo: null, hidesSecret: false, history: true, mayUpdate: true };
    const grants = grantsOf(jobs, grant);
    const call = { name: `Worker ${index}`, rights: [], grants };
    const { id: role } = await this.ownerUser.call<{ id: string }>("POST", "/roles", call);
    const { url } = this.server;
    const user = await addUser(url, this.ownerUser, `Worker ${index}`, role);
    const line = new TappedLine({ url, token: user.token }, () => {});
    const followed = new FollowedTable(
      () => this.#table,
      (event, message) => line.call(event, message) as never,
    );
    line.socket.on("changes", (frame: ChangesMessage) => followed.take(frame));
    // The server may be killed before it answers: then the table is read again after the reconnection.
    const readAgain = () => void followed.begin().catch(() => undefined);
    line.socket.on("resync", readAgain);
    line.socket.on("model", readAgain);
    await line.open();
    await followed.begin();
    this.workers.push({ user, role, grant, line, followed });
  }
}

function grantsOf(table: Table, grant: CrossingGrant): object {
  const { sizeUpTo, hidesSecret, history, mayUpdate } = grant;
  const nameOf = (id: string) => table.fields.find((field) => field.id === id)?.name as string;
  const filter = { field: nameOf("size"), op: "lte", value: sizeUpTo };
  const read = {
    ...(sizeUpTo !== null && { filter }),
    hide: hidesSecret ? [nameOf("secret")] : [],
  };
  const all = { create: true, update: mayUpdate, delete: true, transitions: true, history };
  return { [table.name]: { read, ...all } };
}
