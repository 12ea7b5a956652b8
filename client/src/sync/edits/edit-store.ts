import type { EditStorage, StoredMutation } from "../../transport/edit-storage.ts";
import type { TabLease } from "../../transport/tab-lease.ts";

/**
 * The stored edits of one user, as this tab sees them. Storage that fails (private window, full disk)
 * costs durability, never the edit: it goes on in memory.
 */
export class EditStore {
  readonly #storage: EditStorage;
  readonly #lease: TabLease;
  readonly #user: string;
  /** Every mutation that this tab has had: an answer may overtake a look into the storage. */
  readonly #mine = new Set<string>();

  constructor(storage: EditStorage, lease: TabLease, user: string) {
    this.#storage = storage;
    this.#lease = lease;
    this.#user = user;
  }

  get owner(): { user: string; tab: string } {
    return { user: this.#user, tab: this.#lease.tab };
  }

  async put(mutations: readonly StoredMutation[]): Promise<void> {
    for (const { id } of mutations) this.#mine.add(id);
    await this.#storage.putAll(mutations).catch(() => {});
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#storage.remove(ids).catch(() => {});
  }

  /** Edits not known here yet: this tab's own from before a reload, and those of tabs that are gone. */
  async adopt(): Promise<StoredMutation[]> {
    const all = await this.#storage.load(this.#user).catch(() => []);
    const unknown = all.filter(({ id }) => !this.#mine.has(id));
    const taken: StoredMutation[] = [];
    for (const [tab, mutations] of Map.groupBy(unknown, ({ tab }) => tab)) {
      if (tab === this.#lease.tab) taken.push(...mutations);
      else await this.#lease.takeOver(tab, () => this.#takeOver(mutations, taken));
    }
    for (const { id } of taken) this.#mine.add(id);
    return taken.sort((a, b) => a.order - b.order);
  }

  async #takeOver(mutations: readonly StoredMutation[], taken: StoredMutation[]): Promise<void> {
    const mine = mutations.map((mutation) => ({ ...mutation, tab: this.#lease.tab }));
    await this.#storage.putAll(mine);
    taken.push(...mine);
  }
}
