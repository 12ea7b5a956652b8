import { isDeepStrictEqual } from "node:util";
import { Listeners } from "../../../shared/listeners.ts";
import type { ChangeNotifier } from "../../store/change-notifier.ts";
import type { Database } from "../../store/database.ts";
import { oneAtATime } from "../../store/shared-reads.ts";
import {
  type Acknowledgement,
  listAcknowledgements,
  listWallboards,
} from "../../store/tiles/wallboards.ts";
import { readWallboard, type Wallboard } from "./stored-wallboard.ts";

/** A change of a wallboard that screens are notified of. */
export interface WallboardChange {
  wallboard: string;
  version: number;
  published: number | null;
  removed: boolean;
}

/**
 * All wallboards and acknowledgements, in the memory of this server: a thousand returning screens cost no query. They are read
 * again whenever the notifier says so.
 */
export class WallboardCache {
  readonly #database: Database;
  readonly #notifier: ChangeNotifier;
  readonly #listeners = new Listeners<WallboardChange[]>();
  #wallboards = new Map<string, Wallboard>();
  #acknowledgements = new Map<string, Acknowledgement>();
  #isStopped = false;
  #stopFollowing = () => {};
  /** Reads everything again. Afterwards, all that was committed before the call is in memory. */
  readonly refresh = oneAtATime(() => this.#read());

  constructor(database: Database, notifier: ChangeNotifier) {
    this.#database = database;
    this.#notifier = notifier;
  }

  async start(): Promise<void> {
    await this.refresh();
    // They follow the names of the model, in the transaction that publishes it.
    this.#stopFollowing = this.#notifier.on(["wallboards", "model"], () => this.refresh());
  }

  /** Stops. Resolves when the current read has ended; nothing is read afterwards. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#stopFollowing();
    await this.refresh().catch(() => undefined);
  }

  all(): Iterable<Wallboard> {
    return this.#wallboards.values();
  }

  get(id: string): Wallboard | undefined {
    return this.#wallboards.get(id);
  }

  /** The wallboard, also if it was created on another server just now. */
  async find(id: string): Promise<Wallboard | undefined> {
    if (!this.#wallboards.has(id)) await this.refresh();
    return this.#wallboards.get(id);
  }

  /** The acknowledgement of an alert. */
  acknowledgement(
    wallboard: string,
    tile: string,
    row: string,
    word: string,
  ): Acknowledgement | undefined {
    return this.#acknowledgements.get(acknowledgementKey({ wallboard, tile, row_key: row, word }));
  }

  /** Emits the changed wallboards. The list is empty if only an acknowledgement was added. */
  onChange(listener: (changes: WallboardChange[]) => void): () => void {
    return this.#listeners.add(listener);
  }

  async #read(): Promise<void> {
    if (this.#isStopped) return;
    const { kysely } = this.#database;
    const [rows, acknowledgements] = await Promise.all([
      listWallboards(kysely),
      listAcknowledgements(kysely),
    ]);
    const wallboards = rows.map(readWallboard).filter((wallboard) => wallboard !== null);
    this.#take(new Map(wallboards.map((wallboard) => [wallboard.id, wallboard])), acknowledgements);
  }

  #take(wallboards: Map<string, Wallboard>, acknowledgements: Acknowledgement[]): void {
    const before = this.#wallboards;
    const acknowledged = new Map(acknowledgements.map((one) => [acknowledgementKey(one), one]));
    const isSame = isDeepStrictEqual(acknowledged, this.#acknowledgements);
    this.#wallboards = wallboards;
    this.#acknowledgements = acknowledged;
    const changed = [...wallboards.values()].filter(
      (wallboard) => !isDeepStrictEqual(before.get(wallboard.id), wallboard),
    );
    const removed = [...before.values()].filter(({ id }) => !wallboards.has(id));
    if (changed.length + removed.length === 0 && isSame) return;
    const changes = [
      ...changed.map((wallboard) => toWallboardChange(wallboard, false)),
      ...removed.map((wallboard) => toWallboardChange(wallboard, true)),
    ];
    this.#listeners.emit(changes);
  }
}

function toWallboardChange(
  { id, version, published }: Wallboard,
  removed: boolean,
): WallboardChange {
  return { wallboard: id, version, published: published?.version ?? null, removed };
}

function acknowledgementKey(
  one: Pick<Acknowledgement, "wallboard" | "tile" | "row_key" | "word">,
): string {
  return JSON.stringify([one.wallboard, one.tile, one.row_key, one.word]);
}
