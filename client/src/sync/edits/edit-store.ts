import type { EditStorage, StoredMutation } from "../../transport/edit-storage.ts";
import type { TabLease } from "../../transport/tab-lease.ts";
import type { Clock } from "../clock.ts";

/** A browser whose storage has not answered by then is not waited for. */
const STORE_TIMEOUT_MS = 3_000;

/**
 * The stored edits of one user, as this tab sees them. Storage that fails (private window, full disk)
 * or hangs costs durability, never the edit: it stays in memory, and the user is notified.
 */
export class EditStore {
  readonly #storage: EditStorage;
  readonly #lease: TabLease;
  readonly #user: string;
  /** Every mutation that this tab has had: an answer may overtake a look into the storage. */
  readonly #mine = new Set<string>();
  #puts = 0;

  readonly #clock: Clock;
  readonly #onStored: (isStored: boolean) => void;

  constructor(
    storage: EditStorage,
    lease: TabLease,
    user: string,
    clock: Clock,
    onStored: (isStored: boolean) => void,
  ) {
    this.#clock = clock;
    this.#onStored = onStored;
    this.#storage = storage;
    this.#lease = lease;
    this.#user = user;
  }

  get owner(): { user: string; tab: string } {
    return { user: this.#user, tab: this.#lease.tab };
  }

  async put(mutations: readonly StoredMutation[]): Promise<void> {
    for (const { id } of mutations) this.#mine.add(id);
    this.#puts += 1;
    const put = this.#puts;
    const done = this.#storage.putAll(mutations);
    this.#onStored(await this.#inTime(done));
    // A slow storage stores it later. What failed since is not stored because of that.
    void done.then(
      () => put === this.#puts && this.#onStored(true),
      () => {},
    );
  }

  /** Whether the storage has done it, in time. */
  #inTime(done: Promise<void>): Promise<boolean> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(STORE_TIMEOUT_MS, () => resolve(false));
      done.then(
        () => resolve(true),
        () => resolve(false),
      );
      void done.catch(() => {}).finally(cancel);
    });
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#storage.remove(ids).catch(() => {});
  }

  /** Edits not known here yet: this tab's own from before a reload, and those of tabs that are gone. */
  async adopt(): Promise<StoredMutation[]> {
    const all = await this.#storage.load(this.#user).catch(() => []);
    const unknown = all.filter(({ id }) => !this.#mine.has(id));
    const adopted: StoredMutation[] = [];
    for (const [tab, mutations] of Map.groupBy(unknown, ({ tab }) => tab)) {
      if (tab === this.#lease.tab) adopted.push(...mutations);
      else await this.#lease.takeOver(tab, () => this.#takeOver(mutations, adopted));
    }
    for (const { id } of adopted) this.#mine.add(id);
    return adopted.sort((a, b) => a.order - b.order);
  }

  async #takeOver(mutations: readonly StoredMutation[], adopted: StoredMutation[]): Promise<void> {
    const mine = mutations.map((mutation) => ({ ...mutation, tab: this.#lease.tab }));
    await this.#storage.putAll(mine);
    adopted.push(...mine);
  }
}
