import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { EditOutcome } from "../../client/src/sync/edits/pending-edits.ts";
import type { TestUser } from "./test-user.ts";
import { headOf, type Watcher } from "./watcher.ts";
import { workableIncident } from "./workable-incident.ts";

const EVERY_MS = 20;

/** Users who continuously edit, each their own records, until stopped; and the results. */
export class EditLoad {
  readonly #watchers: readonly Watcher[];
  readonly #outcomes: Promise<EditOutcome>[] = [];
  readonly #running: Promise<void>;
  readonly #before: number;
  /** Nobody writes the same twice: that would be no change. */
  readonly #text = randomUUID();
  #stopping = false;

  private constructor(watchers: readonly Watcher[], before: number) {
    this.#watchers = watchers;
    this.#before = before;
    this.#running = this.#run();
  }

  static async begin(ownerUser: TestUser, watchers: readonly Watcher[]): Promise<EditLoad> {
    return new EditLoad(watchers, await headOf(ownerUser));
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#stopping; n++) {
      for (const [index, screen] of this.#watchers.entries()) this.#edit(screen, index, n);
      await sleep(EVERY_MS);
    }
  }

  #edit(screen: Watcher, index: number, n: number): void {
    const record = workableIncident(100 + ((n * this.#watchers.length + index) % 80));
    const base = { location: screen.values(record)?.location ?? null };
    const set = { location: `${this.#text} ${index} ${n}` };
    this.#outcomes.push(screen.core.edits.edit("incidents", { record, set, base }).outcome);
  }

  /** Stops and returns how many changes there should be, and how many there are. */
  async end(ownerUser: TestUser): Promise<{ expected: number; logged: number; head: number }> {
    this.#stopping = true;
    await this.#running;
    const outcomes = await Promise.all(this.#outcomes);
    const expected = outcomes.filter(({ kind }) => kind === "confirmed").length;
    const head = await headOf(ownerUser);
    return { expected, logged: head - this.#before, head };
  }
}
