import type { SeededRandom } from "../convergence/seeded-random.ts";
import { canaryFields } from "./random-role.ts";
import type { Watcher } from "./watcher.ts";

/** Requests of change sets: what a set did, the way back, and edits of all records. */
export class CanaryChangeSets {
  /** Sets that were applied. */
  readonly applied: string[] = [];
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  /** `field` may be hidden. */
  async requestAll(tapped: Watcher["tapped"], field: string): Promise<void> {
    await this.#readChangeSet(tapped);
    await this.#draftBulkEdit(tapped, field);
  }

  /** What a set did, and the way back. */
  async #readChangeSet(tapped: Watcher["tapped"]): Promise<void> {
    if (this.applied.length === 0) return;
    const id = this.#random.pick(this.applied);
    await tapped.rest("GET", "/change-sets?limit=20");
    await tapped.rest("GET", `/change-sets/${id}/preview`);
    await this.#previewDraft(tapped, await tapped.rest("POST", `/change-sets/${id}/revert`));
  }

  /** One edit to all records, chosen by a field that may be hidden. */
  async #draftBulkEdit(tapped: Watcher["tapped"], field: string): Promise<void> {
    const filter = { field, op: "startsWith", value: "cnry" };
    const chosen = this.#random.pick<object>([{ filter }, { search: "cnry" }]);
    const bulk = {
      table: "incidents",
      ...chosen,
      set: { [this.#random.pick(canaryFields)]: null },
    };
    await this.#previewDraft(tapped, await tapped.rest("POST", "/change-sets", { bulk }));
  }

  async #previewDraft(tapped: Watcher["tapped"], answer: string): Promise<void> {
    const { id } = JSON.parse(answer);
    if (id === undefined) return;
    await tapped.rest("GET", `/change-sets/${id}/preview`);
    await tapped.rest("DELETE", `/change-sets/${id}`);
  }
}
